#include "conformance/certificate/certificate.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "conformance/report/headline.hpp"
#include "conformance/results/counts.hpp"
#include "conformance/results/result_json.hpp"
#include "conformance/suite/profiles.hpp"
#include "conformance/system/canonical_json.hpp"
#include "conformance/system/digest.hpp"
#include "conformance/system/json_text.hpp"

namespace ifcert::conformance {
namespace {

using nlohmann::json;

json json_of(const Counts& counts) {
  json object{{"vectors", counts.total}};
  for (const auto& [verdict, count] : counts.verdicts) {
    if (count > 0) object[to_string(verdict)] = count;
  }
  return object;
}

json levels_in(const Certification& certification, const AdapterIdentity& adapter) {
  json levels = json::object();
  for (const Level& level : levels_of(certification, adapter)) {
    json object = json_of(level.counts);
    object["rules"] = level.rules;
    object["rules_holding"] = level.holding();
    object["missing"] = level.missing;
    object["reached"] = level.missing.empty();
    levels[level.profile][to_string(level.axis)] = std::move(object);
  }
  return levels;
}

json rules_of(const Counted& counted, const AdapterIdentity& adapter) {
  json rules = json::object();
  for (const RuleSummary& rule : counted.rules()) {
    for (const Axis axis : all_axes) {
      const Counts counts = counted.counts(adapter.name, rule.name, axis);
      if (counts.total > 0) rules[rule.name][to_string(axis)] = json_of(counts);
    }
  }
  return rules;
}

json waivers_of(const Certification& certification, const AdapterIdentity& adapter) {
  json waivers = json::array();
  for (const Result& result : certification.results) {
    if (result.adapter != adapter.name || !result.known) continue;
    waivers.push_back({{"vector", result.vector}, {"verdict", verdict_line(result)}, {"link", result.link}});
  }
  return waivers;
}

json json_of(const Counted& counted, const AdapterIdentity& adapter) {
  json object{{"name", adapter.name},
              {"runtime", adapter.runtime},
              {"version", adapter.version},
              {"language", adapter.language},
              {"manifest", adapter.digest},
              {"cannot", adapter.unsupported_features},
              {"headline", json_of(headline_of(counted, adapter.name))},
              {"levels", levels_in(counted.certification(), adapter)},
              {"rules", rules_of(counted, adapter)},
              {"waivers", waivers_of(counted.certification(), adapter)}};
  if (!adapter.files.empty()) object["files"] = adapter.files;
  return object;
}

/// The first operation of the JSON Patch (RFC 6902) from the certificate to the results, in words; empty if none is
/// needed.
std::string first_change(const json& there, const json& here) {
  const json patch = json::diff(there, here);
  if (patch.empty()) return "";
  const json& change = patch.front();
  json::json_pointer at(change.at("path").get<std::string>());
  if (change.at("op") == "add" && at.back() == "-") {  // the item after the last
    at.pop_back();
    at /= there.at(at).size();
  }
  const std::string was = change.at("op") == "add" ? "nothing" : there.at(at).dump();
  const std::string is = change.contains("value") ? change.at("value").dump() : "nothing";
  return fmt::format("{}: the certificate has {}; the results have {}", at.to_string(), was, is);
}

}  // namespace

std::string certificate_text(const Certification& certification, std::string_view results) {
  const Counted counted(certification);
  json adapters = json::array();
  for (const AdapterIdentity& adapter : certification.adapters) adapters.push_back(json_of(counted, adapter));
  json certificate{{"certificate", certificate_format},
                   {"ifcert", certification.version},
                   {"manifest", certification.manifest_digest},
                   {"results", sha256(results)},
                   {"started", certification.started},
                   {"ended", certification.ended},
                   {"selector", certification.selector},
                   {"shard", certification.shard},
                   {"limits", certification.limits},
                   {"isolation", certification.isolation},
                   {"adapters", std::move(adapters)}};
  if (certification.kept.results > 0) certificate["kept"] = json_of(certification.kept);
  return canonical_json(certificate);
}

std::string first_difference(std::string_view certificate, std::string_view recomputed) {
  if (certificate == recomputed) return "";
  const auto [there, fault, detail] = parse_json(certificate);
  if (!fault.empty()) return fmt::format("the certificate {}", fault);
  const json here = parse_json(recomputed).document;
  std::string found = first_change(there, here);
  if (!found.empty()) return found;
  const auto at = std::ranges::mismatch(certificate, recomputed).in1 - certificate.begin();
  return fmt::format("byte {}: the certificate is not canonical JSON (RFC 8785)", at);
}

}  // namespace ifcert::conformance
