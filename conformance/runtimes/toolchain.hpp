// The package managers of other languages, as `install` of an adapter.json names them: npm, Maven, cargo and Go. Each
// is its own client, with a lock file in the adapter's folder.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace ifcert::conformance {

/// One step of `install`: a folder, and the package manager that installs or builds it.
struct InstallStep {
  std::string tool;  // npm, maven, cargo or go
  std::filesystem::path folder;
  std::string pinned{};   // the version of the runtime that with_version() replaces
  std::string version{};  // by this one; empty: all is installed as it is locked
};

/// The names of all tools, in the order in which an adapter's steps are run.
std::vector<std::string_view> tool_names();

/// The files from which the step installs or builds, and the one file of the SDK in its language: their paths, sorted
/// by name. `sdks` is bindings/adapters. Throws Error when a lock file is missing.
std::vector<std::filesystem::path> sources_of(const InstallStep& step, const std::filesystem::path& sdks);

/// The step with another version of the runtime wherever the folder's manifest pins that of the adapter; the versions
/// of all other packages are left to the package manager. Throws Error where the manifest pins no such version, and
/// where the package manager can have no version of this form.
InstallStep with_version(InstallStep step, const std::string& pinned, const std::string& version);

/// The released versions of the runtime of a step, in any order. Throws Error where the package manager has no command
/// that lists them.
std::vector<std::string> released_versions(const InstallStep& step, const std::string& pinned);

/// A program, and the package that has it.
struct NeededProgram {
  std::string name, package;
};

/// Throws Error, with the package that has it, when one of the programs is not in PATH.
void require_programs(const std::vector<NeededProgram>& programs);

/// Throws Error, with the package that has it, when a program that the step starts is not in PATH, or is older than the
/// folder's own manifest requires.
void require_toolchain(const InstallStep& step);

/// Runs the step into a folder. Throws Error when a command fails, or when what was fetched is not what is locked.
void run_step(const InstallStep& step, const std::filesystem::path& sdks, const std::filesystem::path& environment);

}  // namespace ifcert::conformance
