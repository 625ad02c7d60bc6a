#include "conformance/certify/merge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <iterator>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "conformance/results/cost.hpp"
#include "conformance/results/run_settings.hpp"
#include "conformance/suite/selection.hpp"
#include "conformance/system/error.hpp"

namespace ifcert::conformance {

using nlohmann::json;

namespace {

using Name = std::pair<std::string_view, std::string_view>;  // adapter, vector

void require_all_results(const Part& part) {
  const Certification& certification = part.certification;
  std::set<Name> there;
  for (const Result& result : certification.results) there.emplace(result.adapter, result.vector);
  for (const AdapterIdentity& adapter : certification.adapters) {
    for (const VectorSummary& vector : certification.vectors) {
      if (!in_scope(adapter, vector) || there.erase({adapter.name, vector.id}) == 1) continue;
      throw Error(fmt::format("{} has no result of {} on {}", part.name, vector.id, adapter.name));
    }
  }
  if (there.empty()) return;
  throw Error(fmt::format("{} has a result of {} on {}, which it does not select", part.name, there.begin()->second,
                          there.begin()->first));
}

json settings_but(const Part& part, std::initializer_list<const char*> left_out) {
  json settings = settings_of(part.certification);
  for (const char* name : left_out) settings.erase(name);
  return settings;
}

void require_same_settings(const std::vector<Part>& parts, std::initializer_list<const char*> left_out) {
  for (const Part& part : parts) {
    const std::string found = difference(settings_but(part, left_out), settings_but(parts.front(), left_out));
    if (found.empty()) continue;
    throw Error(
        fmt::format("{} (there) and {} (here) belong to different runs: {}", part.name, parts.front().name, found));
  }
}

/// Checks that each shard is there once; the first part declares how many there are.
void require_every_shard(const std::vector<Part>& parts) {
  const std::size_t count = shard_from(parts.front().certification.shard).count;
  std::map<std::size_t, const Part*> by_number;
  for (const Part& part : parts) {
    const Shard shard = shard_from(part.certification.shard);
    const auto [other, is_new] = by_number.emplace(shard.number, &part);
    if (shard.count != count) {
      throw Error(
          fmt::format("{} is one of {} shards, {} is one of {}", part.name, shard.count, parts.front().name, count));
    }
    if (is_new) continue;
    throw Error(fmt::format("{} and {} overlap: both are {}", other->second->name, part.name,
                            count == 1 ? "the whole" : "shard " + shard.text()));
  }
  for (std::size_t number = 1; number <= count; ++number) {
    if (by_number.contains(number)) continue;
    throw Error(fmt::format("shard {} is missing", Shard{number, count}.text()));
  }
}

bool has_results_of(const Part& part, const std::string& adapter) {
  return std::ranges::find(part.certification.results, adapter, &Result::adapter) != part.certification.results.end();
}

/// The hello of each adapter, which must be the same in every part that ran the adapter.
AdapterIdentity identity_in(const std::vector<Part>& parts, std::size_t adapter) {
  const Part* reference_part = &parts.front();
  for (const Part& part : parts) {
    if (!has_results_of(part, part.certification.adapters[adapter].name)) continue;
    if (!has_results_of(*reference_part, part.certification.adapters[adapter].name)) reference_part = &part;
    const std::string found =
        difference(part.certification.adapters[adapter], reference_part->certification.adapters[adapter]);
    if (!found.empty()) {
      throw Error(fmt::format("{} (there) and {} (here) were run on different runtimes: {}", part.name,
                              reference_part->name, found));
    }
  }
  return reference_part->certification.adapters[adapter];
}

/// All results, in the adapters' order and then the vectors'.
std::vector<Result> results_in(std::vector<Part>& parts, const Certification& whole) {
  std::map<Name, Result*> by_name;
  for (Part& part : parts) {
    for (Result& result : part.certification.results) by_name.emplace(Name(result.adapter, result.vector), &result);
  }
  std::vector<Result*> ordered;
  for (const AdapterIdentity& adapter : whole.adapters) {
    for (const VectorSummary& vector : whole.vectors) {
      if (in_scope(adapter, vector)) ordered.push_back(by_name.at({adapter.name, vector.id}));
    }
  }
  std::vector<Result> results;
  results.reserve(ordered.size());
  for (Result* result : ordered) results.push_back(std::move(*result));
  return results;
}

/// Limits that do not affect results may differ, and are then left out.
void keep_what_agrees(json& all, const json& other) {
  if (!all.is_object() || all == other) return;
  for (auto entry = all.begin(); entry != all.end();) {
    const bool agrees = other.is_object() && other.contains(entry.key()) && other.at(entry.key()) == entry.value();
    entry = agrees ? std::next(entry) : all.erase(entry);
  }
}

void add_kept(const KeptCount& more, KeptCount& sum) {
  if (more.results == 0) return;
  sum.since = sum.results == 0 ? more.since : std::min(sum.since, more.since);
  sum.results += more.results;
}

/// The fields in which the parts agree, and the time that they took together; without adapters and results.
Certification common_part(const std::vector<Part>& parts) {
  const Certification& first = parts.front().certification;
  Certification whole;
  whole.version = first.version;
  whole.manifest_digest = first.manifest_digest;
  whole.started = first.started;
  whole.ended = first.ended;
  whole.selector = first.selector;
  whole.limits = first.limits;
  whole.isolation = first.isolation;
  for (const Part& part : parts) {
    whole.started = std::min(whole.started, part.certification.started);
    whole.ended = std::max(whole.ended, part.certification.ended);
    keep_what_agrees(whole.limits, part.certification.limits);
    keep_what_agrees(whole.isolation, part.certification.isolation);
    add_wall_times(part.certification.wall_times, whole.wall_times);
    add_kept(part.certification.kept, whole.kept);
  }
  return whole;
}

Certification merged_shards(const Suite& suite, std::vector<Part> parts) {
  require_same_settings(parts, {"shard"});
  require_every_shard(parts);
  const Certification& first = parts.front().certification;
  Certification whole = common_part(parts);
  whole.vectors = selected(summaries(suite), selection_from(whole.selector));
  for (std::size_t i = 0; i < first.adapters.size(); ++i) whole.adapters.push_back(identity_in(parts, i));
  whole.results = results_in(parts, whole);
  return whole;
}

bool share_an_adapter(const Part& one, const Part& other) {
  return std::ranges::any_of(one.certification.adapters, [&](const AdapterIdentity& adapter) {
    const std::vector<AdapterIdentity>& others = other.certification.adapters;
    return std::ranges::find(others, adapter.name, &AdapterIdentity::name) != others.end();
  });
}

/// Parts of the same adapters are shards of one certification. The order of the groups is that of their first parts.
std::vector<std::vector<Part>> grouped_by_adapters(std::vector<Part> parts) {
  std::vector<std::vector<Part>> groups;
  for (Part& part : parts) {
    const auto group = std::ranges::find_if(
        groups, [&](const std::vector<Part>& those) { return share_an_adapter(those.front(), part); });
    std::vector<Part>& there = group == groups.end() ? groups.emplace_back() : *group;
    there.push_back(std::move(part));
  }
  return groups;
}

}  // namespace

Suite suite_of(const Project& project, std::span<const Part> parts) {
  std::vector<Selection> selections;
  selections.reserve(parts.size());
  for (const Part& part : parts) selections.push_back(selection_from(part.certification.selector));
  return read_suite(project, [&](const VectorSummary& vector) {
    return std::ranges::any_of(selections, [&](const Selection& each) { return each.selects(vector); });
  });
}

void add_vectors(const Suite& suite, Part& part) {
  Certification& certification = part.certification;
  if (certification.manifest_digest != suite.digest) {
    throw Error(fmt::format("{} was made with the manifest {}; this project's is {}", part.name,
                            certification.manifest_digest, suite.digest));
  }
  certification.vectors =
      selected(summaries(suite), selection_from(certification.selector), shard_from(certification.shard));
  require_all_results(part);
}

Certification merge(const Suite& suite, std::vector<Part> parts) {
  if (parts.empty()) throw Error("nothing to merge");
  for (Part& part : parts) add_vectors(suite, part);
  std::vector<Part> wholes;
  for (std::vector<Part>& group : grouped_by_adapters(std::move(parts))) {
    const std::string name = group.front().name;
    wholes.push_back({name, merged_shards(suite, std::move(group))});
  }
  require_same_settings(wholes, {"adapters"});
  Certification whole = common_part(wholes);
  whole.vectors = wholes.front().certification.vectors;
  for (Part& part : wholes) {
    std::ranges::move(part.certification.adapters, std::back_inserter(whole.adapters));
    std::ranges::move(part.certification.results, std::back_inserter(whole.results));
  }
  return whole;
}

}  // namespace ifcert::conformance
