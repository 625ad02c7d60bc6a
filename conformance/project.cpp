#include "conformance/project.hpp"

#include <fmt/format.h>

#include <cstdlib>

#include "conformance/error.hpp"

namespace ifcert::conformance {

namespace fs = std::filesystem;

Project find_project() {
  const char* home = std::getenv("IFCERT_HOME");
  const bool named = home != nullptr && *home != '\0';
  const fs::path root = fs::absolute(named ? home : IFCERT_BUILT_FROM).lexically_normal();
  if (!fs::is_directory(root / "vectors") || !fs::is_directory(root / "conformance")) {
    throw Error(fmt::format("{} is no ifcert project: it has no vectors/ and conformance/ ({})", root.string(),
                            named ? "the environment variable IFCERT_HOME names it"
                                  : "this program was built from it; IFCERT_HOME can name another"));
  }
  std::error_code fault;
  const fs::path program = fs::read_symlink("/proc/self/exe", fault);
  return {root, fault ? fs::current_path() : program.parent_path()};
}

}  // namespace ifcert::conformance
