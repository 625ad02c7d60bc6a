#include "conformance/certificate/certified_counts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "conformance/certificate/certificate.hpp"
#include "conformance/system/error.hpp"
#include "conformance/system/json_text.hpp"

namespace ifcert::conformance {
namespace {

using nlohmann::json;

/// Which verdicts a change between two counts is judged by.
struct Sums {
  std::size_t total = 0, passes = 0, failures = 0, unsupported = 0, nothing = 0;
};

Sums sums_of(const RuleCounts& counts) {
  Sums sums;
  for (const auto& [verdict, count] : counts.verdicts) {
    sums.total += count;
    if (verdict == Verdict::pass) sums.passes += count;
    if (verdict == Verdict::unsupported) sums.unsupported += count;
    if (is_inconclusive(verdict))
      sums.nothing += count;
    else if (fails(verdict))
      sums.failures += count;
  }
  return sums;
}

/// "9 PASS, 1 FAIL", as the certificate's verdicts are ordered.
std::string counts_line(const RuleCounts& counts) {
  std::vector<std::string> parts;
  for (const auto& [verdict, count] : counts.verdicts) {
    if (count > 0) parts.push_back(fmt::format("{} {}", count, to_string(verdict)));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

bool is_failure_line(const std::string& line) {
  return fails(verdict_from(line.substr(0, line.find(' '))));
}

/// Whether it is the verdict_line() of a model or a run that was wrongly refused.
bool is_refusal_line(const std::string& line) {
  return line == "FAIL (wrongly-refused)" || line == "NOT-IF (wrongly-refused)";
}

/// The vectors that `one` lists as failing or lenient and `other`, where all of its vectors are known, does not.
std::vector<std::string> only_in(const RuleCounts& one, const RuleCounts& other) {
  std::vector<std::string> found;
  if (!one.not_passing || !other.not_passing) return found;
  for (const auto& [vector, line] : *one.not_passing) {
    const auto there = other.not_passing->find(vector);
    if (there == other.not_passing->end() || there->second != line) found.push_back(vector);
  }
  return found;
}

/// Whether a vector fails in `one` that does not fail in `other`, as far as both are known.
bool has_new_failure(const RuleCounts& one, const RuleCounts& other) {
  return std::ranges::any_of(only_in(one, other), [&](const std::string& vector) {
    const auto there = other.not_passing->find(vector);
    return is_failure_line(one.not_passing->at(vector)) &&
           (there == other.not_passing->end() || !is_failure_line(there->second));
  });
}

/// Whether a vector that was wrongly refused now returns a wrong value, crashes or hangs, as far as both are known.
bool has_worse_failure(const RuleCounts& before, const RuleCounts& after) {
  return std::ranges::any_of(only_in(after, before), [&](const std::string& vector) {
    const auto there = before.not_passing->find(vector);
    return is_failure_line(after.not_passing->at(vector)) && there != before.not_passing->end() &&
           is_refusal_line(there->second);
  });
}

std::optional<Change> change_between(const RuleCounts& before, const RuleCounts& after) {
  const Sums was = sums_of(before), is = sums_of(after);
  if (before.verdicts == after.verdicts && only_in(before, after).empty() && only_in(after, before).empty())
    return std::nullopt;
  if (was.total != is.total || was.nothing > 0 || is.nothing > 0) return Change::unknown;
  if (is.failures > was.failures || has_new_failure(after, before) || has_worse_failure(before, after))
    return Change::broke;
  if (is.passes < was.passes && is.unsupported > was.unsupported) return Change::broke;
  if (is.failures < was.failures || has_new_failure(before, after)) return Change::fixed;
  if (is.passes > was.passes && is.unsupported < was.unsupported) return Change::fixed;
  return Change::changed;
}

std::string last_name(const std::string& vector) {
  return vector.substr(vector.rfind('/') + 1);
}

/// "a, b, c", and how many more there are.
std::string first_of(const std::vector<std::string>& lines) {
  constexpr std::size_t most = 12;
  if (lines.size() <= most) return fmt::format("{}", fmt::join(lines, ", "));
  return fmt::format("{} and {} more", fmt::join(lines.begin(), lines.begin() + most, ", "), lines.size() - most);
}

/// The vectors that the second side shows to be wrong, and that were not so before as far as that is known; then those
/// that pass now.
std::string vectors_of_change(const RuleCounts& before, const RuleCounts& after) {
  if (!after.not_passing) return "";
  std::vector<std::string> wrong, right;
  for (const auto& [vector, line] : *after.not_passing) {
    const bool was_so =
        before.not_passing && before.not_passing->contains(vector) && before.not_passing->at(vector) == line;
    if (!was_so) wrong.push_back(fmt::format("{} {}", last_name(vector), line));
  }
  for (const std::string& vector : only_in(before, after)) {
    if (!after.not_passing->contains(vector)) right.push_back(last_name(vector));
  }
  std::vector<std::string> parts;
  if (!wrong.empty())
    parts.push_back(fmt::format("{}: {}", before.not_passing ? "now" : "among them now", first_of(wrong)));
  if (!right.empty()) parts.push_back(fmt::format("no longer: {}", first_of(right)));
  return fmt::format("{}", fmt::join(parts, "; "));
}

AdapterDifference compare_rules(const AdapterCounts& before, const AdapterCounts& after) {
  AdapterDifference found;
  found.before = before.adapter;
  found.after = after.adapter;
  for (const auto& [key, counts] : after.rules) {
    const auto& [rule, axis] = key;
    const auto old = before.rules.find(key);
    if (old == before.rules.end()) {
      found.differences.push_back({.change = Change::added,
                                   .vector = "",
                                   .rule = rule,
                                   .before = "",
                                   .after = counts_line(counts),
                                   .reason = vectors_of_change({}, counts),
                                   .axis = to_string(axis)});
    } else if (const auto change = change_between(old->second, counts)) {
      found.differences.push_back({.change = *change,
                                   .vector = "",
                                   .rule = rule,
                                   .before = counts_line(old->second),
                                   .after = counts_line(counts),
                                   .reason = vectors_of_change(old->second, counts),
                                   .axis = to_string(axis)});
    } else {
      ++found.same;
    }
  }
  for (const auto& [key, counts] : before.rules) {
    if (!after.rules.contains(key))
      found.differences.push_back({.change = Change::removed,
                                   .vector = "",
                                   .rule = key.first,
                                   .before = counts_line(counts),
                                   .after = "",
                                   .reason = "",
                                   .axis = to_string(key.second)});
  }
  std::ranges::stable_sort(found.differences, {},
                           [](const VectorChange& each) { return std::pair(each.change, each.rule); });
  return found;
}

const AdapterCounts* find_counts(const CertifiedCounts& counts, const std::string& name) {
  const auto found =
      std::ranges::find(counts.adapters, name, [](const AdapterCounts& each) { return each.adapter.name; });
  return found == counts.adapters.end() ? nullptr : &*found;
}

AdapterCounts counts_of_adapter(const json& adapter, const Suite& manifest) {
  AdapterCounts counts;
  counts.adapter = {adapter.at("name"), adapter.at("version")};
  std::map<std::pair<std::string, Axis>, std::map<std::string, std::string>> waived;
  for (const json& waiver : adapter.at("waivers")) {
    const Vector* vector = manifest.find(waiver.at("vector").get<std::string>());
    if (vector != nullptr)
      waived[{vector->summary.rule, vector->summary.axis}].emplace(waiver.at("vector"), waiver.at("verdict"));
  }
  for (const auto& [rule, axes] : adapter.at("rules").items()) {
    for (const auto& [axis, members] : axes.items()) {
      const std::pair key(rule, axis_from(axis));
      RuleCounts& of_rule = counts.rules[key];
      std::size_t listable = 0;
      for (const auto& [word, count] : members.items()) {
        if (word == "vectors") continue;
        const Verdict verdict = verdict_from(word);
        of_rule.verdicts[verdict] = count.get<std::size_t>();
        if (is_listable(verdict)) listable += count.get<std::size_t>();
      }
      if (of_rule.total() != members.at("vectors").get<std::size_t>())
        throw Error(fmt::format("the verdicts of {} on {} are not those of {} vectors", rule, axis,
                                members.at("vectors").get<std::size_t>()));
      if (waived[key].size() == listable)
        of_rule.not_passing = waived[key];
      else
        of_rule.not_passing = std::nullopt;
    }
  }
  return counts;
}

}  // namespace

std::size_t RuleCounts::total() const {
  return sums_of(*this).total;
}

bool is_certificate(std::string_view text) {
  const ParsedJson parsed = parse_json(text);
  const bool is_refused = !parsed.fault.empty() && parsed.detail.empty();  // JSON, and counts_in_certificate() says why
  return is_refused || (parsed.document.is_object() && parsed.document.contains("certificate"));
}

CertifiedCounts counts_in_certificate(std::string_view text, const Suite& manifest) {
  try {
    const auto [document, unparsed, detail] = parse_json(text);
    if (!unparsed.empty()) throw Error("it " + unparsed);
    const json& format = document.at("certificate");
    if (format != 1 && format != 2 && format != certificate_format)
      throw Error(fmt::format("format {}", format.dump()));
    CertifiedCounts counts{document.at("manifest"), {}};
    for (const json& adapter : document.at("adapters")) counts.adapters.push_back(counts_of_adapter(adapter, manifest));
    return counts;
  } catch (const std::exception& fault) {
    throw Error(fmt::format("not a certificate that this ifcert reads: {}", fault.what()));
  }
}

CertifiedCounts counts_in_results(const Certification& certification, const Suite& manifest) {
  CertifiedCounts counts{certification.manifest_digest, {}};
  for (const AdapterIdentity& adapter : certification.adapters) {
    AdapterCounts& own = counts.adapters.emplace_back();
    own.adapter = {adapter.name, adapter.version};
    for (const Result& result : certification.results) {
      if (result.adapter != adapter.name) continue;
      const Vector* vector = manifest.find(result.vector);
      if (vector == nullptr) throw Error(fmt::format("this ifcert has no vector {}", result.vector));
      RuleCounts& of_rule = own.rules[{vector->summary.rule, vector->summary.axis}];
      ++of_rule.verdicts[result.verdict];
      if (is_listable(result.verdict)) of_rule.not_passing->emplace(result.vector, verdict_line(result));
    }
  }
  return counts;
}

CertificationDifference difference(const CertifiedCounts& before, const CertifiedCounts& after) {
  CertificationDifference found;
  found.by_rule = true;
  found.same_vectors = before.manifest == after.manifest;
  if (before.adapters.size() == 1 && after.adapters.size() == 1) {
    found.adapters.push_back(compare_rules(before.adapters.front(), after.adapters.front()));
    return found;
  }
  for (const AdapterCounts& old : before.adapters) {
    const AdapterCounts* same = find_counts(after, old.adapter.name);
    if (same == nullptr)
      found.only_before.push_back(old.adapter.name);
    else
      found.adapters.push_back(compare_rules(old, *same));
  }
  for (const AdapterCounts& each : after.adapters) {
    if (find_counts(before, each.adapter.name) == nullptr) found.only_after.push_back(each.adapter.name);
  }
  if (found.adapters.empty()) throw Error("the two certifications have no adapter in common");
  return found;
}

}  // namespace ifcert::conformance
