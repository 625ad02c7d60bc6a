// Could two descriptions be of one value?
#pragma once

#include <ifcert/types.hpp>

namespace ifcert {

/// Unknown parts agree with everything; known kinds, element types, ranks and sizes agree with their like alone.
bool agree(const Type& a, const Type& b);

}  // namespace ifcert
