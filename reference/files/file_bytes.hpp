// The bytes of files, copied into memory: later changes to a file have no effect. Files are not mapped, so that
// truncating one cannot crash the process.
#pragma once

#include <sys/stat.h>

#include <compare>
#include <cstddef>
#include <filesystem>
#include <ifcert/values.hpp>
#include <map>
#include <memory>

#include "files/descriptor.hpp"

namespace ifcert {

/// The bytes [first, last) of a file.
struct ByteRange {
  std::size_t first, last;

  std::size_t size() const { return last - first; }
  auto operator<=>(const ByteRange&) const = default;
};

/// Returns the contents of a regular file. Throws std::system_error with the path where it cannot be opened or read, or
/// is not a regular file (std::errc::invalid_argument), and UnreadableModel where it changes while it is read.
Buffer read_whole(const std::filesystem::path& path);

/// An open file that can tell whether it has changed since it was opened.
class OpenFile {
 public:
  explicit OpenFile(const std::filesystem::path& path);

  std::size_t size() const { return static_cast<std::size_t>(opened_.st_size); }
  const std::filesystem::path& path() const { return path_; }

  /// Reads bytes of the file. Holes, which read as zeros, take no memory. Throws like read_whole(), also where the file
  /// has changed since it was opened.
  Buffer read(ByteRange range) const;

  /// Whether the file was written so recently that another change might not show in its times.
  bool is_fresh() const;

 private:
  bool has_holes() const;
  ByteRange next_data(ByteRange range) const;
  void expect_unchanged() const;

  std::filesystem::path path_;
  files::Descriptor descriptor_;
  struct stat opened_ {};
};

/// A file with the bytes of constants. A small one is read at once. A piece of a large one is read when it is first
/// used, so that checking a model does not read all its weights; the file stays open until all pieces that somebody
/// holds are read. Where too many large files are open already, it is read at once too.
class WeightsFile {
 public:
  /// Throws like read_whole().
  explicit WeightsFile(const std::filesystem::path& path);

  std::size_t size() const { return size_; }
  const std::filesystem::path& path() const { return path_; }

  /// Bytes inside the file, aligned for every element type; equal ranges share them. Using them throws UnreadableModel
  /// where the file has changed since it was opened, or can no longer be read.
  Buffer piece(ByteRange range);

  /// The memory that all its pieces need once they are read, in bytes.
  std::size_t memory() const { return memory_; }

 private:
  std::filesystem::path path_;
  std::size_t size_;
  std::shared_ptr<const Buffer> whole_;   // nullptr where the file is read in pieces
  std::shared_ptr<const OpenFile> file_;  // where it is
  std::map<ByteRange, Buffer> pieces_;    // those that do not lie in `whole_`
  std::size_t memory_ = 0;
};

}  // namespace ifcert
