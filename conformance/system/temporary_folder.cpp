#include "conformance/system/temporary_folder.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <set>
#include <string>
#include <utility>

#include "conformance/system/abandoned_folders.hpp"
#include "conformance/system/error.hpp"
#include "conformance/system/remove_folder.hpp"

namespace ifcert::conformance {

namespace fs = std::filesystem;

namespace {

void remove_abandoned_once(const fs::path& parent, const std::string& prefix) {
  static std::mutex mutex;
  static std::set<fs::path> done;
  const std::lock_guard lock(mutex);
  if (done.insert(parent).second) remove_abandoned(parent, prefix);
}

/// Why no files can be made in a folder; 0 where they can.
int fault_of(const fs::path& folder) {
  std::error_code fault;
  if (!fs::is_directory(folder, fault)) return fault ? fault.value() : ENOTDIR;
  return ::access(folder.c_str(), W_OK | X_OK) == 0 ? 0 : errno;
}

}  // namespace

fs::path folder_for_temporary_files() {
  for (const char* variable : {"TMPDIR", "TMP", "TEMP", "TEMPDIR"}) {
    const char* named = std::getenv(variable);
    if (named == nullptr) continue;
    const int fault = fault_of(named);
    if (fault == 0) return fs::absolute(named);
    throw Error(fmt::format("{} names {} for temporary files: {}", variable, *named == '\0' ? "no folder" : named,
                            std::strerror(fault)));
  }
  const fs::path usual = "/tmp";
  if (const int fault = fault_of(usual); fault != 0) {
    throw Error(fmt::format("{} is the folder for temporary files: {} (TMPDIR can name another)", usual.string(),
                            std::strerror(fault)));
  }
  return usual;
}

TemporaryFolder::TemporaryFolder(const fs::path& parent) {
  const std::string prefix = fmt::format("ifcert-{}-", boot_word());
  remove_abandoned_once(parent, prefix);
  while (!lock_.is_open()) {
    std::string name = (parent / (prefix + "XXXXXX")).string();
    if (::mkdtemp(name.data()) == nullptr)
      throw Error(fmt::format("cannot make a temporary folder {}: {}", name, std::strerror(errno)));
    path_ = name;
    if (auto held = hold(path_)) lock_ = std::move(*held);
  }
}

TemporaryFolder::~TemporaryFolder() {
  remove_tree(path_);
}

}  // namespace ifcert::conformance
