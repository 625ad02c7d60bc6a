#include "conformance/system/project.hpp"

#include <fmt/format.h>

#include <cstdlib>

#include "conformance/system/error.hpp"
#include "conformance/system/program_path.hpp"

namespace ifcert::conformance {

namespace fs = std::filesystem;

namespace {

/// Where the project is, and how that was determined.
struct ProjectLocation {
  fs::path root;
  const char* source;
};

std::string setting(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

/// The order of precedence: what was installed beside the program, the checkout whose build/PRESET/bin contains the
/// program (which may be a copy), the folder that it was built from.
ProjectLocation location(const fs::path& executables) {
  if (const std::string home = setting("IFCERT_HOME"); !home.empty())
    return {home, "the environment variable IFCERT_HOME names it"};
  const fs::path installed = executables.parent_path() / "share" / "ifcert";
  if (is_project(installed)) return {installed, ""};
  const fs::path checkout = executables.parent_path().parent_path().parent_path();
  if (is_project(checkout)) return {checkout, ""};
  return {IFCERT_BUILT_FROM, "this program was built from it; IFCERT_HOME can name another"};
}

/// A checkout keeps them in itself; an installed project may be in a folder that nobody can write.
fs::path environments_of(const fs::path& root, const fs::path& executables) {
  if (const std::string named = setting("IFCERT_ADAPTERS"); !named.empty()) return fs::absolute(named);
  if (root != executables.parent_path() / "share" / "ifcert") return root / ".adapters";
  const std::string data = setting("XDG_DATA_HOME");
  return (data.empty() ? fs::path(setting("HOME")) / ".local" / "share" : fs::path(data)) / "ifcert" / "adapters";
}

}  // namespace

bool is_project(const fs::path& root) {
  std::error_code missing;
  return fs::is_directory(root / "vectors", missing) && fs::is_directory(root / "conformance", missing);
}

Project find_project() {
  const fs::path executables = program_path().parent_path();
  const auto [named, source] = location(executables);
  const fs::path root = fs::absolute(named).lexically_normal();
  if (!is_project(root)) {
    throw Error(
        fmt::format("{} is not an ifcert project: it has no vectors/ and conformance/ ({})", root.string(), source));
  }
  return {root, executables, environments_of(root, executables)};
}

}  // namespace ifcert::conformance
