// The files of a vector, held against the digests of the manifest.
#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <string_view>

#include "conformance/project.hpp"

namespace ifcert::conformance {

/// The bytes of the vector's files; `files` are those of the manifest, name and digest. Throws Error when one of them
/// is not what it says.
std::map<std::filesystem::path, std::string> verified_files(const std::filesystem::path& folder,
                                                            const nlohmann::json& files);

/// Which of these vectors no longer have the files that the manifest lists, or that the manifest is not the one of this
/// digest: why, for a person; empty where all is as it was.
std::string changed_since(const Project& project, const std::string& manifest_digest,
                          const std::set<std::string_view>& ids);

}  // namespace ifcert::conformance
