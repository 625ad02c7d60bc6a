// The files of the vectors, checked against their digests: the manifest has those of the files of lines, each line
// those of its vector's models.
#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/system/project.hpp"

namespace ifcert::conformance {

/// The manifest's file, vectors/manifest.json.
std::filesystem::path manifest_file(const Project& project);

/// The rule whose lines are in a file of the manifest: "onnx/generated/if/nesting/vectors.jsonl" → "onnx/if/nesting".
std::string rule_of_lines(const std::string& file);

/// The line of a vector, and where it is: "…/vectors.jsonl:12".
struct VectorLine {
  std::string text, where;

  /// The line's members, or those of them that are named. Throws Error where the line is no object, or is refused as
  /// parse_json() says.
  nlohmann::json members(std::span<const std::string_view> names = {}) const;
};

/// The vectors of a rule, from its file vectors.jsonl. Throws Error where the file has another digest, or a line that
/// is longer than a mebibyte.
std::vector<VectorLine> read_lines(const std::filesystem::path& file, const std::string& digest);

/// The bytes of a vector's files; `files` contains their names and digests, from its line. Throws Error when a file has
/// another digest.
std::map<std::filesystem::path, std::string> verified_files(const std::filesystem::path& folder,
                                                            const nlohmann::json& files);

/// A sentence that names the vectors, among these, whose files no longer have the digests of their lines, or that
/// reports that the manifest itself or a file of lines no longer has its digest; empty where nothing was changed.
std::string changed_since(const Project& project, const std::string& manifest_digest,
                          const std::set<std::string_view>& ids);

}  // namespace ifcert::conformance
