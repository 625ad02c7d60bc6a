// The one exception of this layer. The writing of files, which Python shares, throws it too.
#pragma once

#include "files/error.hpp"

namespace ifcert::conformance {

using files::Error;

}  // namespace ifcert::conformance
