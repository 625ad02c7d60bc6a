// Shapes as TensorFlow Lite's operators take them: lists of 32-bit integers, put together from what is known and from
// the shape that a run gives.
#pragma once

#include <variant>

#include "translate/onnx_list.hpp"

namespace ifcert::translation {

/// Numbers as a constant. Refuses those that do not fit.
Slot int32_constant(Site& site, const Integers& numbers);

/// A list of ONNX's as int32.
Slot int32_list(Site& site, const List& list);

/// The shape of a value, as int32.
Slot shape_of(Site& site, Slot slot, std::optional<std::size_t> rank);

/// Dims of operand 0 from `begin` on; all up to the last where `size` is -1.
struct Dims0 {
  std::int64_t begin;
  std::int64_t size;
};

/// A shape in pieces, some of which only a run knows.
Slot joined_shape(Site& site, const std::vector<std::variant<Integers, Dims0>>& pieces);

}  // namespace ifcert::translation
