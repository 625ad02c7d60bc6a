// Combining two types.
#pragma once

#include <ifcert/types.hpp>

namespace ifcert {

/// Could one value have both types? Unknown parts agree with everything; shapes are ignored.
bool agree_except_shape(const Type& a, const Type& b);

/// The type of a value that has one of the two types: dims in which the shapes differ are unknown.
Type union_of(const Type& a, const Type& b);

/// Combines two types of one value; known parts of the first take precedence.
Type refine(Type type, const Type& other);

/// The type without its shape or, for a sequence or an optional, without those of its items.
Type without_shapes(Type type);

}  // namespace ifcert
