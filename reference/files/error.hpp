// The exceptions of the runner and of the writing of files.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>

namespace ifcert::files {

/// Why the runner cannot go on: a file that is not as it should be, a missing adapter, a selector that matches nothing.
/// The text is one sentence for people; the commands print it and exit with code 2.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A file that the operating system does not let us write.
class WriteError : public Error {
 public:
  WriteError(const std::filesystem::path& path, int reason, const std::string& more = "");
  const std::filesystem::path& path() const { return path_; }
  int reason() const { return reason_; }  // an errno

 private:
  std::filesystem::path path_;
  int reason_;
};

}  // namespace ifcert::files
