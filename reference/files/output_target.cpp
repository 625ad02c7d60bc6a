#include "reference/files/output_target.hpp"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "reference/files/descriptor.hpp"
#include "reference/files/error.hpp"

namespace ifcert::files {
namespace {

namespace fs = std::filesystem;

/// A link of the process's own, such as /proc/self/fd/1: its text is not a name of the file that it leads to.
bool leads_to_open_file(const fs::path& link) {
  const Descriptor itself(::open(link.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC));
  struct statfs system {};
  return itself.is_open() && ::fstatfs(itself.number(), &system) == 0 && system.f_type == PROC_SUPER_MAGIC;
}

}  // namespace

OutputTarget target_of(const fs::path& name) {
  constexpr int most_links = 40;  // as many as the system follows
  OutputTarget target{name, std::nullopt};
  struct stat found {};
  for (int links = 0;; ++links) {
    if (::lstat(target.path.c_str(), &found) != 0) {
      if (errno == ENOENT && target.path.has_filename()) return target;
      throw WriteError(name, errno);
    }
    if (!S_ISLNK(found.st_mode)) break;
    if (links == most_links) throw WriteError(name, ELOOP);
    target.is_open_already = leads_to_open_file(target.path);
    if (target.is_open_already && ::stat(target.path.c_str(), &found) != 0) throw WriteError(name, errno);
    if (target.is_open_already) break;
    std::error_code fault;
    target.path = target.path.parent_path() / fs::read_symlink(target.path, fault);
    if (fault) throw WriteError(name, fault.value());
  }
  if (S_ISDIR(found.st_mode)) throw WriteError(name, EISDIR);
  target.there = found;
  if (target.is_replaced() && ::faccessat(AT_FDCWD, target.path.c_str(), W_OK, AT_EACCESS) != 0)
    throw WriteError(name, errno);
  return target;
}

}  // namespace ifcert::files
