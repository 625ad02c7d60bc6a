// A draft of an adapter's list of known failures, from its results: what happened is filled in, why is for a person.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>

#include "conformance/results/certification.hpp"

namespace ifcert::conformance {

struct KnownFailuresDraft {
  nlohmann::ordered_json list;  // as known_failures.json; its links and notes begin with still_to_do
  std::size_t entries = 0, vectors = 0;
  std::size_t listed = 0;      // results that are on the adapter's list already, and left out
  std::size_t unlistable = 0;  // failures of the adapter itself, which no list may name
};

/// One entry for each cause (causes.hpp) of what failed or was lenient, in the causes' order, with the runtime's own
/// message in the note. An empty name means the only adapter. Throws Error where the certification has no such
/// adapter, or where it can have no list: another version than the pinned one, or a backend of the onnx package.
KnownFailuresDraft draft_known_failures(const Certification& certification, const std::string& adapter);

}  // namespace ifcert::conformance
