#include "mapped_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

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

}  // namespace

MappedFile map_file(const std::filesystem::path& path) {
  const Descriptor file(path);
  struct stat status {};
  if (::fstat(file.number, &status) != 0) fail(path, errno);
  if (S_ISDIR(status.st_mode)) fail(path, EISDIR);
  if (!S_ISREG(status.st_mode)) fail(path, EINVAL);
  const auto size = static_cast<std::size_t>(status.st_size);
  if (size == 0) return {};
  void* start = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.number, 0);
  if (start == MAP_FAILED) fail(path, errno);
  std::shared_ptr<const void> owner(start, [size](const void* mapped) { ::munmap(const_cast<void*>(mapped), size); });
  return {std::move(owner), {static_cast<const std::byte*>(start), size}};
}

}  // namespace ifcert
