#include "conformance/fuzz/generator/pairs.hpp"

#include <algorithm>

namespace ifcert::generator {
namespace {

/// A feature that no model has together with any of the others, and the reason.
struct Exclusion {
  std::string_view reason;
  std::string_view feature;
  std::vector<std::string_view> others;
};

std::vector<Exclusion> exclusions() {
  return {{"a model's runs have one manner", "runs: hold results", {"runs: at once"}}};
}

std::set<std::string_view> names_of_absent(Format format) {
  std::set<std::string_view> names;
  for (const Absent& absent : absent_features(format)) names.insert(absent.features.begin(), absent.features.end());
  return names;
}

bool is_excluded(const Pair& pair) {
  const std::string_view one = feature_names[pair.first];
  const std::string_view other = feature_names[pair.second];
  return std::ranges::any_of(exclusions(), [&](const Exclusion& each) {
    return (each.feature == one && std::ranges::count(each.others, other) > 0) ||
           (each.feature == other && std::ranges::count(each.others, one) > 0);
  });
}

/// The pairs of those features that models for the format have.
std::vector<Pair> pairs_of_format(Format format) {
  const std::set<std::string_view> absent = names_of_absent(format);
  std::vector<Pair> pairs;
  for (std::size_t i = 0; i < feature_names.size(); ++i) {
    for (std::size_t j = i + 1; j < feature_names.size(); ++j) {
      if (!absent.contains(feature_names[i]) && !absent.contains(feature_names[j])) pairs.emplace_back(i, j);
    }
  }
  return pairs;
}

}  // namespace

void Pairs::add(const Features& features) {
  for (std::size_t i = 0; i < features.size(); ++i) {
    for (std::size_t j = i + 1; features[i] && j < features.size(); ++j) counts_.at(i).at(j) += features[j] ? 1 : 0;
  }
}

std::vector<Absent> absent_features(Format format) {
  if (format == Format::onnx) return {};
  std::vector<Absent> absent{
      {"only ONNX has Scan", {"loops: Scan", "place: Scan"}},
      {"only ONNX has sequences and optionals",
       {"loops: SequenceMap", "place: SequenceMap", "loops: a carried sequence", "types: sequence", "types: optional",
        "cond: OptionalHasElement"}},
      {"an input of the main graph has no default",
       {"runs: override a default", "runs: keep a default", "cond: an overridable initializer"}}};
  if (format == Format::openvino) {
    absent.push_back({"the loops of IR are not evaluated, so nothing becomes one",
                      {"loops: Loop", "loops: in a branch", "loops: in a loop", "loops: scan output",
                       "loops: a carried shape grows", "place: Loop", "place: a loop without trips", "call: in a loop",
                       "call: passes branches into a loop", "cond: carried by a loop", "trips: none",
                       "trips: cond is false at first", "trips: some", "trips: count is left out",
                       "trips: count is fed", "reads: the body of a loop", "reads: a loop, to carry it"}});
  }
  return absent;
}

std::vector<Pair> excluded_pairs(Format format) {
  std::vector<Pair> pairs = pairs_of_format(format);
  std::erase_if(pairs, [](const Pair& pair) { return !is_excluded(pair); });
  return pairs;
}

std::vector<Pair> possible_pairs(Format format) {
  std::vector<Pair> pairs = pairs_of_format(format);
  std::erase_if(pairs, is_excluded);
  return pairs;
}

std::vector<Pair> missing_pairs(const Pairs& pairs, Format format) {
  std::vector<Pair> missing = possible_pairs(format);
  std::erase_if(missing, [&](const Pair& pair) { return pairs.count(pair) > 0; });
  return missing;
}

}  // namespace ifcert::generator
