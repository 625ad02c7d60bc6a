#include "files/file_bytes.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <ifcert/diagnostic.hpp>
#include <new>
#include <system_error>
#include <utility>

#include "model/unfilled.hpp"

namespace ifcert {
namespace {

constexpr std::size_t chunk_size = std::size_t{1} << 20;

/// Files up to this size are read at once.
constexpr std::size_t small_file = chunk_size;

/// The number of large files that the process holds open; further ones are read at once.
constexpr int most_held = 64;
std::atomic<int> held = 0;

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

/// A piece of a file that holds data: [first, last).
struct Extent {
  std::size_t first, last;
};

/// The first piece of [from, end) that holds data; empty where there is none.
Extent next_data(int file, std::size_t from, std::size_t end) {
  const off_t data = ::lseek(file, static_cast<off_t>(from), SEEK_DATA);
  if (data < 0) return errno == ENXIO ? Extent{end, end} : Extent{from, end};
  const std::size_t first = std::min(end, static_cast<std::size_t>(data));
  const off_t hole = ::lseek(file, data, SEEK_HOLE);
  return {first, hole < 0 ? end : std::min(end, static_cast<std::size_t>(hole))};
}

}  // namespace

OpenFile::OpenFile(const std::filesystem::path& path)
    : path_(std::filesystem::absolute(path)),
      descriptor_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)) {
  if (descriptor_ < 0) fail(path, errno);
  int error = ::fstat(descriptor_, &opened_) == 0 ? 0 : errno;
  if (error == 0 && S_ISDIR(opened_.st_mode)) error = EISDIR;
  if (error == 0 && !S_ISREG(opened_.st_mode)) error = EINVAL;
  if (error == 0) return;
  close();
  fail(path, error);
}

void OpenFile::close() {
  if (descriptor_ >= 0) ::close(std::exchange(descriptor_, -1));
}

bool OpenFile::has_holes() const {
  constexpr std::size_t block = 512;
  return static_cast<std::size_t>(opened_.st_blocks) * block < size();
}

void OpenFile::read(std::size_t offset, std::span<std::byte> into) const {
  const std::size_t end = offset + into.size();
  for (std::size_t at = offset; at < end;) {
    const Extent extent = has_holes() ? next_data(descriptor_, at, end) : Extent{at, end};
    for (at = extent.first; at < extent.last;) {
      const ssize_t count = ::pread(descriptor_, into.data() + (at - offset), extent.last - at, static_cast<off_t>(at));
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) fail(path_, errno);
      if (count == 0) refuse_changed(path_);
      at += static_cast<std::size_t>(count);
    }
  }
}

/// Unlinking or renaming a file changes its change time (ctime) but not its bytes, so ctime counts only while the
/// number of links is the same. It shows changes after which somebody reset the time of modification.
void OpenFile::expect_unchanged() const {
  struct stat now {};
  if (::fstat(descriptor_, &now) != 0) fail(path_, errno);
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
  std::byte* bytes = nullptr;
  Buffer whole = file.has_holes() ? Buffer::allocate(file.size(), &bytes) : unfilled_buffer(file.size(), &bytes);
  file.read(0, {bytes, file.size()});
  file.expect_unchanged();
  return whole;
}

/// A piece of a large file, which is read when it is first used.
class Piece : public DeferredBytes {
 public:
  Piece(std::shared_ptr<WeightsFile> file, std::size_t offset, std::size_t size)
      : file_(std::move(file)), offset_(offset), size_(size) {}

 private:
  const std::byte* fetch() const override {
    file_->fetch(offset_, size_);
    return file_->memory_ + offset_;
  }

  std::shared_ptr<WeightsFile> file_;
  std::size_t offset_, size_;
};

WeightsFile::WeightsFile(const std::filesystem::path& path)
    : file_(path), read_((file_.size() + chunk_size - 1) / chunk_size), unread_(read_.size()) {
  if (unread_ == 0) return;
  // This reserves address space only; memory is used as chunks are read.
  void* start = ::mmap(nullptr, size(), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (start == MAP_FAILED) throw std::bad_alloc();
  memory_ = static_cast<std::byte*>(start);
  is_held_ = true;
  ++held;
}

std::shared_ptr<WeightsFile> WeightsFile::open(const std::filesystem::path& path) {
  const std::shared_ptr<WeightsFile> file(new WeightsFile(path));
  if (file->size() <= small_file || held > most_held || file->file_.is_fresh()) file->fetch(0, file->size());
  return file;
}

WeightsFile::~WeightsFile() {
  close();
  if (memory_ != nullptr) ::munmap(memory_, size());
}

Buffer WeightsFile::piece(std::size_t offset, std::size_t size) {
  const std::scoped_lock alone(reading_);
  if (unread_ == 0) return {std::shared_ptr<const void>(shared_from_this()), {memory_ + offset, size}};
  return {std::shared_ptr<const DeferredBytes>(std::make_shared<Piece>(shared_from_this(), offset, size)), size};
}

void WeightsFile::fetch(std::size_t offset, std::size_t size) {
  if (size == 0) return;
  const std::size_t first = offset / chunk_size;
  const std::size_t last = (offset + size - 1) / chunk_size;
  const std::size_t start = first * chunk_size;
  const std::scoped_lock alone(reading_);
  if (unread_ == 0) return;
  if (::mprotect(memory_ + start, std::min(file_.size(), (last + 1) * chunk_size) - start, PROT_READ | PROT_WRITE) != 0)
    throw std::bad_alloc();
  try {
    for (std::size_t chunk = first; chunk <= last; ++chunk) {
      if (!read_[chunk]) read_chunk(chunk);
    }
  } catch (const std::system_error& error) {
    throw UnreadableModel({"", path().string(), error.code().message(), "a readable file"});
  }
  if (unread_ == 0) close();
}

void WeightsFile::read_chunk(std::size_t chunk) {
  const std::size_t first = chunk * chunk_size;
  const std::span<std::byte> bytes(memory_ + first, std::min(chunk_size, size() - first));
  file_.read(first, bytes);
  file_.expect_unchanged();
  read_[chunk] = true;
  --unread_;
}

void WeightsFile::close() {
  if (std::exchange(is_held_, false)) --held;
  file_.close();
}

}  // namespace ifcert
