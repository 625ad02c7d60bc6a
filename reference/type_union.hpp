// What two descriptions of types say together.
#pragma once

#include <ifcert/types.hpp>

namespace ifcert {

/// Could one value have both types? Unknown parts agree with everything; shapes are not looked at.
bool same_kind(const Type& a, const Type& b);

/// The type that says what both say: of shapes, the dims in which they agree.
Type union_of(const Type& a, const Type& b);

/// Of two descriptions of one value, the one that says more; dims known to the first are kept.
Type refine(Type type, const Type& other);

Type without_shape(Type type);

}  // namespace ifcert
