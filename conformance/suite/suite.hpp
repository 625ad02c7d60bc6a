// The vectors: the manifest, the lines that it lists, and each vector with its files, verified before use.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/results/certification.hpp"
#include "conformance/suite/model_folder.hpp"
#include "conformance/system/project.hpp"

namespace ifcert::conformance {

/// A vector, ready to be sent.
struct Vector {
  VectorSummary summary;
  nlohmann::json needs = nlohmann::json::array();
  ModelFiles files{};      // the files that adapters are passed
  std::string unusable{};  // why it cannot be used (verdict HARNESS); empty if it can
  /// SHA-256 of its line, which has the digests of its files, and of the files that its model reads beside its own
  /// folder. Empty where it was not read or its files cannot be used.
  std::string digest{};
};

struct Suite {
  std::string digest;                                         // SHA-256 of vectors/manifest.json
  std::vector<Vector> vectors;                                // of the manifest's files in order, by line
  std::map<std::string, std::size_t, std::less<>> indices{};  // into vectors, by id

  /// The vector with this id, or nullptr.
  const Vector* find(std::string_view id) const;
};

/// Reads the lines of the vectors alone: the id, system, rule and axis of each vector. Throws as read_suite does.
Suite read_manifest(const Project& project);

/// Reads vectors/manifest.json and every vector in the files that it lists. A vector whose files are missing or have
/// another digest, or whose line does not match its schema or contradicts itself, is marked as unusable. Throws Error
/// when the manifest cannot be read or does not match its schema, when read_lines() throws, when a line has no id or
/// that of another rule, and when a vector is there twice.
Suite read_suite(const Project& project);

/// Reads only the wanted vectors and their twins, because reading all takes a second. The others are as read_manifest()
/// returns them.
using Wanted = std::function<bool(const VectorSummary&)>;
Suite read_suite(const Project& project, const Wanted& wanted);

/// The path of the model of the vector with this id, which is not verified; nothing where there is no such vector.
/// Reads only the lines of its rule. Throws as read_suite does.
std::optional<std::filesystem::path> model_of_vector(const Project& project, const std::string& id);

/// The vectors as the reports need them.
std::vector<VectorSummary> summaries(const Suite& suite);

}  // namespace ifcert::conformance
