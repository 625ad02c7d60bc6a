#include "conformance/runtimes/environment.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "conformance/runtimes/pinned_packages.hpp"
#include "conformance/runtimes/registry_client.hpp"
#include "conformance/system/command.hpp"
#include "conformance/system/digest.hpp"
#include "conformance/system/error.hpp"
#include "conformance/system/file.hpp"
#include "conformance/system/unfinished_folder.hpp"

namespace ifcert::conformance {
namespace {

namespace fs = std::filesystem;

/// The file that says what pip installed, with the digests that it saw.
constexpr const char* installed_packages = "ifcert-installed.txt";

/// A file that records from which sources a finished environment, or a finished build, was made.
struct Stamp {
  fs::path file;
  std::string content;

  bool is_current() const { return fs::exists(file) && read_file(file) == content; }
};

/// Contains the requirements, one per line, or the file that has their digests too.
Stamp stamp_of_packages(const fs::path& environment, const Adapter& adapter) {
  return {environment / "ifcert-requirements.txt",
          adapter.pins.empty() ? fmt::format("{}\n", fmt::join(adapter.requirements, "\n")) : read_file(adapter.pins)};
}

fs::path sdks(const Project& project) {
  return project.root / "bindings" / "adapters";
}

std::string digest_line(const fs::path& file, const std::string& name) {
  return fmt::format("{}  {}\n", sha256(read_file(file)), name);
}

/// Contains the digests of the files from which the steps install and build, one per line.
Stamp stamp_of_steps(const Project& project, const fs::path& environment, const Adapter& adapter) {
  std::string digests;
  for (const InstallStep& step : adapter.steps) {
    for (const fs::path& file : sources_of(step, sdks(project)))
      digests += digest_line(file, fmt::format("{} {}", step.tool, file.filename().string()));
  }
  return {environment / "ifcert-steps.txt", digests};
}

fs::path build_folder(const Project& project, const Adapter& adapter) {
  return project.environment(adapter.environment) / "build";
}

/// Contains the digests of the sources and of the SDK, one per line.
Stamp stamp_of_build(const Project& project, const Adapter& adapter) {
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(adapter.sources)) {
    const fs::path extension = entry.path().extension();
    if (extension == ".cpp" || extension == ".hpp" || entry.path().filename() == "CMakeLists.txt")
      files.push_back(entry.path());
  }
  std::ranges::sort(files);
  files.push_back(sdks(project) / "cpp" / "ifcert_adapter.hpp");
  std::string digests;
  for (const fs::path& file : files) digests += digest_line(file, file.string());
  return {build_folder(project, adapter) / "ifcert-sources.txt", digests};
}

bool has_packages(const Project& project, const Adapter& adapter) {
  const fs::path environment = project.environment(adapter.environment);
  return stamp_of_packages(environment, adapter).is_current() &&
         (adapter.steps.empty() || stamp_of_steps(project, environment, adapter).is_current());
}

bool is_built(const Project& project, const Adapter& adapter) {
  return adapter.sources.empty() || stamp_of_build(project, adapter).is_current();
}

void install_python(const fs::path& environment, const Adapter& adapter) {
  run_to_end({"python3", "-m", "venv", environment.string()});
  const fs::path report = environment / "pip-report.json";
  std::vector<std::string> pip{(environment / "bin" / "python").string(),
                               "-m",
                               "pip",
                               "--disable-pip-version-check",
                               "--no-input",
                               "install",
                               "--quiet",
                               "--report",
                               report.string()};
  if (adapter.pins.empty())
    pip.insert(pip.end(), adapter.requirements.begin(), adapter.requirements.end());
  else
    pip.insert(pip.end(), {"--require-hashes", "--only-binary", ":all:", "--requirement", adapter.pins.string()});
  run_client("pip", adapter.version, pip);
  replace_file(environment / installed_packages, packages_in_report(report));
  fs::remove(report);
}

/// Installs under a temporary name, then renames, so that an environment is complete or does not exist.
void install_packages(const Project& project, const Adapter& adapter) {
  const fs::path folder = project.environment(adapter.environment);
  for (const InstallStep& step : adapter.steps) require_toolchain(step);
  require_programs(adapter.programs);
  UnfinishedFolder unfinished(folder);
  unfinished.share();
  const fs::path& fresh = unfinished.path();
  if (!adapter.requirements.empty()) install_python(fresh, adapter);
  for (const InstallStep& step : adapter.steps) run_step(step, sdks(project), fresh);
  for (const Stamp& stamp : {stamp_of_packages(fresh, adapter), stamp_of_steps(project, fresh, adapter)})
    replace_file(stamp.file, stamp.content);
  fs::remove_all(folder);
  unfinished.finish();
}

/// Rebuilds everything: the stamp compares contents, but CMake only the times of files, and could miss a change.
void build(const Project& project, const Adapter& adapter) {
  const std::string folder = build_folder(project, adapter).string();
  const Stamp stamp = stamp_of_build(project, adapter);
  run_to_end({"cmake", "--log-level=WARNING", "-G", "Ninja", "-S", adapter.sources.string(), "-B", folder,
              "-DCMAKE_BUILD_TYPE=Release", "-DIFCERT=" + project.root.string(),
              "-DENVIRONMENT=" + project.environment(adapter.environment).string()});
  run_to_end({"cmake", "--build", folder, "--clean-first", "--", "--quiet"});
  replace_file(stamp.file, stamp.content);
}

/// Whether a file or folder differs between machines: it contains absolute paths, or was compiled here.
bool is_of_this_machine(const fs::path& environment, const fs::path& name) {
  const std::string last = name.filename().string();
  if (name == "bin") return fs::exists(environment / "pyvenv.cfg");
  return name == "build" || name == installed_packages || last == "__pycache__" || last == "RECORD" ||
         last == "pyvenv.cfg";
}

}  // namespace

bool is_installed(const Project& project, const Adapter& adapter) {
  return adapter.environment.empty() || (has_packages(project, adapter) && is_built(project, adapter));
}

std::string missing_toolchain(const Adapter& adapter) {
  try {
    if (!adapter.requirements.empty()) require_programs({{"python3", "Debian's packages python3 and python3-venv"}});
    for (const InstallStep& step : adapter.steps) require_toolchain(step);
    require_programs(adapter.programs);
    if (!adapter.sources.empty()) {
      require_programs({{"cmake", "Debian's package cmake"},
                        {"ninja", "Debian's package ninja-build"},
                        {"c++", "Debian's package g++"}});
    }
  } catch (const Error& fault) {
    return fault.what();
  }
  return "";
}

void require_installed(const Project& project, const Adapter& adapter) {
  if (is_installed(project, adapter)) return;
  throw Error(
      fmt::format("the adapter {0} is not installed, or its pinned packages or its sources have changed since: "
                  "`ifcert adapter install {0}` installs it",
                  adapter.requested_as));
}

std::string files_digest(const Project& project, const Adapter& adapter) {
  if (adapter.environment.empty()) return "";
  const fs::path environment = project.environment(adapter.environment);
  std::vector<std::string> names;
  for (fs::recursive_directory_iterator at(environment), end; at != end; ++at) {
    const fs::path name = at->path().lexically_relative(environment);
    if (is_of_this_machine(environment, name)) {
      at.disable_recursion_pending();
    } else if (at->is_regular_file()) {
      names.push_back(name.string());
    }
  }
  std::ranges::sort(names);
  std::string digests;
  for (const std::string& name : names) digests += digest_line(environment / name, name);
  return sha256(digests);
}

bool install(const Project& project, const Adapter& adapter) {
  if (is_installed(project, adapter)) return false;
  try {
    if (!has_packages(project, adapter)) install_packages(project, adapter);
    if (!is_built(project, adapter)) build(project, adapter);
  } catch (const std::exception& fault) {
    throw Error(fmt::format("cannot install the adapter {}: {}", adapter.name, fault.what()));
  }
  return true;
}

fs::path packages_installed_in(const Project& project, const Adapter& adapter) {
  return project.environment(adapter.environment) / installed_packages;
}

}  // namespace ifcert::conformance
