// Operators of TensorFlow Lite → nodes of ONNX.
#include <algorithm>
#include <limits>

#include "convert/tflite_operators.hpp"
#include "model/onnx_element_types.hpp"

namespace ifcert::translation::from_operators {
namespace {

constexpr std::int64_t to_the_end = std::numeric_limits<std::int64_t>::max();

void finish(const TfliteRow& row, TranslationSite& site, std::vector<Slot> inputs, Attributes attributes = {}) {
  site.add(std::string(row.node), std::move(inputs), site.outputs(), std::move(attributes));
}

std::int64_t number(const TranslationSite& site, const std::string& name) {
  return site.attribute<std::int64_t>(name).value_or(0);
}

Slot as_int64(TranslationSite& site, Slot slot) {
  return site.add_inner("Cast", {slot}, {{"to", std::int64_t{onnx::data_type_of(ElementType::int64)}}});
}

/// Operand `i` as a list of ONNX: one dim, 64 bits.
Slot list(TranslationSite& site, std::size_t i) {
  if (site.element(i) == ElementType::int64 && site.rank(i) == 1U) return site.input(i);
  if (const auto known = site.integers(i)) return site.constant(list_of(*known));
  const Slot slot = site.element(i) == ElementType::int64 ? site.input(i) : as_int64(site, site.input(i));
  if (site.rank(i) == 1U) return slot;
  return site.add_inner("Reshape", {slot, site.constant(list_of({-1}))});
}

Slot constant(TranslationSite& site, ElementType type, std::int64_t number) {
  return site.constant(scalar_of(type, number));
}

bool is_unsigned(ElementType type) {
  using enum ElementType;
  return type == uint8 || type == uint16 || type == uint32 || type == uint64;
}

/// The value, or `limit` where the comparison holds.
Slot limited(TranslationSite& site, Slot value, const std::string& comparison, std::int64_t limit,
             std::vector<Slot> outputs = {}) {
  const Slot end = constant(site, site.element(0), limit);
  const Slot outside = site.add_inner(comparison, {value, end});
  if (outputs.empty()) return site.add_inner("Where", {outside, end, value});
  site.add("Where", {outside, end, value}, std::move(outputs));
  return no_slot;
}

/// Adds the operation and its fused activation; NaN is not clamped.
void finish_activated(const TfliteRow& row, TranslationSite& site, const std::vector<Slot>& inputs,
                      const Attributes& attributes = {}) {
  const std::string activation = site.attribute<std::string>("fused_activation_function").value_or("NONE");
  if (activation == "NONE") return finish(row, site, inputs, attributes);
  if (activation != "RELU" && activation != "RELU6" && activation != "RELU_N1_TO_1")
    site.refuse(fmt::format("the fused activation {} has no counterpart", activation));
  const Slot value = site.add_inner(std::string(row.node), inputs, attributes);
  const std::int64_t low = activation == "RELU_N1_TO_1" && !is_unsigned(site.element(0)) ? -1 : 0;
  if (activation == "RELU") {
    limited(site, value, "Less", low, site.outputs());
  } else {
    limited(site, limited(site, value, "Less", low), "Greater", activation == "RELU6" ? 6 : 1, site.outputs());
  }
}

/// The first operand where the comparison holds, or else the second.
void chosen(TranslationSite& site, const std::string& comparison) {
  site.expect_attributes({});
  const Slot first = site.add_inner(comparison, site.inputs());
  site.add("Where", {first, site.input(0), site.input(1)}, site.outputs());
}

void either(TranslationSite& site, const std::string& comparison) {
  site.expect_attributes({});
  const Slot different = site.add_inner(comparison, site.inputs());
  site.add("Or", {different, site.add_inner("Equal", site.inputs())}, site.outputs());
}

}  // namespace

void renamed(const TfliteRow& row, TranslationSite& site) {
  site.expect_attributes({});
  finish(row, site, site.inputs());
}

void activated(const TfliteRow& row, TranslationSite& site) {
  site.expect_attributes({{"fused_activation_function"}});
  finish_activated(row, site, site.inputs());
}

void cast(const TfliteRow& row, TranslationSite& site) {
  const ElementType to = element_type_named(site.attribute<std::string>("out_data_type").value_or(""));
  if (to == ElementType::string || site.element(0) == ElementType::string) site.refuse("CAST does not accept strings");
  finish(row, site, site.inputs(), {{"to", std::int64_t{onnx::data_type_of(to)}}});
}

void concatenation(const TfliteRow& row, TranslationSite& site) {
  finish_activated(row, site, site.inputs(), {{"axis", number(site, "axis")}});
}

void expand_dims(const TfliteRow& row, TranslationSite& site) {
  const Slot axes = list(site, 1);
  finish(row, site, {site.input(0), axes});
}

void fill(const TfliteRow& row, TranslationSite& site) {
  const Slot dims = list(site, 0);
  finish(row, site, {site.input(1), dims});
}

void gather(const TfliteRow& row, TranslationSite& site) {
  if (number(site, "batch_dims") != 0) site.refuse("GATHER with batch_dims has no counterpart");
  const bool fits = site.element(1) == ElementType::int32 || site.element(1) == ElementType::int64;
  const Slot indices = fits ? site.input(1) : as_int64(site, site.input(1));
  finish(row, site, {site.input(0), indices}, {{"axis", number(site, "axis")}});
}

/// NaN is neither greater than anything nor equal to it.
void greater_equal(const TfliteRow&, TranslationSite& site) {
  either(site, "Greater");
}

void less_equal(const TfliteRow&, TranslationSite& site) {
  either(site, "Less");
}

/// The second of two unordered operands.
void maximum(const TfliteRow&, TranslationSite& site) {
  chosen(site, "Greater");
}

void minimum(const TfliteRow&, TranslationSite& site) {
  chosen(site, "Less");
}

void not_equal(const TfliteRow&, TranslationSite& site) {
  site.expect_attributes({});
  const Slot equal = site.add_inner("Equal", site.inputs());
  site.add("Not", {equal}, site.outputs());
}

void pack(const TfliteRow& row, TranslationSite& site) {
  const std::int64_t axis = number(site, "axis");
  std::vector<Slot> elements;
  for (const Slot slot : site.inputs())
    elements.push_back(site.add_inner("Unsqueeze", {slot, site.constant(list_of({axis}))}));
  finish(row, site, elements, {{"axis", axis}});
}

/// An option [0] means a scalar. Sentence: kernels-reshape-scalar.
void reshape(const TfliteRow& row, TranslationSite& site) {
  Slot shape = no_slot;
  if (site.input(1) != no_slot) {
    shape = list(site, 1);
  } else {
    const auto option = site.attribute<Integers>("new_shape");
    if (!option) site.refuse("RESHAPE without a shape has no counterpart");
    shape = site.constant(list_of(*option == Integers{0} ? Integers{} : *option));
  }
  finish(row, site, {site.input(0), shape}, {{"allowzero", std::int64_t{1}}});
}

/// Appending ones to the condition's dims reduces all three cases to one.
/// Sentence: kernels-select-condition.
void select(const TfliteRow& row, TranslationSite& site) {
  const std::optional<Shape> shape = site.shape(0);
  const bool same = shape && shape == site.shape(1) && std::ranges::all_of(*shape, &Dim::known);
  if (site.rank(0) == 0U || same) return finish(row, site, site.inputs());
  const Slot dims = site.add_inner("Shape", {site.input(0)});
  const Slot rank = site.add_inner("Shape", {dims});
  const Slot ranks = site.add_inner("Shape", {site.add_inner("Shape", {site.input(1)})});
  const Slot missing = site.add_inner("Sub", {ranks, rank});
  const std::int64_t one = 1;
  const Slot ones = site.add_inner("ConstantOfShape", {missing},
                                   {{"value", make_tensor<std::int64_t>(ElementType::int64, {1}, std::span(&one, 1))}});
  const Slot aligned = site.add_inner("Concat", {dims, ones}, {{"axis", std::int64_t{0}}});
  const Slot condition = site.add_inner("Reshape", {site.input(0), aligned}, {{"allowzero", std::int64_t{1}}});
  finish(row, site, {condition, site.input(1), site.input(2)});
}

void shape(const TfliteRow& row, TranslationSite& site) {
  const ElementType type = element_type_named(site.attribute<std::string>("out_type").value_or("int32"));
  if (type == ElementType::int64) return finish(row, site, site.inputs());
  const Slot dims = site.add_inner("Shape", site.inputs());
  site.add("Cast", {dims}, site.outputs(), {{"to", std::int64_t{onnx::data_type_of(type)}}});
}

/// A size of -1 means "up to the end".
void slice(const TfliteRow& row, TranslationSite& site) {
  const auto begins = site.integers(1);
  const auto sizes = site.integers(2);
  const Slot begin = list(site, 1);
  if (begins && sizes && begins->size() == sizes->size()) {
    Integers ends;
    for (std::size_t i = 0; i < begins->size(); ++i) {
      const bool is_open = (*sizes)[i] < 0 || (*begins)[i] > to_the_end - (*sizes)[i];
      ends.push_back(is_open ? to_the_end : (*begins)[i] + (*sizes)[i]);
    }
    return finish(row, site, {site.input(0), begin, site.constant(list_of(ends))});
  }
  const Slot size = list(site, 2);
  const Slot open = site.add_inner("Less", {size, constant(site, ElementType::int64, 0)});
  const Slot sum = site.add_inner("Add", {begin, size});
  const Slot end = site.add_inner("Where", {open, constant(site, ElementType::int64, to_the_end), sum});
  finish(row, site, {site.input(0), begin, end});
}

void squeeze(const TfliteRow& row, TranslationSite& site) {
  const auto dims = site.attribute<Integers>("squeeze_dims");
  if (!dims) site.refuse("SQUEEZE without options has no counterpart");
  if (dims->empty()) return finish(row, site, {site.input(0)});
  finish(row, site, {site.input(0), site.constant(list_of(*dims))});
}

void sum(const TfliteRow& row, TranslationSite& site) {
  const Slot axes = list(site, 1);
  finish(row, site, {site.input(0), axes},
         {{"keepdims", number(site, "keep_dims")}, {"noop_with_empty_axes", std::int64_t{1}}});
}

void transpose(const TfliteRow& row, TranslationSite& site) {
  const auto order = site.integers(1);
  if (!order) site.refuse("TRANSPOSE whose order is not constant has no counterpart");
  finish(row, site, {site.input(0)}, order->empty() ? Attributes{} : Attributes{{"perm", *order}});
}

}  // namespace ifcert::translation::from_operators
