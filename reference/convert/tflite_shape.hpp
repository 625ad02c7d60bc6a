// Shapes as operands of TensorFlow Lite's operators: lists of 32-bit integers, of known dims and dims that only a run
// computes.
#pragma once

#include <variant>

#include "convert/onnx_list.hpp"

namespace ifcert::translation {

/// Numbers as a constant. Refuses numbers that do not fit 32 bits.
Slot int32_constant(TranslationSite& site, const Integers& numbers);

/// A list of ONNX as int32.
Slot int32_list(TranslationSite& site, const List& list);

/// The shape of a value, as int32.
Slot shape_of(TranslationSite& site, Slot slot, std::optional<std::size_t> rank);

/// `size` dims of operand 0, starting at `begin`; all that follow where `size` is -1.
struct Dims0 {
  std::int64_t begin;
  std::int64_t size;
};

/// A shape in parts, some of which only a run computes.
Slot joined_shape(TranslationSite& site, const std::vector<std::variant<Integers, Dims0>>& pieces);

}  // namespace ifcert::translation
