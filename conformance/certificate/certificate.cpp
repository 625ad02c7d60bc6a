#include "conformance/certificate/certificate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "conformance/results/counts.hpp"
#include "conformance/suite/profiles.hpp"
#include "conformance/system/canonical_json.hpp"
#include "conformance/system/digest.hpp"
#include "conformance/system/json_text.hpp"

namespace ifcert::conformance {
namespace {

using nlohmann::json;

constexpr int certificate_format = 1;

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
              {"cannot", adapter.cannot},
              {"levels", levels_in(counted.certification(), adapter)},
              {"rules", rules_of(counted, adapter)},
              {"waivers", waivers_of(counted.certification(), adapter)}};
  if (!adapter.files.empty()) object["files"] = adapter.files;
  return object;
}

std::string quoted(const json* value) {
  return value == nullptr ? "nothing" : value->dump();
}

std::string difference_at(const std::string& pointer, const json* there, const json* here);

std::string difference_of_items(const std::string& pointer, const json& there, const json& here) {
  const auto item = [](const json& array, std::size_t i) { return i < array.size() ? &array[i] : nullptr; };
  std::string found;
  for (std::size_t i = 0; i < std::max(there.size(), here.size()) && found.empty(); ++i)
    found = difference_at(fmt::format("{}/{}", pointer, i), item(there, i), item(here, i));
  return found;
}

std::string difference_of_members(const std::string& pointer, const json& there, const json& here) {
  std::set<std::string> names;
  for (const json* object : {&there, &here}) {
    for (const auto& [name, value] : object->items()) names.insert(name);
  }
  const auto member = [](const json& object, const std::string& name) {
    return object.contains(name) ? &object.at(name) : nullptr;
  };
  std::string found;
  for (const std::string& name : names) {
    if (found.empty())
      found = difference_at(fmt::format("{}/{}", pointer, name), member(there, name), member(here, name));
  }
  return found;
}

/// The first member or item that differs, depth first; null for one that is absent.
std::string difference_at(const std::string& pointer, const json* there, const json* here) {
  if (there != nullptr && here != nullptr) {
    if (there->is_array() && here->is_array()) return difference_of_items(pointer, *there, *here);
    if (there->is_object() && here->is_object()) return difference_of_members(pointer, *there, *here);
    if (*there == *here) return "";
  }
  return fmt::format("{}: the certificate has {}; the results have {}", pointer, quoted(there), quoted(here));
}

}  // namespace

std::string certificate_text(const Certification& certification, std::string_view results) {
  const Counted counted(certification);
  json adapters = json::array();
  for (const AdapterIdentity& adapter : certification.adapters) adapters.push_back(json_of(counted, adapter));
  return canonical_json({{"certificate", certificate_format},
                         {"ifcert", certification.version},
                         {"manifest", certification.manifest_digest},
                         {"results", sha256(results)},
                         {"started", certification.started},
                         {"ended", certification.ended},
                         {"selector", certification.selector},
                         {"shard", certification.shard},
                         {"limits", certification.limits},
                         {"isolation", certification.isolation},
                         {"adapters", std::move(adapters)}});
}

std::string first_difference(std::string_view certificate, std::string_view recomputed) {
  if (certificate == recomputed) return "";
  const auto [there, fault, detail] = parse_json(certificate);
  if (!fault.empty()) return fmt::format("the certificate {}", fault);
  const json here = parse_json(recomputed).document;
  std::string found = difference_at("", &there, &here);
  if (!found.empty()) return found;
  const auto at = std::ranges::mismatch(certificate, recomputed).in1 - certificate.begin();
  return fmt::format("byte {}: the certificate is not canonical JSON (RFC 8785)", at);
}

}  // namespace ifcert::conformance
