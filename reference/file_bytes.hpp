// The bytes of files, in memory of our own: what becomes of a file afterwards changes nothing. No file is mapped, so
// none that is cut short can end the process.
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

/// All of a regular file. Throws std::system_error with the path where it cannot be opened or read, or is not a regular
/// file (std::errc::invalid_argument), and UnreadableModel where it changes meanwhile.
Buffer read_whole(const std::filesystem::path& path);

/// An open file, and how to tell that it has changed since it was opened.
class OpenFile {
 public:
  explicit OpenFile(const std::filesystem::path& path);
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  ~OpenFile() { close(); }

  std::size_t size() const { return static_cast<std::size_t>(opened_.st_size); }
  const std::filesystem::path& path() const { return path_; }

  /// Whether bytes of it are nowhere on the disk, and read as zeros.
  bool has_holes() const;

  /// Reads the bytes at `offset`. Holes are passed over: a file that has them is read into a place that holds zeros.
  void read(std::size_t offset, std::span<std::byte> into) const;

  /// Throws UnreadableModel where the file is not what it was when it was opened.
  void expect_unchanged() const;

  /// Whether the file was written so lately that another change might leave its times as they are.
  bool is_fresh() const;

  void close();

 private:
  std::filesystem::path path_;
  int descriptor_ = -1;
  struct stat opened_ {};
};

/// A file that constants take their bytes from. A small one is read at once, of a large one the piece that is looked
/// at, when it is looked at, so that a check of a model need not read all its weights. A large file stays open until
/// all of it is read, unless too many are.
class WeightsFile : public std::enable_shared_from_this<WeightsFile> {
 public:
  /// Throws as read_whole() does.
  static std::shared_ptr<WeightsFile> open(const std::filesystem::path& path);
  WeightsFile(const WeightsFile&) = delete;
  WeightsFile& operator=(const WeightsFile&) = delete;
  ~WeightsFile();

  std::size_t size() const { return file_.size(); }
  const std::filesystem::path& path() const { return file_.path(); }

  /// Bytes inside the file; looking at them throws UnreadableModel where the file has changed since it was opened, or
  /// can no longer be read.
  Buffer piece(std::size_t offset, std::size_t size);

 private:
  friend class Piece;
  explicit WeightsFile(const std::filesystem::path& path);
  void fetch(std::size_t offset, std::size_t size);
  void read_chunk(std::size_t chunk);
  void close();

  OpenFile file_;
  std::byte* memory_ = nullptr;  // as large as the file; what is not read is not accessible
  std::mutex reading_;
  std::vector<bool> read_;  // by chunk; what was read is never read again
  std::size_t unread_ = 0;  // chunks
  bool is_held_ = false;    // among the large files that are held open
};

}  // namespace ifcert
