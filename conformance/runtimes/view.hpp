// What an adapter sees of this machine: what it needs, and no answer (docs/security.md).
#pragma once

#include <filesystem>
#include <span>

#include "conformance/runtimes/adapter.hpp"
#include "conformance/sandbox/bubblewrap.hpp"
#include "conformance/system/project.hpp"

namespace ifcert::conformance {

/// The view of an adapter, still without its home. It shows the adapter's program and what its manifest names, its
/// folder without earlier results, history and build folders, its environment and the SDK; for a program of ours, also
/// the libraries that were installed with it. Hidden are the rest of the project, its history and its copies wherever
/// they lie, the environments of other adapters, the user's homes, and `results`. Nothing that the manifest names is
/// shown if it is a part of these, except for programs.
View view_of(const Project& project, const Adapter& adapter, std::span<const std::filesystem::path> results);

}  // namespace ifcert::conformance
