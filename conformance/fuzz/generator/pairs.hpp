// Which features are together in a generated model, and which can never be.
#pragma once

#include <array>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/fuzz/generator/features.hpp"

namespace ifcert::generator {

/// Numbers in feature_names, the smaller one first.
using Pair = std::pair<std::size_t, std::size_t>;

/// The models that have both, for each pair.
class Pairs {
 public:
  void add(const Features& features);
  std::size_t count(Pair pair) const { return counts_.at(pair.first).at(pair.second); }

 private:
  std::array<std::array<std::size_t, feature_names.size()>, feature_names.size()> counts_ = {};
};

/// Features that no model for the format has, and the reason.
struct Absent {
  std::string_view reason;
  std::set<std::string_view> features;
};
std::vector<Absent> absent_features(Format format);

/// The pairs that no model has, though models for the format have each of the two.
std::vector<Pair> excluded_pairs(Format format);

/// Each pair of features that a model for the format can have.
std::vector<Pair> possible_pairs(Format format);

/// Those of which no model was added.
std::vector<Pair> missing_pairs(const Pairs& pairs, Format format);

}  // namespace ifcert::generator
