// Whether two types could be of one value.
#pragma once

#include <ifcert/types.hpp>

namespace ifcert {

/// Unknown parts agree with everything; known kinds, element types, ranks and sizes agree only with equal ones.
bool agree(const Type& a, const Type& b);

}  // namespace ifcert
