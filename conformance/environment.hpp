// The environments of adapters: created once under .adapters/, each with its pinned packages, of Python or of another
// language, and, for an adapter in C++, with what CMake builds.
#pragma once

#include <string>

#include "conformance/adapter.hpp"
#include "conformance/project.hpp"

namespace ifcert::conformance {

/// Whether the adapter needs no environment, or has one with exactly the packages that its manifest pins, built from
/// its sources (CMakeLists.txt, *.cpp, *.hpp) and the SDK as they are now.
bool is_installed(const Project& project, const Adapter& adapter);

/// Why install() cannot work on this machine: one sentence that names a program that PATH lacks, or one that is too
/// old, and the package that has it. Empty if it can.
std::string missing_toolchain(const Adapter& adapter);

/// Throws Error, naming the command that installs it, when the adapter is not installed.
void require_installed(const Project& project, const Adapter& adapter);

/// The SHA-256 of the names and digests of all files that the adapter's environment has installed, so that two machines
/// with the same runtime have the same: without what contains absolute paths or is compiled later (a Python
/// environment's `bin`, RECORD, pyvenv.cfg and bytecode, and what CMake builds). Empty for an adapter without one.
std::string files_digest(const Project& project, const Adapter& adapter);

/// Creates whatever is missing of the adapter's environment: python3 -m venv, then pip with the pinned packages, and
/// the steps of other languages, under a temporary name, then renamed; then CMake in its folder `build`, where the
/// adapter has sources. Returns false when nothing was missing. Throws Error when one of the commands fails or its
/// program is missing.
bool install(const Project& project, const Adapter& adapter);

}  // namespace ifcert::conformance
