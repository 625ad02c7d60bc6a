// A file's bytes, mapped (a small one is read): they cost nothing until they are looked at, and stay as long as
// somebody holds the owner.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>

namespace ifcert {

struct MappedFile {
  std::shared_ptr<const void> owner;
  std::span<const std::byte> bytes;
};

/// Maps a regular file. Throws std::system_error with the path where it cannot be opened or is no regular file.
MappedFile map_file(const std::filesystem::path& path);

}  // namespace ifcert
