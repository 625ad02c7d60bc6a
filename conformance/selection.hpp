// Which vectors a certification is about.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "conformance/certification.hpp"
#include "conformance/shard.hpp"

namespace ifcert::conformance {

/// As fnmatch(3) knows globs; '*' spans '/'.
bool glob_matches(const std::string& glob, const std::string& text);

/// Globs as fnmatch(3) knows them; '*' spans '/'. A kind with no glob selects everything; several globs of a kind each
/// add what they match; a vector is selected when every kind selects it.
struct Selection {
  std::vector<std::string> rules{};     // of the rule a vector counts for
  std::vector<std::string> vectors{};   // of its id
  std::vector<std::string> profiles{};  // exact: its system

  bool selects(const VectorSummary& vector) const;

  /// As a person typed it: "--rule 'onnx/if/*'"; empty when everything is selected.
  std::string text() const;
};

/// The selection that has this text(). Throws Error where none has.
Selection selection_from(std::string_view text);

/// The selected vectors of a shard, in their order. Throws Error: a glob that matches nothing, globs that together
/// match nothing, more shards than selected vectors.
std::vector<VectorSummary> selected(const std::vector<VectorSummary>& all, const Selection& selection,
                                    const Shard& shard = {});

}  // namespace ifcert::conformance
