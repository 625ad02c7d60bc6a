// Values at the edges of their types. They are moved and compared, never calculated with.
#pragma once

#include "conformance/fuzz/generator/maker.hpp"

namespace ifcert::generator {

/// One of them: zeros of both signs, infinities, NaN, the largest and the smallest normal numbers, 2^24 and 2^53 and
/// their neighbours. A subnormal number is none: a runtime that compares may take it for 0.
/// The element type is float32, int32 or int64.
Value edge_value(Maker& maker, ElementType element, const Dims& dims);

/// An edge value, compared with a constant: a bool of the same shape.
ScopedValue edge_comparison(Maker& maker, Scope& scope);

}  // namespace ifcert::generator
