// Other versions of a runtime than the pinned one: NAME@VERSION wherever an adapter is named.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ifcert::conformance {

/// "onnxruntime@1.22.0" in two parts; the version is empty where none is named.
struct VersionedName {
  std::string name, version;
};

VersionedName split_version(std::string_view text);

/// Throws Error for a text that cannot be a version; it must be a digit, then letters, digits and . + ! _ -
void require_version(std::string_view version);

/// Packages that versions below this one need as well.
struct OlderRequirements {
  std::string below;
  std::vector<std::string> python;
};

/// The packages that pip installs for another version: the runtime's own requirement (the one that pins `pinned`) with
/// this version, the other packages as the package manager resolves them, and those that `older` adds. Throws Error
/// where no requirement pins `pinned`.
std::vector<std::string> requirements_of(std::span<const std::string> requirements, const std::string& pinned,
                                         const std::string& version, std::span<const OlderRequirements> older);

/// By their numbers: 1.9 is before 1.10, and 1.10 before 1.10.1.
bool is_before(std::string_view a, std::string_view b);

/// "1.16..1.31" in two parts. Throws Error for any other form.
struct VersionRange {
  std::string from, to;
};

VersionRange range_from(std::string_view text);

/// The released versions (numbers alone) in the range, the oldest first. 1.31 includes 1.31.1. Throws Error where there
/// is none.
std::vector<std::string> versions_in(std::span<const std::string> all, const VersionRange& range);

/// The versions in the output of `pip index versions`, in any order.
std::vector<std::string> versions_listed(std::string_view text);

}  // namespace ifcert::conformance
