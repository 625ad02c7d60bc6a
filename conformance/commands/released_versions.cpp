#include "conformance/commands/released_versions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <cstdio>

#include "conformance/runtimes/environment.hpp"
#include "conformance/runtimes/read_adapter.hpp"
#include "conformance/system/command.hpp"
#include "conformance/system/error.hpp"

namespace ifcert::conformance {

namespace {

/// As pip lists them for the adapter's own Python. Throws Error where no Python package has the pinned version.
std::vector<std::string> versions_by_pip(const Project& project, const Adapter& pinned) {
  const std::string runtime = requirements_of(pinned.requirements, pinned.version, "0", {}).front();
  install(project, pinned);
  const std::string python = (project.environment(pinned.environment) / "bin" / "python").string();
  const std::string package = runtime.substr(0, runtime.find_first_of("[="));
  return versions_listed(
      output_of({python, "-m", "pip", "--disable-pip-version-check", "--no-input", "index", "versions", package}));
}

/// As system() of C does: Ctrl-C reaches the certification as well, which ends in order, and this process waits for it.
int exit_code_through_interrupts(const std::vector<std::string>& command) {
  const auto before = std::signal(SIGINT, [](int /*signal*/) {});
  if (before == SIG_IGN) std::signal(SIGINT, SIG_IGN);
  const int code = exit_code_of(command);
  std::signal(SIGINT, before);
  return code;
}

}  // namespace

std::vector<std::string> released_versions(const Project& project, const std::string& adapter,
                                           const VersionRange& range) {
  const Adapter pinned = read_adapter(project, adapter);
  if (is_installed_by_pip(pinned)) return versions_in(versions_by_pip(project, pinned), range);
  try {
    return versions_in(released_versions(pinned.steps.front(), pinned.version), range);
  } catch (const Error& fault) {
    throw Error(fmt::format("{}: {}", pinned.name, fault.what()));
  }
}

bool certify_version(const Project& project, const std::string& adapter, const std::string& version,
                     const std::filesystem::path& out, const std::vector<std::string>& options) {
  const std::string name = adapter + "@" + version;
  fmt::print("== {}\n", name);
  std::fflush(stdout);
  std::vector<std::string> command{
      project.program().string(), "certify", name, "--strict", "--resume", "--out", out.string()};
  command.insert(command.end(), options.begin(), options.end());
  const int code = exit_code_through_interrupts(command);
  if (code > 128 || std::filesystem::exists(out / "results.jsonl.part"))
    throw Error(fmt::format("the certification of {} was interrupted; the same command continues", name));
  return code <= 1;
}

}  // namespace ifcert::conformance
