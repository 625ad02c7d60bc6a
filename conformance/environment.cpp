#include "conformance/environment.hpp"

#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "conformance/error.hpp"
#include "conformance/file.hpp"

namespace ifcert::conformance {
namespace {

namespace fs = std::filesystem;

/// Holds the requirements of a finished environment, one a line.
constexpr const char* stamp_name = "ifcert-requirements.txt";

std::string stamp_of(const Adapter& adapter) {
  return fmt::format("{}\n", fmt::join(adapter.requirements, "\n"));
}

/// Runs a command with this process's streams to its end. Throws Error unless it ends with exit code 0.
void run_to_end(std::vector<std::string> command) {
  std::vector<char*> arguments;
  arguments.reserve(command.size() + 1);
  for (std::string& part : command) arguments.push_back(part.data());
  arguments.push_back(nullptr);
  pid_t id = -1;
  if (const int fault = ::posix_spawnp(&id, arguments[0], nullptr, nullptr, arguments.data(), environ); fault != 0) {
    throw Error(fmt::format("cannot start {}: {}", command.front(), std::strerror(fault)));
  }
  int status = 0;
  while (::waitpid(id, &status, 0) < 0 && errno == EINTR) {
  }
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    throw Error(fmt::format("'{}' failed", fmt::join(command, " ")));
  }
}

}  // namespace

bool is_installed(const Project& project, const Adapter& adapter) {
  if (adapter.environment.empty()) return true;
  const fs::path stamp = project.environment(adapter.environment) / stamp_name;
  return fs::exists(stamp) && read_file(stamp) == stamp_of(adapter);
}

void require_installed(const Project& project, const Adapter& adapter) {
  if (is_installed(project, adapter)) return;
  throw Error(
      fmt::format("the adapter {0} is not installed, or not with the packages that its manifest pins: "
                  "`ifcert adapter install {0}` installs it",
                  adapter.called));
}

bool install(const Project& project, const Adapter& adapter) {
  if (is_installed(project, adapter)) return false;
  const fs::path folder = project.environment(adapter.environment);
  const fs::path fresh = fmt::format("{}.{}.tmp", folder.string(), ::getpid());
  try {
    fs::remove_all(fresh);
    fs::create_directories(folder.parent_path());
    run_to_end({"python3", "-m", "venv", fresh.string()});
    std::vector<std::string> pip{(fresh / "bin" / "python").string(),
                                 "-m",
                                 "pip",
                                 "--disable-pip-version-check",
                                 "--no-input",
                                 "install",
                                 "--quiet"};
    pip.insert(pip.end(), adapter.requirements.begin(), adapter.requirements.end());
    run_to_end(pip);
    replace_file(fresh / stamp_name, stamp_of(adapter));
    fs::remove_all(folder);
    fs::rename(fresh, folder);
  } catch (const std::exception& fault) {
    std::error_code ignored;
    fs::remove_all(fresh, ignored);
    throw Error(fmt::format("cannot install the adapter {}: {}", adapter.name, fault.what()));
  }
  return true;
}

}  // namespace ifcert::conformance
