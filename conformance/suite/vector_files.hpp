// The files of a vector, checked against the digests of the manifest.
#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <string_view>

#include "conformance/system/project.hpp"

namespace ifcert::conformance {

/// The bytes of a vector's files; `files` contains their names and digests, from the manifest. Throws Error when a file
/// has another digest.
std::map<std::filesystem::path, std::string> verified_files(const std::filesystem::path& folder,
                                                            const nlohmann::json& files);

/// A sentence that names the vectors, among these, whose files no longer have the digests of the manifest, or that
/// reports that the manifest itself no longer has this digest; empty where nothing was changed.
std::string changed_since(const Project& project, const std::string& manifest_digest,
                          const std::set<std::string_view>& ids);

}  // namespace ifcert::conformance
