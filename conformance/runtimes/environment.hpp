// The environments of adapters: folders in .adapters/, each with the packages that the adapter's manifest pins, of
// Python or another language, and, for an adapter in C++, with its build. Environment variables are in
// environment_variables.hpp.
#pragma once

#include <filesystem>
#include <string>

#include "conformance/runtimes/adapter.hpp"
#include "conformance/system/project.hpp"

namespace ifcert::conformance {

/// Whether the adapter needs no environment, or has one with exactly the packages that its manifest pins, and with a
/// build of the present sources (CMakeLists.txt, *.cpp, *.hpp) and SDK.
bool is_installed(const Project& project, const Adapter& adapter);

/// Why install() cannot work on this machine: one sentence that names a program that is too old or not in PATH, and the
/// package that contains it. Empty if nothing is missing.
std::string missing_toolchain(const Adapter& adapter);

/// Throws Error when the adapter is not installed; the message names the command that installs it.
void require_installed(const Project& project, const Adapter& adapter);

/// The SHA-256 of the names and digests of all files that were installed into the adapter's environment. It is the same
/// on all machines with the same runtime: files that contain absolute paths or are compiled later are left out (a
/// Python environment's `bin`, RECORD, pyvenv.cfg, bytecode and ifcert-installed.txt, and the build of CMake). Empty
/// for an adapter without an environment.
std::string files_digest(const Project& project, const Adapter& adapter);

/// Creates the missing parts of the adapter's environment: first, under a temporary name, the packages (python3 -m
/// venv, pip, and the package managers of other languages); then, where the adapter has sources, the build of CMake.
/// ifcert-installed.txt in the environment says what pip installed, with the digests of the archives that it saw.
/// Returns false when nothing was missing. Throws Error when a command fails or its program is missing.
bool install(const Project& project, const Adapter& adapter);

/// The file in the adapter's environment that says what pip installed.
std::filesystem::path packages_installed_in(const Project& project, const Adapter& adapter);

}  // namespace ifcert::conformance
