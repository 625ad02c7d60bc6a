#include "files/file_bytes.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <ifcert/diagnostic.hpp>
#include <mutex>
#include <system_error>
#include <utility>

#include "model/unfilled.hpp"

namespace ifcert {
namespace {

/// Files up to this size are read at once.
constexpr std::size_t small_file = std::size_t{1} << 20;

/// The number of large files that the process holds open; further ones are read at once.
constexpr int most_held = 64;
std::atomic<int> held = 0;

/// An alignment sufficient for every element type.
constexpr std::size_t alignment = 16;

/// The granularity of a file system's clock.
constexpr std::chrono::milliseconds clock_step{20};

[[noreturn]] void fail(const std::filesystem::path& path, int error) {
  throw std::system_error(error, std::generic_category(), path.string());
}

[[noreturn]] void refuse_changed(const std::filesystem::path& path) {
  throw UnreadableModel({"", path.string(), "the file has changed since it was opened",
                         "a file that does not change until it has been read"});
}

bool same_time(const timespec& a, const timespec& b) {
  return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

/// A file that is counted among those that the process holds open.
struct HeldFile : OpenFile {
  explicit HeldFile(const std::filesystem::path& path) : OpenFile(path) { ++held; }
  HeldFile(const HeldFile&) = delete;
  HeldFile& operator=(const HeldFile&) = delete;
  ~HeldFile() { --held; }
};

/// A piece of a large file, which is read when it is first used.
class Piece : public DeferredBytes {
 public:
  Piece(std::shared_ptr<const OpenFile> file, ByteRange range) : file_(std::move(file)), range_(range) {}

 private:
  const std::byte* fetch() const override {
    const std::scoped_lock alone(reading_);
    if (file_ != nullptr) read();
    return bytes_.bytes().data();
  }

  void read() const {
    try {
      bytes_ = file_->read(range_);
    } catch (const std::system_error& error) {
      throw UnreadableModel({"", file_->path().string(), error.code().message(), "a readable file"});
    }
    file_ = nullptr;
  }

  mutable std::mutex reading_;
  mutable std::shared_ptr<const OpenFile> file_;  // until the bytes are read
  mutable Buffer bytes_;
  ByteRange range_;
};

}  // namespace

OpenFile::OpenFile(const std::filesystem::path& path)
    : path_(std::filesystem::absolute(path)),
      descriptor_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)) {
  if (!descriptor_.is_open()) fail(path, errno);
  if (::fstat(descriptor_.number(), &opened_) != 0) fail(path, errno);
  if (S_ISDIR(opened_.st_mode)) fail(path, EISDIR);
  if (!S_ISREG(opened_.st_mode)) fail(path, EINVAL);
}

bool OpenFile::has_holes() const {
  constexpr std::size_t block = 512;
  return static_cast<std::size_t>(opened_.st_blocks) * block < size();
}

/// The first bytes of the range that are not in a hole; an empty range at its end where all are.
ByteRange OpenFile::next_data(ByteRange range) const {
  if (!has_holes()) return range;
  const off_t data = ::lseek(descriptor_.number(), static_cast<off_t>(range.first), SEEK_DATA);
  if (data < 0) return errno == ENXIO ? ByteRange{range.last, range.last} : range;
  const off_t hole = ::lseek(descriptor_.number(), data, SEEK_HOLE);
  const std::size_t end = hole < 0 ? range.last : static_cast<std::size_t>(hole);
  return {std::min(range.last, static_cast<std::size_t>(data)), std::min(range.last, end)};
}

Buffer OpenFile::read(ByteRange range) const {
  std::byte* to = nullptr;
  Buffer buffer = has_holes() ? Buffer::allocate(range.size(), &to) : unfilled_buffer(range.size(), &to);
  for (std::size_t at = range.first; at < range.last;) {
    const ByteRange data = next_data({at, range.last});
    for (at = data.first; at < data.last;) {
      const ssize_t count =
          ::pread(descriptor_.number(), to + (at - range.first), data.last - at, static_cast<off_t>(at));
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) fail(path_, errno);
      if (count == 0) refuse_changed(path_);
      at += static_cast<std::size_t>(count);
    }
  }
  expect_unchanged();
  return buffer;
}

/// Unlinking or renaming a file changes its change time (ctime) but not its bytes, so ctime counts only while the
/// number of links is the same. It shows changes after which somebody reset the time of modification.
void OpenFile::expect_unchanged() const {
  struct stat now {};
  if (::fstat(descriptor_.number(), &now) != 0) fail(path_, errno);
  const bool same = now.st_size == opened_.st_size && same_time(now.st_mtim, opened_.st_mtim) &&
                    (now.st_nlink != opened_.st_nlink || same_time(now.st_ctim, opened_.st_ctim));
  if (!same) refuse_changed(path_);
}

bool OpenFile::is_fresh() const {
  const timespec& time = opened_.st_mtim;
  const auto written = std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
  return std::chrono::system_clock::now().time_since_epoch() - written < clock_step;
}

Buffer read_whole(const std::filesystem::path& path) {
  const OpenFile file(path);
  return file.read({0, file.size()});
}

WeightsFile::WeightsFile(const std::filesystem::path& path) {
  const auto file = std::make_shared<const HeldFile>(path);
  path_ = file->path();
  size_ = file->size();
  if (size_ > small_file && held <= most_held && !file->is_fresh()) {
    file_ = file;
    return;
  }
  whole_ = std::make_shared<const Buffer>(file->read({0, size_}));
  memory_ = size_;
}

Buffer WeightsFile::piece(ByteRange range) {
  const auto bytes = [&] { return whole_->bytes().subspan(range.first, range.size()); };
  if (whole_ != nullptr && range.first % alignment == 0) return {whole_, bytes()};
  const auto [piece, is_new] = pieces_.try_emplace(range);
  if (is_new) {
    memory_ += range.size();
    piece->second = whole_ != nullptr ? Buffer::copy_of(bytes())
                                      : Buffer(std::make_shared<const Piece>(file_, range), range.size());
  }
  return piece->second;
}

}  // namespace ifcert
