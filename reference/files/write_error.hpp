// A file that cannot be written.
#pragma once

#include <filesystem>
#include <string>

#include "reference/files/error.hpp"

namespace ifcert::files {

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
