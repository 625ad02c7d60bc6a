// The one exception of this layer.
#pragma once

#include <stdexcept>

namespace ifcert::conformance {

/// Why the runner cannot go on: a file that is not what it must be, an adapter that is not there, a selector that
/// matches nothing. The text is one sentence for a person; the commands print it and exit with code 2.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace ifcert::conformance
