#include "conformance/certify/kept_results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ifcert/message.hpp>
#include <iterator>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "conformance/results/cost.hpp"
#include "conformance/results/run_settings.hpp"
#include "conformance/system/digest.hpp"
#include "conformance/system/error.hpp"

namespace ifcert::conformance {

using nlohmann::json;

namespace {

using Names = std::set<std::pair<std::string, std::string>>;  // adapter, vector

constexpr std::size_t digits = 16;  // of a vector's digest

/// What must be the same, for results of different runs to stand side by side.
json lasting_settings(const Certification& certification) {
  json settings = settings_of(certification);
  settings.erase("manifest");
  settings.erase("selector");
  settings["isolation"] = certification.isolation;
  settings["ifcert"] = certification.version;
  return settings;
}

Names names_in(const Certification& plan) {
  Names names;
  for (const AdapterIdentity& adapter : plan.adapters) {
    for (const VectorSummary& vector : plan.vectors) {
      if (in_scope(adapter, vector)) names.emplace(adapter.name, vector.id);
    }
  }
  return names;
}

Names unjudged_in(const Certification& earlier) {
  Names names;
  for (const Result& result : earlier.results) {
    if (is_inconclusive(result.verdict)) names.emplace(result.adapter, result.vector);
  }
  return names;
}

std::string names_of(const std::vector<AdapterIdentity>& adapters) {
  std::string names;
  for (const AdapterIdentity& adapter : adapters) names += (names.empty() ? "" : ", ") + adapter.name;
  return names;
}

/// Throws Error where the earlier run had other adapters, another version of ifcert or other settings than the plan.
void require_same_run(const Part& earlier, const Certification& plan) {
  const auto refuse = [&](const std::string& what) {
    throw Error(fmt::format("{} has the results of {} (to run all vectors, leave out --update)", earlier.name,
                            printable(what)));
  };
  const std::string then = names_of(earlier.certification.adapters), now = names_of(plan.adapters);
  if (then != now) refuse(fmt::format("{}; this run is of {}", then, now));
  const std::string found = difference(lasting_settings(earlier.certification), lasting_settings(plan));
  if (!found.empty()) refuse(fmt::format("another run: {}", found));
}

bool is_unchanged(const Suite& suite, const Result& result, const std::string& manifest_digest) {
  const std::string digest = digest_with_twin(suite, *suite.find(result.vector));
  if (digest.empty()) return false;
  return result.vector_digest.empty() ? manifest_digest == suite.digest : result.vector_digest == digest;
}

const AdapterIdentity& adapter_in(const Certification& kept, const std::string& name) {
  return *std::ranges::find(kept.adapters, name, &AdapterIdentity::name);
}

}  // namespace

std::string digest_with_twin(const Suite& suite, const Vector& vector) {
  if (vector.digest.empty()) return "";
  const Vector* twin = vector.summary.twin.empty() ? nullptr : suite.find(vector.summary.twin);
  return sha256(vector.digest + (twin == nullptr ? "" : twin->digest)).substr(0, digits);
}

Certification kept_results(const Suite& suite, const Certification& plan, Part part) {
  require_same_run(part, plan);
  Certification& earlier = part.certification;
  const Names wanted = names_in(plan), unjudged = unjudged_in(earlier);
  std::erase_if(earlier.results, [&](const Result& result) {
    if (!wanted.contains({result.adapter, result.vector}) || unjudged.contains({result.adapter, result.vector}))
      return true;
    const std::string& twin = suite.find(result.vector)->summary.twin;
    return unjudged.contains({result.adapter, twin}) || !is_unchanged(suite, result, earlier.manifest_digest);
  });
  return std::move(earlier);
}

void require_same_runtime(const Certification& kept, const AdapterIdentity& adapter) {
  const std::string found = difference(adapter_in(kept, adapter.name), adapter);
  if (found.empty()) return;
  throw Error(
      fmt::format("the earlier results (there) and those of this run (here) are of different runtimes: {} (to "
                  "run all vectors, leave out --update)",
                  printable(found)));
}

AdapterIdentity kept_identity(const Certification& kept, const AdapterIdentity& adapter) {
  AdapterIdentity identity = adapter_in(kept, adapter.name);
  identity.folder = adapter.folder;
  return identity;
}

void add_kept_results(const Certification& kept, Certification& certification) {
  if (kept.results.empty()) return;
  const std::string since = kept.kept.results > 0 ? std::min(kept.kept.since, kept.started) : kept.started;
  certification.kept = {kept.results.size(), since};
  add_wall_times(kept.wall_times, certification.wall_times);
  std::ranges::copy(kept.results, std::back_inserter(certification.results));
  std::map<std::string_view, std::size_t> adapters, vectors;  // their places
  for (const AdapterIdentity& adapter : certification.adapters) adapters.emplace(adapter.name, adapters.size());
  for (const VectorSummary& vector : certification.vectors) vectors.emplace(vector.id, vectors.size());
  std::ranges::sort(certification.results, {}, [&](const Result& result) {
    return std::pair(adapters.at(result.adapter), vectors.at(result.vector));
  });
}

}  // namespace ifcert::conformance
