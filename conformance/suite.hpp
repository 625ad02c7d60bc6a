// The vectors: the manifest, and each vector with its files, verified before use.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/certification.hpp"
#include "conformance/model_folder.hpp"
#include "conformance/project.hpp"

namespace ifcert::conformance {

/// A vector, ready to be sent.
struct Vector {
  VectorSummary summary;
  nlohmann::json needs = nlohmann::json::array();
  ModelFiles files{};    // what adapters are handed
  std::string spoilt{};  // why it cannot be used (verdict HARNESS), empty when it can
};

struct Suite {
  std::string digest;           // SHA-256 of vectors/manifest.json
  std::vector<Vector> vectors;  // in the manifest's order

  /// nullptr where there is none of that id.
  const Vector* find(std::string_view id) const;
};

/// Reads vectors/manifest.json alone: of each vector its id, system, rule and axis. Throws as read_suite does.
Suite read_manifest(const Project& project);

/// Reads vectors/manifest.json and every vector it lists. A vector whose files are missing, have another digest, or do
/// not describe what the manifest says is there, spoilt. Throws Error when the manifest cannot be read, is not as its
/// schema says, lists no vector, or lists one twice.
Suite read_suite(const Project& project);

/// The vectors as the reports need them.
std::vector<VectorSummary> summaries(const Suite& suite);

}  // namespace ifcert::conformance
