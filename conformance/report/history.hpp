// Certifications of several versions of one runtime, side by side: rule × version, and what each release changed.
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "conformance/results/certification.hpp"

namespace ifcert::conformance {

/// One version's certification: with one adapter, and complete.
struct Release {
  std::string version;
  Certification certification;
};

/// For a person: each release with what broke and what it fixed against the one before it, by rule and vector.
std::string history_text(std::span<const Release> releases);

/// Markdown: how many vectors of each rule pass in each release, only for rules where that changes; then the changes.
std::string history_markdown(const std::string& adapter, std::span<const Release> releases);

/// For programs: conformance/schemas/history.schema.json.
nlohmann::ordered_json history_json(const std::string& adapter, std::span<const Release> releases);

}  // namespace ifcert::conformance
