// The exception of the runner and of the writing of files.
#pragma once

#include <stdexcept>

namespace ifcert::files {

/// Why the runner cannot go on: a file that is not as it should be, a missing adapter, a selector that matches nothing.
/// The text is one sentence for people; the commands print it and exit with code 2.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace ifcert::files
