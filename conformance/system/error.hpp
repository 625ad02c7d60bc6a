// The exception of this layer: the same one that reference/files/ throws.
#pragma once

#include "reference/files/error.hpp"

namespace ifcert::conformance {

using files::Error;

}  // namespace ifcert::conformance
