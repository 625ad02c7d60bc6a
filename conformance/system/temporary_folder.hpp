// A temporary folder that removes itself.
#pragma once

#include <filesystem>

#include "reference/files/descriptor.hpp"

namespace ifcert::conformance {

/// The folder that TMPDIR, TMP, TEMP or TEMPDIR names for temporary files, otherwise /tmp. Throws Error, naming the
/// variable, where it is no folder in which files can be made.
std::filesystem::path folder_for_temporary_files();

class TemporaryFolder {
 public:
  /// Creates an empty folder that only this user can read, in `parent`. The first time in each parent, it removes what
  /// killed processes have left there (abandoned_folders.hpp). Throws Error.
  explicit TemporaryFolder(const std::filesystem::path& parent = folder_for_temporary_files());
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  /// Removes the folder with its contents, except for mounted files. Ignores what cannot be removed.
  ~TemporaryFolder();

  const std::filesystem::path& path() const { return path_; }

  /// The number of the descriptor that holds its lock. A process that inherits it keeps the folder from being taken
  /// for an abandoned one.
  int lock() const { return lock_.number(); }

 private:
  std::filesystem::path path_;
  files::Descriptor lock_;
};

}  // namespace ifcert::conformance
