// The bytes of files, copied into memory: later changes to a file have no effect. Files are not mapped, so that
// truncating one cannot crash the process.
#pragma once

#include <sys/stat.h>

#include <cstddef>
#include <filesystem>
#include <ifcert/values.hpp>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

namespace ifcert {

/// Returns the contents of a regular file. Throws std::system_error with the path where it cannot be opened or read, or
/// is not a regular file (std::errc::invalid_argument), and UnreadableModel where it changes while it is read.
Buffer read_whole(const std::filesystem::path& path);

/// An open file that can tell whether it has changed since it was opened.
class OpenFile {
 public:
  explicit OpenFile(const std::filesystem::path& path);
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  ~OpenFile() { close(); }

  std::size_t size() const { return static_cast<std::size_t>(opened_.st_size); }
  const std::filesystem::path& path() const { return path_; }

  /// Whether the file has holes, which take no space on the disk and read as zeros.
  bool has_holes() const;

  /// Reads the bytes at `offset`. Holes are skipped: a file that has them is read into memory that holds zeros.
  void read(std::size_t offset, std::span<std::byte> into) const;

  /// Throws UnreadableModel where the file has changed since it was opened.
  void expect_unchanged() const;

  /// Whether the file was written so recently that another change might not show in its times.
  bool is_fresh() const;

  void close();

 private:
  std::filesystem::path path_;
  int descriptor_ = -1;
  struct stat opened_ {};
};

/// A file with the bytes of constants. A small one is read at once. Pieces of a large one are read when they are first
/// used, so that checking a model does not read all its weights; it stays open until all of it is read. Where too many
/// large files are open already, it is read at once too.
class WeightsFile : public std::enable_shared_from_this<WeightsFile> {
 public:
  /// Throws like read_whole().
  static std::shared_ptr<WeightsFile> open(const std::filesystem::path& path);
  WeightsFile(const WeightsFile&) = delete;
  WeightsFile& operator=(const WeightsFile&) = delete;
  ~WeightsFile();

  std::size_t size() const { return file_.size(); }
  const std::filesystem::path& path() const { return file_.path(); }

  /// Bytes inside the file. Using them throws UnreadableModel where the file has changed since it was opened, or can no
  /// longer be read.
  Buffer piece(std::size_t offset, std::size_t size);

 private:
  friend class Piece;
  explicit WeightsFile(const std::filesystem::path& path);
  void fetch(std::size_t offset, std::size_t size);
  void read_chunk(std::size_t chunk);
  void close();

  OpenFile file_;
  std::byte* memory_ = nullptr;  // as large as the file; unread parts are not accessible
  std::mutex reading_;
  std::vector<bool> read_;  // by chunk; no chunk is read twice
  std::size_t unread_ = 0;  // chunks
  bool is_held_ = false;    // counts among the large files that are held open
};

}  // namespace ifcert
