#include "reference/files/input.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>

#include "reference/files/descriptor.hpp"
#include "reference/files/error.hpp"

namespace ifcert::files {
namespace {

/// What a path leads to that is not a plain file.
std::string_view kind_of(mode_t mode) {
  switch (mode & S_IFMT) {
    case S_IFDIR:
      return "a folder";
    case S_IFIFO:
      return "a pipe";
    case S_IFSOCK:
      return "a socket";
    default:
      return "a device";
  }
}

/// `flags` are further ones of open(2).
std::string read_what_is(const std::filesystem::path& path, int flags, bool pipe_is_allowed) {
  const auto refuse = [&path](std::string_view why) {
    throw Error(fmt::format("cannot read {}: {}", path.string(), why));
  };
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_NOCTTY | O_CLOEXEC | flags));
  if (!file.is_open()) refuse(std::strerror(errno));
  struct stat status {};
  if (::fstat(file.number(), &status) != 0) refuse(std::strerror(errno));
  if (!S_ISREG(status.st_mode) && !(pipe_is_allowed && S_ISFIFO(status.st_mode)))
    refuse(fmt::format("it is {}, not a plain file", kind_of(status.st_mode)));
  std::string bytes;
  std::size_t length = 0;
  std::size_t piece = static_cast<std::size_t>(status.st_size) + 1;  // the size may be that of a file of /proc: 0
  while (true) {
    bytes.resize(length + piece);
    const ssize_t count = ::read(file.number(), bytes.data() + length, piece);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) refuse(std::strerror(errno));
    if (count == 0) break;
    length += static_cast<std::size_t>(count);
    piece = std::size_t{1} << 16U;
  }
  bytes.resize(length);
  return bytes;
}

}  // namespace

std::string read_plain_file(const std::filesystem::path& path) {
  return read_what_is(path, O_NONBLOCK, false);  // to open a pipe would be to wait for somebody who writes
}

std::string read_plain_file_or_pipe(const std::filesystem::path& path) {
  return read_what_is(path, 0, true);
}

std::string read_standard_input(std::size_t limit) {
  std::string bytes;
  std::array<char, 1 << 16> piece;  // NOLINT(cppcoreguidelines-pro-type-member-init): written before it is read
  while (true) {
    const ssize_t count = ::read(STDIN_FILENO, piece.data(), piece.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw Error(fmt::format("cannot read standard input: {}", std::strerror(errno)));
    if (count == 0) return bytes;
    bytes.append(piece.data(), static_cast<std::size_t>(count));
    if (bytes.size() > limit)
      throw Error(fmt::format("standard input is larger than {} GiB; pass the file name instead", limit >> 30U));
  }
}

}  // namespace ifcert::files
