#include "operators/broadcast.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ifcert::kernels {
namespace {

std::string not_broadcast(const Node& node, const Dims& a, const Dims& b) {
  return fmt::format("{}: shapes {} and {} do not broadcast", node.op, to_string(static_shape(a)),
                     to_string(static_shape(b)));
}

[[noreturn]] void refuse_dims(const Node& node, const Dims& a, const Dims& b) {
  throw EvaluationError(not_broadcast(node, a, b));
}

// A dim counted from the last one; 1 before the first.
std::int64_t dim_from_back(const Dims& dims, std::size_t i) {
  return i < dims.size() ? dims[dims.size() - 1 - i] : 1;
}

template <class Context>
Dims second_dims(const Context& operands, const Dims& a, const Dims& b) {
  const auto* broadcast = operands.template attribute<std::int64_t>("broadcast");
  if (broadcast == nullptr || *broadcast == 0) {
    if (a != b) refuse_dims(operands.node, a, b);
    return b;
  }
  if (std::all_of(b.begin(), b.end(), [](std::int64_t dim) { return dim == 1; }) && b.size() <= a.size()) return {};
  if (b.size() > a.size()) refuse_dims(operands.node, a, b);
  const std::size_t room = a.size() - b.size();
  const auto* axis = operands.template attribute<std::int64_t>("axis");
  const auto first = axis == nullptr ? static_cast<std::int64_t>(room) : *axis;
  if (first < 0 || first > static_cast<std::int64_t>(room)) {
    refuse(operands.node, fmt::format("axis {} does not align {} within {}", first, to_string(static_shape(b)),
                                      to_string(static_shape(a))));
  }
  bool fits = true;
  for (std::size_t i = 0; i < b.size(); ++i) {
    const std::int64_t room_for = a[static_cast<std::size_t>(first) + i];
    if (b[i] != room_for && b[i] != 1) refuse_dims(operands.node, a, b);
    fits = fits && b[i] == room_for;
  }
  // The onnx package's own models have a 1 where the text asks for an equal dim. Sentence: operators-add-6-subset.
  if (!fits) throw NotInferred(not_broadcast(operands.node, a, b));
  Dims dims = b;
  dims.resize(a.size() - static_cast<std::size_t>(first), 1);
  return dims;
}

}  // namespace

Dims broadcast_dims(const Node& node, const Dims& a, const Dims& b) {
  const std::size_t rank = std::max(a.size(), b.size());
  Dims dims(rank);
  for (std::size_t i = 0; i < rank; ++i) {
    const std::int64_t x = dim_from_back(a, i);
    const std::int64_t y = dim_from_back(b, i);
    std::int64_t& dim = dims[rank - 1 - i];
    const bool fit = x == y || x == 1 || y == 1 || x < 0 || y < 0;
    if (!fit) refuse_dims(node, a, b);
    // A 1 broadcasts to the other dim; an unknown dim is either 1 or the known one.
    dim = x == 1 || (x < 0 && y != 1) ? y : x;
  }
  return dims;
}

Dims legacy_second_dims(const Operands& operands, const Dims& a, const Dims& b) {
  return second_dims(operands, a, b);
}

Dims legacy_second_dims(const OperandTypes& operands, const Dims& a, const Dims& b) {
  return second_dims(operands, a, b);
}

BroadcastIndex::BroadcastIndex(const Dims& operand, const Dims& result) {
  const std::uint64_t count = element_count(operand);
  if (count == element_count(result)) {
    step_ = 1;
    return;
  }
  if (count == 1) return;
  std::uint64_t step = 1;
  for (std::size_t i = 0; i < result.size(); ++i) {
    const std::int64_t dim = dim_from_back(operand, i);
    const std::int64_t size = dim_from_back(result, i);
    if (size != 1) axes_.push_back({size, dim == 1 ? 0 : step, 0});  // a walk stays where an axis has one element
    step *= static_cast<std::uint64_t>(dim);
  }
}

void BroadcastIndex::advance() {
  for (Axis& axis : axes_) {
    index_ += axis.step;
    if (++axis.at < axis.size) return;
    index_ -= axis.step * static_cast<std::uint64_t>(axis.size);
    axis.at = 0;
  }
}

}  // namespace ifcert::kernels
