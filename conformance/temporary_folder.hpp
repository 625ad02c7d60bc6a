// A temporary folder that removes itself.
#pragma once

#include <filesystem>

namespace ifcert::conformance {

class TemporaryFolder {
 public:
  /// Creates an empty folder that only this user can read, in `parent`. Throws Error.
  explicit TemporaryFolder(const std::filesystem::path& parent = std::filesystem::temp_directory_path());
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  /// Removes the folder with its contents, except for mounted files. Ignores what cannot be removed.
  ~TemporaryFolder();

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace ifcert::conformance
