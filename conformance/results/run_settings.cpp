#include "conformance/results/run_settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

namespace ifcert::conformance {

using nlohmann::json;

namespace {

/// "limits.timeout_s" → "30.0", for every setting.
std::map<std::string, std::string> texts_by_name(const json& settings) {
  std::map<std::string, std::string> all;
  const json flat = settings.flatten();
  for (const auto& [pointer, value] : flat.items()) {
    std::string name = pointer.substr(1);
    std::ranges::replace(name, '/', '.');
    all.emplace(std::move(name), value.dump());
  }
  return all;
}

}  // namespace

json settings_of(const Certification& certification) {
  json limits = certification.limits;
  limits.erase("jobs");
  json adapters = json::array();
  for (const AdapterIdentity& adapter : certification.adapters) {
    adapters.push_back(
        {{"name", adapter.name}, {"version", adapter.version}, {"digest", adapter.digest}, {"files", adapter.files}});
  }
  return {{"manifest", certification.manifest_digest},
          {"selector", certification.selector},
          {"shard", certification.shard},
          {"limits", std::move(limits)},
          {"adapters", std::move(adapters)}};
}

std::string difference(const json& there, const json& here) {
  std::map<std::string, std::string> left = texts_by_name(there);
  std::map<std::string, std::string> right = texts_by_name(here);
  std::map<std::string, std::string> names = left;
  names.insert(right.begin(), right.end());
  std::vector<std::string> differences;
  for (const auto& [name, ignored] : names) {
    const std::string& one = left.try_emplace(name, "nothing").first->second;
    const std::string& other = right.try_emplace(name, "nothing").first->second;
    if (one != other) differences.push_back(fmt::format("{} is {} there and {} here", name, one, other));
  }
  return fmt::format("{}", fmt::join(differences, "; "));
}

}  // namespace ifcert::conformance
