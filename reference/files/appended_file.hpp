// A file to which lines are added, such as a journal: whoever is killed leaves all lines but the last whole.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string_view>

#include "reference/files/descriptor.hpp"

namespace ifcert::files {

class AppendedFile {
 public:
  /// Opens the file, or creates it, with the folders on the way to it, and locks it while this lives. It may not be a
  /// symbolic link. `writer` names what else may hold the lock: "run". Throws Error.
  AppendedFile(const std::filesystem::path& path, std::string_view writer);

  const std::filesystem::path& path() const { return path_; }

  /// Keeps the first bytes alone. Throws Error.
  void truncate(std::size_t size);

  /// Writes in one call, so that only the last line can be cut off. Throws Error.
  void append(std::string_view line);

 private:
  std::filesystem::path path_;
  Descriptor descriptor_;
};

}  // namespace ifcert::files
