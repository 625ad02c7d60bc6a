// Nodes of ONNX → operators of TensorFlow Lite.
#include <algorithm>
#include <limits>
#include <numeric>

#include "convert/tflite_operators.hpp"
#include "convert/tflite_shape.hpp"
#include "formats/tflite/types.hpp"
#include "model/onnx_element_types.hpp"

namespace ifcert::translation::to_operators {
namespace {

void finish(const TfliteRow& row, TranslationSite& site, std::vector<Slot> inputs, Attributes attributes = {}) {
  site.add(std::string(row.operation), std::move(inputs), site.outputs(), std::move(attributes));
}

/// The page of CAST lists int4; LiteRT 2.3.0 converts it to float32 and from float32 alone.
bool litert_casts(ElementType from, ElementType to) {
  if (from == ElementType::int4) return to == ElementType::float32;
  return to != ElementType::int4 || from == ElementType::float32;
}

void cast_to(const TfliteRow& row, TranslationSite& site, ElementType to) {
  const ElementType from = site.element(0);
  if (to == ElementType::string || from == ElementType::string) site.refuse("CAST does not accept strings");
  if (!tflite::tensor_type_of(to)) site.refuse(fmt::format("TensorFlow Lite has no element type {}", name_of(to)));
  if (!litert_casts(from, to)) site.refuse(fmt::format("LiteRT has no CAST from {} to {}", name_of(from), name_of(to)));
  finish(row, site, {site.input(0)}, {{"out_data_type", std::string(name_of(to))}});
}

/// The axis counted from the front.
std::int64_t axis_from_front(const TranslationSite& site, std::int64_t axis, std::optional<std::size_t> rank) {
  if (axis >= 0) return axis;
  if (!rank)
    site.refuse(
        fmt::format("{} along an axis counted from the end, of unknown rank, has no counterpart", site.node.op));
  const std::int64_t counted = axis + static_cast<std::int64_t>(*rank);
  if (counted < 0) site.refuse(fmt::format("axis {} with {} dims has no counterpart", axis, *rank));
  return counted;
}

/// In ascending order, counted from the front.
Integers axes_from_front(const TranslationSite& site, const List& axes, std::optional<std::size_t> rank) {
  if (!axes.known) site.refuse(fmt::format("{} whose axes are not constant has no counterpart", site.node.op));
  Integers from_front;
  for (const std::int64_t axis : *axes.known) from_front.push_back(axis_from_front(site, axis, rank));
  std::ranges::sort(from_front);
  return from_front;
}

/// The size of operand 0 along an axis, as a scalar of that type.
Slot dim_along(TranslationSite& site, std::int64_t axis, ElementType type) {
  const std::optional<Shape> shape = site.shape(0);
  if (shape && axis < static_cast<std::int64_t>(shape->size()) && (*shape)[static_cast<std::size_t>(axis)].known())
    return site.constant(scalar_of(type, (*shape)[static_cast<std::size_t>(axis)].value));
  const Type list = Type::tensor(type, Shape{Dim{}});
  const Slot dims = site.add_value(list, "SHAPE", {site.input(0)}, {{"out_type", std::string(name_of(type))}});
  return site.add_value(Type::tensor(type, Shape{}), "GATHER",
                        {dims, site.constant(scalar_of(ElementType::int32, axis))}, {{"axis", std::int64_t{0}}});
}

/// Indices for GATHER, which counts from the front.
Slot indices_from_front(TranslationSite& site, std::int64_t axis) {
  const Slot unchanged = site.input(1);
  const auto known = site.integers(1);
  if (known && std::ranges::all_of(*known, [](std::int64_t index) { return index >= 0; })) return unchanged;
  axis = axis_from_front(site, axis, site.rank(0));
  const ElementType type = site.element(1);
  const Type indices = Type::tensor(type, site.shape(1));
  const Slot zero = site.constant(scalar_of(type, 0));
  const Slot is_negative = site.add_value(Type::tensor(ElementType::boolean, site.shape(1)), "LESS", {unchanged, zero});
  const Slot moved = site.add_value(indices, "ADD", {unchanged, dim_along(site, axis, type)});
  return site.add_value(indices, "SELECT_V2", {is_negative, moved, unchanged});
}

/// The list operands of a Slice.
struct SliceForm {
  List starts, ends, axes;
};

bool is_from_zero(const Integers& axes) {
  for (std::size_t i = 0; i < axes.size(); ++i) {
    if (axes[i] != static_cast<std::int64_t>(i)) return false;
  }
  return true;
}

/// Uses constants for SLICE; returns false where not all lists are known.
bool slice_known(const TfliteRow& row, TranslationSite& site, const SliceForm& form) {
  const std::optional<Shape> shape = site.shape(0);
  if (!shape || !form.starts.known || !form.ends.known) return false;
  const std::size_t count = form.starts.known->size();
  if (form.ends.known->size() != count || (form.axes.present && form.axes.known->size() != count)) return false;
  Integers begins(shape->size(), 0);
  Integers sizes(shape->size(), -1);
  for (std::size_t i = 0; i < count; ++i) {
    const std::int64_t requested = form.axes.present ? (*form.axes.known)[i] : static_cast<std::int64_t>(i);
    const auto axis = static_cast<std::size_t>(axis_from_front(site, requested, shape->size()));
    if (axis >= shape->size() || !(*shape)[axis].known()) return false;
    const std::int64_t dim = (*shape)[axis].value;
    const auto within = [&](std::int64_t at) { return std::clamp<std::int64_t>(at < 0 ? at + dim : at, 0, dim); };
    begins[axis] = within((*form.starts.known)[i]);
    sizes[axis] = std::max<std::int64_t>(within((*form.ends.known)[i]) - begins[axis], 0);
  }
  const Slot begin = int32_constant(site, begins);
  finish(row, site, {site.input(0), begin, int32_constant(site, sizes)});
  return true;
}

/// Computes the operands of SLICE in the run: in ONNX indices may count from the end, and are clamped to the dims.
void slice_computed(const TfliteRow& row, TranslationSite& site, const SliceForm& form) {
  const Type numbers = Type::tensor(ElementType::int64, Shape{Dim{}});
  const Type booleans = Type::tensor(ElementType::boolean, Shape{Dim{}});
  const Attributes as_int64{{"out_type", "int64"}};
  const Slot zero = site.constant(scalar_of(ElementType::int64, 0));
  const auto as_numbers = [&](const List& list, std::size_t i) {
    if (list.slot == no_slot || list.known) return site.constant(list_of(*list.known));
    if (site.element(i) == ElementType::int64) return list.slot;
    return site.add_value(numbers, "CAST", {list.slot}, {{"out_data_type", "int64"}});
  };
  const Slot starts = as_numbers(form.starts, 1);
  const Slot dims = site.add_value(numbers, "SHAPE", {site.input(0)}, as_int64);
  const Slot count = site.add_value(numbers, "SHAPE", {starts}, as_int64);
  const Slot sliced = site.add_value(numbers, "SLICE", {dims, site.constant(list_of({0})), count});
  const auto within = [&](Slot at) {
    const Slot is_negative = site.add_value(booleans, "LESS", {at, zero});
    const Slot moved = site.add_value(numbers, "ADD", {at, sliced});
    const Slot from_front = site.add_value(numbers, "SELECT_V2", {is_negative, moved, at});
    return site.add_value(numbers, "MINIMUM", {site.add_value(numbers, "MAXIMUM", {from_front, zero}), sliced});
  };
  const Slot begin = within(starts);
  const Slot length = site.add_value(numbers, "SUB", {within(as_numbers(form.ends, 2)), begin});
  const Slot size = site.add_value(numbers, "MAXIMUM", {length, zero});
  const Slot rank = site.add_value(numbers, "SHAPE", {dims}, as_int64);
  const Slot others = site.add_value(numbers, "SUB", {rank, count});
  const auto filled_up = [&](Slot some, std::int64_t with) {
    const Slot rest = site.add_value(numbers, "FILL", {others, site.constant(scalar_of(ElementType::int64, with))});
    return site.add_value(numbers, "CONCATENATION", {some, rest}, {{"axis", std::int64_t{0}}});
  };
  const Slot begins = filled_up(begin, 0);
  finish(row, site, {site.input(0), begins, filled_up(size, -1)});
}

}  // namespace

void renamed(const TfliteRow& row, TranslationSite& site) {
  site.expect_attributes({});
  finish(row, site, site.inputs());
}

void cast(const TfliteRow& row, TranslationSite& site) {
  site.expect_attributes({{"to"}, {"saturate", 19}});
  site.require_attribute("to");
  cast_to(row, site, onnx::element_type_of(*site.attribute<std::int64_t>("to")));
}

void cast_like(const TfliteRow& row, TranslationSite& site) {
  site.expect_attributes({{"saturate", 19}});
  cast_to(row, site, site.element(1));
}

void concat(const TfliteRow& row, TranslationSite& site) {
  site.expect_attributes({{"axis"}});
  site.require_attribute("axis");
  finish(row, site, site.inputs(), {{"axis", *site.attribute<std::int64_t>("axis")}});
}

void constant_of_shape(const TfliteRow& row, TranslationSite& site) {
  site.expect_attributes({{"value"}});
  Value value = scalar_of(ElementType::float32, 0);
  if (const auto given = site.attribute<Value>("value"); given && given->tensor() != nullptr) {
    Tensor tensor = *given->tensor();
    if (tensor.count() != 1) site.refuse("ConstantOfShape needs a value of one element");
    tensor.dims.clear();
    value = std::move(tensor);
  }
  finish(row, site, {site.input(0), site.constant(std::move(value))});
}

/// FILL repeats a scalar; any other integers are multiplied by a tensor of ones, which does not change them.
void expand(const TfliteRow& row, TranslationSite& site) {
  site.expect_attributes({});
  if (site.rank(0) == 0U) return finish(row, site, {site.input(1), site.input(0)});
  const ElementType type = site.element(0);
  const bool is_bool = type == ElementType::boolean;
  const bool is_integer = type == ElementType::int32 || type == ElementType::int64 || type == ElementType::int16 ||
                          type == ElementType::int8 || type == ElementType::uint8;
  if (!is_bool && !is_integer)
    site.refuse(fmt::format("Expand of {} that is not known to be a scalar has no counterpart", name_of(type)));
  const Slot one = site.constant(scalar_of(type, is_bool ? 0 : 1));
  const Slot ones = site.add_value(Type::tensor(type), "FILL", {site.input(1), one});
  site.add(is_bool ? "LOGICAL_OR" : "MUL", {site.input(0), ones}, site.outputs());
}

void gather(const TfliteRow& row, TranslationSite& site) {
  site.expect_attributes({{"axis"}});
  const std::int64_t axis = site.attribute<std::int64_t>("axis").value_or(0);
  finish(row, site, {site.input(0), indices_from_front(site, axis)}, {{"axis", axis}});
}

/// No axes mean all of them, or, with noop_with_empty_axes, none, as for SUM.
void reduce_sum(const TfliteRow& row, TranslationSite& site) {
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
  const std::int64_t keep = site.attribute<std::int64_t>("keepdims").value_or(1) != 0 ? 1 : 0;
  finish(row, site, {site.input(0), int32_list(site, axes)}, {{"keep_dims", keep}});
}

/// MAXIMUM returns the second of two unordered operands: NaN stays NaN, and -0 is not less than 0.
void relu(const TfliteRow& row, TranslationSite& site) {
  site.expect_attributes({});
  finish(row, site, {site.constant(scalar_of(site.element(0), 0)), site.input(0)});
}

/// A 0 in ONNX's shape keeps the dimension; RESHAPE does not treat zeros so. Sentence: operators-reshape-zero.
void reshape(const TfliteRow& row, TranslationSite& site) {
  site.expect_attributes({{"shape", 1, 5}, {"allowzero", 14}});
  const List shape = list_in(site, "shape", 1);
  if (site.attribute<std::int64_t>("allowzero").value_or(0) != 0)
    return finish(row, site, {site.input(0), int32_list(site, shape)});
  if (shape.slot == no_slot || shape.known) {
    std::vector<std::variant<Integers, Dims0>> pieces;
    for (const std::int64_t dim : shape.known.value_or(Integers{})) {
      if (dim == 0)
        pieces.emplace_back(Dims0{static_cast<std::int64_t>(pieces.size()), 1});
      else
        pieces.emplace_back(Integers{dim});
    }
    return finish(row, site, {site.input(0), joined_shape(site, pieces)});
  }
  const Type list = Type::tensor(ElementType::int32, Shape{Dim{}});
  const Slot requested = int32_list(site, shape);
  const Slot length = shape_of(site, requested, 1);
  const Slot zero = site.constant(scalar_of(ElementType::int32, 0));
  const Slot zeros = site.add_value(list, "FILL", {length, zero});
  const Slot dims = site.add_value(list, "CONCATENATION", {shape_of(site, site.input(0), site.rank(0)), zeros},
                                   {{"axis", std::int64_t{0}}});
  const Slot unchanged = site.add_value(list, "SLICE", {dims, int32_constant(site, {0}), length});
  const Slot is_zero = site.add_value(Type::tensor(ElementType::boolean, Shape{Dim{}}), "EQUAL", {requested, zero});
  finish(row, site, {site.input(0), site.add_value(list, "SELECT_V2", {is_zero, unchanged, requested})});
}

void shape(const TfliteRow& row, TranslationSite& site) {
  site.expect_attributes({});
  finish(row, site, site.inputs(), {{"out_type", "int64"}});
}

void slice(const TfliteRow& row, TranslationSite& site) {
  site.expect_attributes({{"starts", 1, 10}, {"ends", 1, 10}, {"axes", 1, 10}});
  const SliceForm form{list_in(site, "starts", 1), list_in(site, "ends", 2), list_in(site, "axes", 3)};
  if (!form.starts.present || !form.ends.present) site.refuse("Slice without starts or ends has no value");
  const List steps = list_in(site, "steps", 4);
  if (steps.present && (!steps.known || std::ranges::count(*steps.known, 1) != std::ssize(*steps.known)))
    site.refuse("Slice with steps that are not known to be 1 has no counterpart");
  if (form.axes.present && !form.axes.known) site.refuse("Slice whose axes are not constant has no counterpart");
  if (slice_known(row, site, form)) return;
  if (form.axes.present && !is_from_zero(*form.axes.known))
    site.refuse("Slice of unknown dims other than the first has no counterpart");
  slice_computed(row, site, form);
}

void squeeze(const TfliteRow& row, TranslationSite& site) {
  site.expect_attributes({{"axes", 1, 13}});
  List axes = list_in(site, "axes", 1);
  const std::optional<Shape> shape = site.shape(0);
  if (!axes.present || (axes.known && axes.known->empty())) {
    if (!shape || !std::ranges::all_of(*shape, &Dim::known))
      site.refuse("Squeeze of all dims of 1 has no counterpart where they are not known");
    axes.known = Integers{};
    for (std::size_t i = 0; i < shape->size(); ++i) {
      if ((*shape)[i].value == 1) axes.known->push_back(static_cast<std::int64_t>(i));
    }
  }
  std::vector<std::variant<Integers, Dims0>> pieces;
  std::int64_t next = 0;
  for (const std::int64_t axis : axes_from_front(site, axes, site.rank(0))) {
    if (axis > next) pieces.emplace_back(Dims0{next, axis - next});
    next = axis + 1;
  }
  if (!shape || next < std::ssize(*shape)) pieces.emplace_back(Dims0{next, -1});
  finish(row, site, {site.input(0), joined_shape(site, pieces)});
}

void transpose(const TfliteRow& row, TranslationSite& site) {
  site.expect_attributes({{"perm"}});
  auto order = site.attribute<Integers>("perm");
  if (!order || order->empty()) {
    const std::optional<std::size_t> rank = site.rank(0);
    if (!rank) site.refuse("Transpose that reverses axes, of unknown rank, has no counterpart");
    order = Integers(*rank);
    std::iota(order->rbegin(), order->rend(), 0);
  }
  finish(row, site, {site.input(0), int32_constant(site, *order)});
}

/// Inserts one axis after another, from the front.
void unsqueeze(const TfliteRow& row, TranslationSite& site) {
  site.expect_attributes({{"axes", 1, 13}});
  const List axes = list_in(site, "axes", 1);
  std::optional<std::size_t> rank = site.rank(0);
  if (rank && axes.known) *rank += axes.known->size();
  // A single axis may be counted from the end, as for EXPAND_DIMS.
  const bool is_one = axes.known && axes.known->size() == 1;
  const Integers all = is_one ? *axes.known : axes_from_front(site, axes, rank);
  if (all.empty()) site.refuse("Unsqueeze without axes has no counterpart");
  Slot slot = site.input(0);
  for (std::size_t i = 0; i + 1 < all.size(); ++i) {
    const Slot axis = site.constant(scalar_of(ElementType::int32, all[i]));
    slot = site.add_value(Type::tensor(site.element(0)), "EXPAND_DIMS", {slot, axis});
  }
  finish(row, site, {slot, site.constant(scalar_of(ElementType::int32, all.back()))});
}

}  // namespace ifcert::translation::to_operators
