#include "conformance/system/unfinished_folder.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <stdlib.h>  // NOLINT(modernize-deprecated-headers): mkdtemp is POSIX

#include <cerrno>
#include <string>
#include <system_error>

#include "conformance/system/abandoned_folders.hpp"
#include "reference/files/output.hpp"

namespace ifcert::conformance {

namespace fs = std::filesystem;

namespace {

/// Absolute, and without a slash at its end.
fs::path named(const fs::path& folder) {
  const fs::path whole = fs::absolute(folder).lexically_normal();
  return whole.has_filename() ? whole : whole.parent_path();
}

}  // namespace

UnfinishedFolder::UnfinishedFolder(const fs::path& folder) : final_(named(folder)) {
  fs::create_directories(final_.parent_path());
  const std::string prefix = fmt::format("{}.{}-", final_.filename().string(), boot_word());
  remove_abandoned(final_.parent_path(), prefix);
  while (!lock_) {
    std::string name = (final_.parent_path() / (prefix + "XXXXXX")).string();
    if (::mkdtemp(name.data()) == nullptr) throw files::WriteError(final_, errno);
    path_ = name;
    lock_ = hold(path_);
  }
  fs::permissions(path_, fs::perms(0755));
}

UnfinishedFolder::~UnfinishedFolder() {
  std::error_code ignored;
  if (!path_.empty()) fs::remove_all(path_, ignored);
}

void UnfinishedFolder::share() {
  ::fcntl(lock_->number(), F_SETFD, 0);
}

void UnfinishedFolder::finish() {
  fs::rename(path_, final_);
  path_.clear();
}

}  // namespace ifcert::conformance
