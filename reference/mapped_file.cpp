#include "mapped_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <vector>

namespace ifcert {
namespace {

[[noreturn]] void fail(const std::filesystem::path& path, int error) {
  throw std::system_error(error, std::generic_category(), path.string());
}

/// Closes the descriptor when the mapping is made or given up.
struct Descriptor {
  int number;
  explicit Descriptor(const std::filesystem::path& path)
      : number(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
    if (number < 0) fail(path, errno);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { ::close(number); }
};

/// A mapping costs two calls and a page fault, which only pays for larger files.
constexpr std::size_t smallest_mapped = std::size_t{64} << 10;

/// The first `size` bytes, or as many as there still are.
MappedFile read_whole(const Descriptor& file, std::size_t size, const std::filesystem::path& path) {
  const auto bytes = std::make_shared<std::vector<std::byte>>(size);
  std::size_t taken = 0;
  while (taken < size) {
    const ssize_t count = ::read(file.number, bytes->data() + taken, size - taken);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail(path, errno);
    if (count == 0) break;
    taken += static_cast<std::size_t>(count);
  }
  return {bytes, std::span<const std::byte>(*bytes).first(taken)};
}

}  // namespace

MappedFile map_file(const std::filesystem::path& path) {
  const Descriptor file(path);
  struct stat status {};
  if (::fstat(file.number, &status) != 0) fail(path, errno);
  if (S_ISDIR(status.st_mode)) fail(path, EISDIR);
  if (!S_ISREG(status.st_mode)) fail(path, EINVAL);
  const auto size = static_cast<std::size_t>(status.st_size);
  if (size == 0) return {};
  if (size < smallest_mapped) return read_whole(file, size, path);
  void* start = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.number, 0);
  if (start == MAP_FAILED) fail(path, errno);
  std::shared_ptr<const void> owner(start, [size](const void* mapped) { ::munmap(const_cast<void*>(mapped), size); });
  return {std::move(owner), {static_cast<const std::byte*>(start), size}};
}

}  // namespace ifcert
