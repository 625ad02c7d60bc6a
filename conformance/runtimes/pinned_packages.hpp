// A file with pinned Python packages and the digests of their archives, in pip's own format for `--require-hashes`.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace ifcert::conformance {

/// The packages, each as NAME==VERSION, in the order of the file. Throws Error, with file and line, where a line is
/// anything but a package with a version and at least one SHA-256.
std::vector<std::string> read_pinned_packages(const std::filesystem::path& file);

/// What pip says in its report (`pip install --report`) that it installed: NAME==VERSION, sorted, a line for each, with
/// the digest of the archive where pip knows one.
std::string packages_in_report(const std::filesystem::path& report);

}  // namespace ifcert::conformance
