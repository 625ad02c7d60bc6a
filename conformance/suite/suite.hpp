// The vectors: the manifest, and each vector with its files, verified before use.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
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
};

struct Suite {
  std::string digest;                                         // SHA-256 of vectors/manifest.json
  std::vector<Vector> vectors;                                // in the manifest's order
  std::map<std::string, std::size_t, std::less<>> indices{};  // into vectors, by id

  /// The vector with this id, or nullptr.
  const Vector* find(std::string_view id) const;
};

/// Reads vectors/manifest.json alone: the id, system, rule and axis of each vector. Throws as read_suite does.
Suite read_manifest(const Project& project);

/// Reads vectors/manifest.json and every vector it lists. A vector whose files are missing, have another digest, or
/// differ from the manifest's description, is marked as unusable. Throws Error when the manifest cannot be read, does
/// not match its schema, lists no vector, or lists one twice.
Suite read_suite(const Project& project);

/// Reads only the wanted vectors and their twins, because reading all takes a second. The others are as read_manifest()
/// returns them.
using Wanted = std::function<bool(const VectorSummary&)>;
Suite read_suite(const Project& project, const Wanted& wanted);

/// The vectors as the reports need them.
std::vector<VectorSummary> summaries(const Suite& suite);

}  // namespace ifcert::conformance
