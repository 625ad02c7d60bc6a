#include "conformance/results/run_settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "conformance/results/result_json.hpp"

namespace ifcert::conformance {

using nlohmann::json;

namespace {

/// "30.0" for "/limits/timeout_s".
std::string text_at(const json& flat, const std::string& pointer) {
  return flat.contains(pointer) ? flat.at(pointer).dump() : "nothing";
}

/// "limits.timeout_s" for "/limits/timeout_s".
std::string dotted(const std::string& pointer) {
  std::string name = pointer.substr(1);
  std::ranges::replace(name, '/', '.');
  return name;
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
  const json left = there.flatten(), right = here.flatten();
  json all = left;
  all.update(right);
  std::vector<std::string> differences;
  for (const auto& [pointer, ignored] : all.items()) {
    const std::string one = text_at(left, pointer), other = text_at(right, pointer);
    if (one != other) differences.push_back(fmt::format("{} is {} there and {} here", dotted(pointer), one, other));
  }
  return fmt::format("{}", fmt::join(differences, "; "));
}

std::string difference(const AdapterIdentity& there, const AdapterIdentity& here) {
  json left = json_of(there), right = json_of(here);
  left.erase("called");  // one folder may have several paths
  right.erase("called");
  return difference(left, right);
}

}  // namespace ifcert::conformance
