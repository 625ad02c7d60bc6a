#include "conformance/runtimes/adapter.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace ifcert::conformance {

bool is_installed_by_pip(const Adapter& adapter) {
  const auto pins_version = [&adapter](const std::string& each) { return each.ends_with("==" + adapter.version); };
  return adapter.steps.empty() || std::ranges::any_of(adapter.requirements, pins_version);
}

AdapterIdentity identity_in_manifest(const Adapter& adapter) {
  AdapterIdentity identity;
  identity.name = adapter.name;
  identity.runtime = adapter.name;
  identity.version = adapter.version;
  identity.home = adapter.home;
  identity.systems = adapter.systems;
  identity.digest = adapter.digest;
  identity.files = adapter.files;
  identity.folder = adapter.folder.string();
  identity.unsupported_features = nlohmann::json::array();
  return identity;
}

}  // namespace ifcert::conformance
