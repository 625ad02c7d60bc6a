#include "conformance/system/abandoned_folders.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <system_error>
#include <vector>

#include "conformance/system/error.hpp"
#include "conformance/system/remove_folder.hpp"

namespace ifcert::conformance {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t word_length = 8;

/// Beyond the numbers that a new process uses for its streams and pipes, so that it can inherit the descriptor as it
/// is.
constexpr int first_free_number = 16;

files::Descriptor opened(const fs::path& folder) {
  const files::Descriptor found(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  return files::Descriptor(found.is_open() ? ::fcntl(found.number(), F_DUPFD_CLOEXEC, first_free_number) : -1);
}

bool is_own(const files::Descriptor& folder) {
  struct stat status {};
  return ::fstat(folder.number(), &status) == 0 && status.st_uid == ::geteuid();
}

/// Whether the path still leads to the folder that was opened.
bool leads_to(const fs::path& path, const files::Descriptor& folder) {
  struct stat there {};
  struct stat here {};
  return ::lstat(path.c_str(), &there) == 0 && ::fstat(folder.number(), &here) == 0 && there.st_dev == here.st_dev &&
         there.st_ino == here.st_ino;
}

}  // namespace

const std::string& boot_word() {
  static const std::string word = [] {
    std::ifstream file("/proc/sys/kernel/random/boot_id");
    std::string id;
    file >> id;
    return id.substr(0, word_length);
  }();
  return word;
}

std::optional<files::Descriptor> hold(const fs::path& folder) {
  files::Descriptor held = opened(folder);
  if (!held.is_open() && errno == ENOENT) return std::nullopt;
  if (!held.is_open()) throw Error(fmt::format("cannot open {}: {}", folder.string(), std::strerror(errno)));
  if (::flock(held.number(), LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK) return std::nullopt;
  if (!leads_to(folder, held)) return std::nullopt;
  return held;
}

void remove_abandoned(const fs::path& parent, std::string_view prefix, std::string_view suffix) {
  if (boot_word().empty()) return;
  std::error_code ignored;
  std::vector<fs::path> found;
  for (fs::directory_iterator at(parent, ignored), end; !ignored && at != end; at.increment(ignored)) {
    const std::string name = at->path().filename().string();
    if (name.starts_with(prefix) && name.ends_with(suffix)) found.push_back(at->path());
  }
  for (const fs::path& folder : found) {
    const files::Descriptor held = opened(folder);
    if (held.is_open() && is_own(held) && ::flock(held.number(), LOCK_EX | LOCK_NB) == 0) remove_tree(folder);
  }
}

}  // namespace ifcert::conformance
