// The selection of the vectors that a certification runs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "conformance/results/certification.hpp"
#include "conformance/results/shard.hpp"

namespace ifcert::conformance {

/// What the commands that select by coordinates say of their option --where.
inline constexpr const char* where_text = "only vectors of a cross with these coordinates (docs/coverage.md)";

/// Whether the whole text matches the glob, as in fnmatch(3), where '*' also matches '/'.
bool glob_matches(const std::string& glob, const std::string& text);

/// Lists of globs (glob_matches). A vector is selected when each list that is not empty has a glob that matches it.
struct Selection {
  std::vector<std::string> rules{};     // match the rule for which a vector counts
  std::vector<std::string> vectors{};   // match its id
  std::vector<std::string> profiles{};  // match one of its profiles
  /// "place=scan": no globs, but coordinates of a cross (docs/coverage.md), of which a selected vector has each.
  std::vector<std::string> coordinates{};

  bool selects(const VectorSummary& vector) const;

  /// The options that a user types for it: "--rule 'onnx/if/*'"; empty when everything is selected.
  std::string text() const;
};

/// The selection whose text() this is. Throws Error for any other text.
Selection selection_from(std::string_view text);

/// The selected vectors of a shard, in their order. Throws Error for a glob that matches nothing, for a coordinate that
/// no vector has, where no vector is selected, and for more shards than selected vectors.
std::vector<VectorSummary> selected(const std::vector<VectorSummary>& all, const Selection& selection,
                                    const Shard& shard = {});

}  // namespace ifcert::conformance
