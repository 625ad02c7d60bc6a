// The virtual environments that adapters bring: made once under .adapters/, each with its pinned packages.
#pragma once

#include "conformance/adapter.hpp"
#include "conformance/project.hpp"

namespace ifcert::conformance {

/// Whether the adapter needs no environment, or has it with exactly the packages that its manifest pins.
bool is_installed(const Project& project, const Adapter& adapter);

/// Throws Error, with the command that installs it, when the adapter is not installed.
void require_installed(const Project& project, const Adapter& adapter);

/// Makes the adapter's environment: python3 -m venv, then pip with the pinned packages, under a temporary name, then
/// renamed. False when it was there already. Throws Error when one of the commands fails.
bool install(const Project& project, const Adapter& adapter);

}  // namespace ifcert::conformance
