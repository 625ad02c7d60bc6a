// Layers of IR → nodes of ONNX.
#include <algorithm>
#include <charconv>
#include <memory>
#include <numeric>

#include "convert/operators.hpp"
#include "formats/openvino/types.hpp"
#include "model/onnx_element_types.hpp"

namespace ifcert::translation::to_nodes {
namespace {

std::string text(const TranslationSite& site, const std::string& name, const std::string& otherwise) {
  return site.attribute<std::string>(name).value_or(otherwise);
}

bool flag(const TranslationSite& site, const std::string& name, bool otherwise) {
  const std::string value = text(site, name, otherwise ? "true" : "false");
  return value == "true" || value == "1";
}

std::int64_t integer(const TranslationSite& site, const std::string& name) {
  const std::string value = text(site, name, "0");
  std::int64_t number = 0;
  const char* end = std::to_address(value.end());
  const auto [rest, error] = std::from_chars(std::to_address(value.begin()), end, number);
  if (error != std::errc() || rest != end) site.refuse(fmt::format("attribute {} is not an integer", name));
  return number;
}

void finish(const Row& row, TranslationSite& site, std::vector<Slot> inputs, Attributes attributes = {}) {
  site.add(std::string(row.node), std::move(inputs), site.outputs(), std::move(attributes));
}

/// Operand `i` as a list of ONNX: one dim, 64 bits.
Slot list(TranslationSite& site, std::size_t i) {
  if (site.element(i) == ElementType::int64 && site.rank(i) == 1U) return site.input(i);
  if (const auto known = site.integers(i)) return site.constant(list_of(*known));
  Slot slot = site.input(i);
  if (site.element(i) != ElementType::int64)
    slot = site.add_inner("Cast", {slot}, {{"to", std::int64_t{onnx::data_type_of(ElementType::int64)}}});
  if (site.rank(i) == 1U) return slot;
  return site.add_inner("Reshape", {slot, site.constant(list_of({-1}))});
}

std::int64_t constant_integer(const TranslationSite& site, std::size_t i) {
  const auto known = site.integers(i);
  if (!known || known->size() != 1)
    site.refuse(fmt::format("{} whose operand {} is not constant has no counterpart", site.node.op, i));
  return known->front();
}

/// The operand with its last two axes exchanged.
Slot exchanged(TranslationSite& site, std::size_t i) {
  const std::optional<std::size_t> rank = site.rank(i);
  if (!rank) site.refuse("MatMul that transposes a tensor of unknown rank has no counterpart");
  if (*rank < 2) return site.input(i);
  Integers order(*rank);
  std::iota(order.begin(), order.end(), 0);
  std::swap(order[*rank - 1], order[*rank - 2]);
  return site.add_inner("Transpose", {site.input(i)}, {{"perm", order}});
}

/// Whether broadcasting an operand of that shape to the target, and not the target to it, yields the target's shape.
bool fits(const std::optional<Shape>& shape, const std::optional<Integers>& target) {
  if (shape && shape->empty()) return true;
  if (!shape || !target || shape->size() > target->size()) return false;
  return std::equal(shape->rbegin(), shape->rend(), target->rbegin(),
                    [](const Dim& dim, std::int64_t size) { return dim.value == 1 || dim.value == size; });
}

bool is_signed_integer(ElementType type) {
  using enum ElementType;
  return type == int2 || type == int4 || type == int8 || type == int16 || type == int32 || type == int64;
}

}  // namespace

void renamed(const Row& row, TranslationSite& site) {
  site.expect_attributes({});
  finish(row, site, site.inputs());
}

void pairwise(const Row& row, TranslationSite& site) {
  const std::string rule = text(site, "auto_broadcast", "numpy");
  const bool same = site.shape(0) && site.shape(0) == site.shape(1) && std::ranges::all_of(*site.shape(0), &Dim::known);
  if (rule != "numpy" && !(rule == "none" && same))
    site.refuse(fmt::format("auto_broadcast=\"{}\" has no counterpart", rule));
  finish(row, site, site.inputs());
}

void divide(const Row& row, TranslationSite& site) {
  const ElementType type = site.element(0);
  if (flag(site, "m_pythondiv", true) && (type == ElementType::undefined || is_signed_integer(type)))
    site.refuse("Divide that rounds down has no counterpart");
  pairwise(row, site);
}

void broadcast(const Row& row, TranslationSite& site) {
  const std::string mode = text(site, "mode", "numpy");
  if (mode != "bidirectional" && !(mode == "numpy" && fits(site.shape(0), site.integers(1))))
    site.refuse("Broadcast to a shape that the operand is not known to fit has no counterpart");
  const Slot target = list(site, 1);
  finish(row, site, {site.input(0), target});
}

void concat(const Row& row, TranslationSite& site) {
  finish(row, site, site.inputs(), {{"axis", integer(site, "axis")}});
}

void convert(const Row& row, TranslationSite& site) {
  const auto to = openvino::element_type_of(text(site, "destination_type", "")).value_or(ElementType::undefined);
  if (to == ElementType::string || site.element(0) == ElementType::string)
    site.refuse("Convert does not accept strings");
  finish(row, site, site.inputs(), {{"to", std::int64_t{onnx::data_type_of(to)}}});
}

void gather(const Row& row, TranslationSite& site) {
  if (integer(site, "batch_dims") != 0) site.refuse("Gather with batch_dims has no counterpart");
  finish(row, site, {site.input(0), site.input(1)}, {{"axis", constant_integer(site, 2)}});
}

void matmul(const Row& row, TranslationSite& site) {
  const Slot a = flag(site, "transpose_a", false) ? exchanged(site, 0) : site.input(0);
  const Slot b = flag(site, "transpose_b", false) ? exchanged(site, 1) : site.input(1);
  finish(row, site, {a, b});
}

void reduce_sum(const Row& row, TranslationSite& site) {
  const std::int64_t keep = flag(site, "keep_dims", false) ? 1 : 0;
  const Slot axes = list(site, 1);
  finish(row, site, {site.input(0), axes}, {{"keepdims", keep}, {"noop_with_empty_axes", std::int64_t{1}}});
}

void reshape(const Row& row, TranslationSite& site) {
  const std::int64_t zero_is_zero = flag(site, "special_zero", false) ? 0 : 1;
  const Slot shape = list(site, 1);
  finish(row, site, {site.input(0), shape}, {{"allowzero", zero_is_zero}});
}

void shape_of(const Row& row, TranslationSite& site) {
  const auto type = openvino::element_type_of(text(site, "output_type", "i64")).value_or(ElementType::undefined);
  if (type == ElementType::int64) return finish(row, site, site.inputs());
  const Slot shape = site.add_inner("Shape", site.inputs());
  site.add("Cast", {shape}, site.outputs(), {{"to", std::int64_t{onnx::data_type_of(type)}}});
}

void slice(const Row& row, TranslationSite& site) {
  site.expect_attributes({});
  const Slot axes = site.operands() > 4 ? list(site, 4) : no_slot;
  finish(row, site, {site.input(0), list(site, 1), list(site, 2), axes, list(site, 3)});
}

/// From opset 18 on ONNX also splits what does not divide evenly.
void split(const Row& row, TranslationSite& site) {
  const std::int64_t axis = constant_integer(site, 1);
  if (site.version() < 18) return finish(row, site, {site.input(0)}, {{"axis", axis}});
  site.refuse("Split in a model with types of opset 19 or later has no counterpart");
}

/// IR skips an axis whose dim is not 1, ONNX refuses it: the dims must be known, to leave such axes out.
void squeeze(const Row& row, TranslationSite& site) {
  const auto axes = site.integers(1);
  if (site.operands() < 2 || (axes && axes->empty())) return finish(row, site, {site.input(0)});
  const std::optional<Shape> shape = site.shape(0);
  if (!axes || !shape) site.refuse("Squeeze of dims that are not known has no counterpart");
  Integers squeezed;
  for (const std::int64_t axis : *axes) {
    const std::int64_t from_front = axis < 0 ? axis + std::ssize(*shape) : axis;
    if (from_front < 0 || from_front >= std::ssize(*shape)) site.refuse(fmt::format("Squeeze has no axis {}", axis));
    const Dim& dim = (*shape)[static_cast<std::size_t>(from_front)];
    if (!dim.known()) site.refuse("Squeeze of dims that are not known has no counterpart");
    if (dim.value == 1) squeezed.push_back(axis);
  }
  if (squeezed.empty()) {
    site.add("Identity", {site.input(0)}, site.outputs(), {});
    return;
  }
  const Slot list_of_axes = squeezed == *axes ? list(site, 1) : site.constant(list_of(squeezed));
  finish(row, site, {site.input(0), list_of_axes});
}

/// IR pads the shorter of shape and repeats with ones.
void tile(const Row& row, TranslationSite& site) {
  const std::optional<std::size_t> rank = site.rank(0);
  const std::optional<Shape> repeats = site.shape(1);
  const bool as_many =
      rank && repeats && repeats->size() == 1 && repeats->front().value == static_cast<std::int64_t>(*rank);
  if (!as_many) site.refuse("Tile with a number of repeats that is not known to be the rank has no counterpart");
  const Slot slot = list(site, 1);
  finish(row, site, {site.input(0), slot});
}

void transpose(const Row& row, TranslationSite& site) {
  const auto order = site.integers(1);
  if (!order) site.refuse("Transpose whose order is not constant has no counterpart");
  finish(row, site, {site.input(0)}, order->empty() ? Attributes{} : Attributes{{"perm", *order}});
}

void unsqueeze(const Row& row, TranslationSite& site) {
  const Slot axes = list(site, 1);
  finish(row, site, {site.input(0), axes});
}

}  // namespace ifcert::translation::to_nodes
