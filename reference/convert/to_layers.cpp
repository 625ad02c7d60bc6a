// Nodes of ONNX → layers of IR.
#include <numeric>

#include "convert/onnx_list.hpp"
#include "convert/operators.hpp"
#include "formats/openvino/types.hpp"
#include "model/onnx_element_types.hpp"

namespace ifcert::translation::to_layers {
namespace {

using openvino::attribute_name_of;

std::string text_of(bool value) {
  return value ? "true" : "false";
}

void finish(const Row& row, TranslationSite& site, std::vector<Slot> inputs, Attributes attributes = {}) {
  site.add(std::string(row.layer), std::move(inputs), site.outputs(), std::move(attributes), row.opset);
}

Slot scalar(TranslationSite& site, std::int64_t value) {
  return site.constant(make_tensor<std::int64_t>(ElementType::int64, {}, std::span(&value, 1)));
}

}  // namespace

void renamed(const Row& row, TranslationSite& site) {
  site.expect_attributes({});
  finish(row, site, site.inputs());
}

/// "m_pythondiv": in ONNX integer division truncates towards zero.
void divide(const Row& row, TranslationSite& site) {
  site.expect_attributes({});
  finish(row, site, site.inputs(), {{"m_pythondiv", "false"}});
}

void cast(const Row& row, TranslationSite& site) {
  site.expect_attributes({{"to"}, {"saturate", 19}});
  site.require_attribute("to");
  const ElementType to = onnx::element_type_of(*site.attribute<std::int64_t>("to"));
  if (to == ElementType::string || site.element(0) == ElementType::string)
    site.refuse("Convert does not accept strings");
  if (site.attribute<std::int64_t>("saturate").value_or(1) != 1) site.refuse("Cast with saturate=0 has no counterpart");
  if (attribute_name_of(to).empty()) site.refuse(fmt::format("IR has no element type {}", name_of(to)));
  finish(row, site, site.inputs(), {{"destination_type", std::string(attribute_name_of(to))}});
}

void concat(const Row& row, TranslationSite& site) {
  site.expect_attributes({{"axis"}});
  site.require_attribute("axis");
  finish(row, site, site.inputs(), {{"axis", std::to_string(*site.attribute<std::int64_t>("axis"))}});
}

void constant_of_shape(const Row& row, TranslationSite& site) {
  site.expect_attributes({{"value"}});
  const float zero = 0;
  Value value = make_tensor<float>(ElementType::float32, {}, std::span(&zero, 1));
  if (const auto attribute = site.attribute<Value>("value"); attribute && attribute->tensor() != nullptr) {
    Tensor tensor = *attribute->tensor();
    if (tensor.count() != 1) site.refuse("ConstantOfShape needs a value of one element");
    tensor.dims.clear();
    value = std::move(tensor);
  }
  finish(row, site, {site.constant(std::move(value)), site.input(0)}, {{"mode", "numpy"}});
}

void expand(const Row& row, TranslationSite& site) {
  site.expect_attributes({});
  finish(row, site, site.inputs(), {{"mode", "bidirectional"}});
}

void gather(const Row& row, TranslationSite& site) {
  site.expect_attributes({{"axis"}});
  const Slot axis = scalar(site, site.attribute<std::int64_t>("axis").value_or(0));
  finish(row, site, {site.input(0), site.input(1), axis}, {{"batch_dims", "0"}});
}

/// No axes mean all of them, or, with noop_with_empty_axes, none, as in IR.
void reduce_sum(const Row& row, TranslationSite& site) {
  site.expect_attributes({{"axes", 1, 13}, {"keepdims"}, {"noop_with_empty_axes", 13}});
  const bool no_op = site.attribute<std::int64_t>("noop_with_empty_axes").value_or(0) != 0;
  List axes = list_in(site, "axes", 1);
  if (!no_op && (!axes.present || (axes.known && axes.known->empty()))) {
    const std::optional<std::size_t> rank = site.rank(0);
    if (!rank) site.refuse("ReduceSum over all axes of a tensor of unknown rank has no counterpart");
    axes = {true, Integers(*rank), no_slot};
    std::iota(axes.known->begin(), axes.known->end(), 0);
  } else if (!no_op) {
    expect_elements(site, axes, 1);
  }
  const bool keep = site.attribute<std::int64_t>("keepdims").value_or(1) != 0;
  finish(row, site, {site.input(0), slot_of(site, axes)}, {{"keep_dims", text_of(keep)}});
}

void reshape(const Row& row, TranslationSite& site) {
  site.expect_attributes({{"shape", 1, 5}, {"allowzero", 14}});
  const bool zero_is_zero = site.attribute<std::int64_t>("allowzero").value_or(0) != 0;
  const Slot shape = slot_of(site, list_in(site, "shape", 1));
  finish(row, site, {site.input(0), shape}, {{"special_zero", text_of(!zero_is_zero)}});
}

void shape_of(const Row& row, TranslationSite& site) {
  site.expect_attributes({});
  finish(row, site, site.inputs(), {{"output_type", "i64"}});
}

/// In ONNX the steps come after the axes and may be left out. The number of axes may be known only from a declared
/// shape.
void slice(const Row& row, TranslationSite& site) {
  site.expect_attributes({{"starts", 1, 10}, {"ends", 1, 10}, {"axes", 1, 10}});
  constexpr std::size_t most_axes = 1000;
  const List starts = list_in(site, "starts", 1);
  const List axes = list_in(site, "axes", 3);
  Slot steps = site.input(4);
  if (steps == no_slot) {
    const std::optional<Shape> shape = site.shape(1);
    const bool is_counted = shape && shape->size() == 1 && shape->front().known();
    if (!starts.known && !is_counted)
      site.refuse("Slice without steps, along an unknown number of axes, has no counterpart");
    const auto count = starts.known ? starts.known->size() : static_cast<std::size_t>(shape->front().value);
    if (count > most_axes) site.refuse(fmt::format("Slice along {} axes has no counterpart", count));
    steps = site.constant(list_of(Integers(count, 1)));
  }
  std::vector<Slot> inputs{site.input(0), slot_of(site, starts), slot_of(site, list_in(site, "ends", 2)), steps};
  if (axes.present) inputs.push_back(slot_of(site, axes));
  finish(row, site, std::move(inputs));
}

/// Split makes equal parts, and refuses what does not divide; from opset 18 on ONNX makes the last part smaller.
void split(const Row& row, TranslationSite& site) {
  site.expect_attributes({{"axis"}, {"split", 1, 13}, {"num_outputs", 18}});
  const std::int64_t axis = site.attribute<std::int64_t>("axis").value_or(0);
  const List lengths = list_in(site, "split", 1);
  const std::optional<Shape> shape = site.shape(0);
  std::int64_t dim = -1;
  if (shape) {
    const std::int64_t at = axis < 0 ? axis + static_cast<std::int64_t>(shape->size()) : axis;
    if (at >= 0 && at < static_cast<std::int64_t>(shape->size())) dim = (*shape)[static_cast<std::size_t>(at)].value;
  }
  const auto parts = static_cast<std::int64_t>(site.results());
  const bool divides = dim >= 0 && dim % parts == 0;
  const bool equal = lengths.known && divides && *lengths.known == Integers(site.results(), dim / parts);
  if (lengths.present ? !equal : site.node.version >= 18 && !divides)
    site.refuse("Split into parts that are not known to be equal has no counterpart");
  finish(row, site, {site.input(0), scalar(site, axis)}, {{"num_splits", std::to_string(parts)}});
}

void squeeze(const Row& row, TranslationSite& site) {
  site.expect_attributes({{"axes", 1, 13}});
  const List axes = list_in(site, "axes", 1);
  if (!axes.present) return finish(row, site, {site.input(0)});
  expect_elements(site, axes, 1);
  finish(row, site, {site.input(0), slot_of(site, axes)});
}

/// Without an order, both reverse the axes.
void transpose(const Row& row, TranslationSite& site) {
  site.expect_attributes({{"perm"}});
  finish(row, site, {site.input(0), slot_of(site, list_in(site, "perm", 1))});
}

void unsqueeze(const Row& row, TranslationSite& site) {
  site.expect_attributes({{"axes", 1, 13}});
  finish(row, site, {site.input(0), slot_of(site, list_in(site, "axes", 1))});
}

}  // namespace ifcert::translation::to_layers
