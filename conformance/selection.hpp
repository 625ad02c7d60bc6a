// Which vectors a certification runs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "conformance/certification.hpp"
#include "conformance/shard.hpp"

namespace ifcert::conformance {

/// As in fnmatch(3), except that '*' spans '/'.
bool glob_matches(const std::string& glob, const std::string& text);

/// Globs as in fnmatch(3), except that '*' spans '/'. A kind with no glob selects everything; several globs of a kind
/// each add what they match; a vector is selected when every kind selects it.
struct Selection {
  std::vector<std::string> rules{};     // the rule a vector counts for
  std::vector<std::string> vectors{};   // its id
  std::vector<std::string> profiles{};  // one of its profiles

  bool selects(const VectorSummary& vector) const;

  /// As a user types it: "--rule 'onnx/if/*'"; empty when everything is selected.
  std::string text() const;
};

/// The selection with this text(). Throws Error where there is none.
Selection selection_from(std::string_view text);

/// The selected vectors of a shard, in their order. Throws Error for a glob that matches nothing, for globs that
/// together match nothing, and for more shards than selected vectors.
std::vector<VectorSummary> selected(const std::vector<VectorSummary>& all, const Selection& selection,
                                    const Shard& shard = {});

}  // namespace ifcert::conformance
