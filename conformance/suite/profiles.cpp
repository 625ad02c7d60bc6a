#include "conformance/suite/profiles.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <tuple>

namespace ifcert::conformance {
namespace {

constexpr std::string_view tensors_alone = "-tensors";

/// A profile's name in parts: "onnx", 16, true for onnx-16-tensors; version 0 is every version.
struct Parts {
  std::string_view system;
  int version = 0;
  bool tensors = false;

  auto key() const { return std::tuple(system, version, tensors); }
};

Parts parts_of(std::string_view profile) {
  Parts parts;
  parts.tensors = profile.ends_with(tensors_alone);
  if (parts.tensors) profile.remove_suffix(tensors_alone.size());
  const std::size_t hyphen = profile.rfind('-');
  parts.system = profile.substr(0, hyphen);
  if (hyphen != std::string_view::npos)
    std::from_chars(profile.data() + hyphen + 1, profile.data() + profile.size(), parts.version);
  return parts;
}

/// (profile, rule) → its counts on one axis.
using OfRules = std::map<std::string, std::map<std::string, Counts>>;

OfRules counts_of(const Certification& certification, const AdapterIdentity& adapter, Axis axis,
                  const std::map<std::string, const Result*>& results) {
  OfRules counts;
  for (const VectorSummary& vector : certification.vectors) {
    if (vector.axis != axis || !in_scope(adapter, vector)) continue;
    const auto found = results.find(vector.id);
    for (const std::string& profile : vector.profiles) {
      Counts& of_rule = counts[profile][vector.rule];
      if (found == results.end())
        of_rule.add(Verdict::not_run, false);
      else
        of_rule.add(found->second->verdict, found->second->known);
    }
  }
  return counts;
}

Level level_of(const std::string& profile, Axis axis, const std::map<std::string, Counts>& rules) {
  Level level{.profile = profile, .axis = axis, .counts = {}, .rules = 0};
  for (const auto& [rule, counts] : rules) {
    level.counts.add(counts);
    if (counts.counting() == 0) continue;
    ++level.rules;
    if (!counts.holds()) level.missing.push_back(rule);
  }
  return level;
}

}  // namespace

std::vector<Level> levels_of(const Certification& certification, const AdapterIdentity& adapter) {
  std::map<std::string, const Result*> results;
  for (const Result& result : certification.results) {
    if (result.adapter == adapter.name) results.emplace(result.vector, &result);
  }
  std::vector<Level> levels;
  for (const Axis axis : all_axes) {
    for (const auto& [profile, rules] : counts_of(certification, adapter, axis, results))
      levels.push_back(level_of(profile, axis, rules));
  }
  std::ranges::stable_sort(levels, is_listed_before, &Level::profile);
  return levels;
}

bool is_listed_before(std::string_view profile, std::string_view other) {
  return parts_of(profile).key() < parts_of(other).key();
}

std::string description_of(std::string_view profile) {
  const Parts parts = parts_of(profile);
  if (parts.system == "circle") return "models in .circle files";
  if (parts.system == "tflite") return "models in .tflite files";
  const std::string_view name = parts.system == "onnx" ? "ONNX" : "OpenVINO IR";
  if (parts.version == 0) return fmt::format("models in {}", name);
  return fmt::format("models in {} of the operator sets whose If is If-{}{}", name, parts.version,
                     parts.tensors ? ", with tensors alone: no sequence, no optional" : "");
}

}  // namespace ifcert::conformance
