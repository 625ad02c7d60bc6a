// The virtual environments that adapters bring: made once under .adapters/, each with its pinned packages, and with
// what CMake builds there of an adapter in C++.
#pragma once

#include "conformance/adapter.hpp"
#include "conformance/project.hpp"

namespace ifcert::conformance {

/// Whether the adapter needs no environment, or has it with exactly the packages that its manifest pins, and built from
/// its sources (CMakeLists.txt, *.cpp, *.hpp) and the SDK as they are now.
bool is_installed(const Project& project, const Adapter& adapter);

/// Throws Error, with the command that installs it, when the adapter is not installed.
void require_installed(const Project& project, const Adapter& adapter);

/// Makes what is missing of the adapter's environment: python3 -m venv, then pip with the pinned packages, under a
/// temporary name, then renamed; then CMake in its folder `build`, where the adapter has sources. False when all was
/// there already. Throws Error when one of the commands fails.
bool install(const Project& project, const Adapter& adapter);

}  // namespace ifcert::conformance
