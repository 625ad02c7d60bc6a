// The exception of this layer: the same one that files/ throws.
#pragma once

#include "files/error.hpp"

namespace ifcert::conformance {

using files::Error;

}  // namespace ifcert::conformance
