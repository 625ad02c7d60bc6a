// The released versions of an adapter's runtime, and the certification of one of them by a process of its own.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "conformance/runtimes/adapter.hpp"
#include "conformance/runtimes/versions.hpp"
#include "conformance/system/project.hpp"

namespace ifcert::conformance {

/// Those in the range that pip offers for this machine, or that npm lists, the oldest first; for pip, the pinned
/// version is installed if it is not. Throws Error where the runtime comes by neither, and where there are none.
std::vector<std::string> released_versions(const Project& project, const std::string& adapter,
                                           const VersionRange& range);

/// Certifies ADAPTER@VERSION with `ifcert certify` into the folder, with these options more, and resumes what was
/// interrupted. Returns false where the version could not be installed or certified, which was printed then. Throws
/// Error if the certification was interrupted.
bool certify_version(const Project& project, const std::string& adapter, const std::string& version,
                     const std::filesystem::path& out, const std::vector<std::string>& options);

}  // namespace ifcert::conformance
