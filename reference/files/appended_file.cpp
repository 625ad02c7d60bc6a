#include "reference/files/appended_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>

#include "reference/files/error.hpp"

namespace ifcert::files {

AppendedFile::AppendedFile(const std::filesystem::path& path, std::string_view writer) : path_(path) {
  std::error_code ignored;  // open() will report it
  std::filesystem::create_directories(path.parent_path(), ignored);
  descriptor_ = Descriptor(::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0666));
  if (!descriptor_.is_open()) {
    const char* why = errno == ELOOP ? "it is a symbolic link" : std::strerror(errno);
    throw Error(fmt::format("cannot write {}: {}", path.string(), why));
  }
  if (::flock(descriptor_.number(), LOCK_EX | LOCK_NB) != 0)
    throw Error(fmt::format("another {} is writing {}", writer, path.string()));
}

void AppendedFile::truncate(std::size_t size) {
  if (::ftruncate(descriptor_.number(), static_cast<off_t>(size)) != 0) throw WriteError(path_, errno);
}

void AppendedFile::append(std::string_view line) {
  const ssize_t written = ::write(descriptor_.number(), line.data(), line.size());
  if (written != static_cast<ssize_t>(line.size())) throw WriteError(path_, written < 0 ? errno : ENOSPC);
}

}  // namespace ifcert::files
