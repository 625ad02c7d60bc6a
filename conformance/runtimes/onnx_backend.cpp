#include "conformance/runtimes/onnx_backend.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "conformance/system/command.hpp"
#include "conformance/system/digest.hpp"
#include "conformance/system/error.hpp"
#include "conformance/system/file.hpp"

namespace ifcert::conformance {
namespace {

constexpr std::string_view prefix = "onnx-backend:";

}  // namespace

bool is_onnx_backend(std::string_view name) {
  return name.starts_with(prefix);
}

std::string onnx_backend_name(std::string_view module) {
  return fmt::format("{}{}", prefix, module);
}

Adapter onnx_backend_adapter(const Project& project, std::string_view name) {
  const std::string module(name.substr(prefix.size()));
  const std::filesystem::path sources = project.root / "conformance" / "runtimes" / "onnx_backend";
  const std::string here = std::filesystem::current_path().string();
  nlohmann::json found;
  try {
    found = parsed_json(output_of({"python3", (sources / "describe.py").string(), module, here}), "its description");
  } catch (const std::exception& fault) {
    throw Error(fmt::format("python3 has no backend {}: {}", module, fault.what()));
  }
  Adapter adapter;
  adapter.name = adapter.requested_as = name;
  adapter.systems = {"onnx"};
  found.at("version").get_to(adapter.version);
  found.at("home").get_to(adapter.home);
  adapter.command = {found.at("python"), (sources / "adapter.py").string(), module, here};
  adapter.reads = {sources};
  for (const nlohmann::json& folder : found.at("reads")) adapter.reads.emplace_back(folder.get<std::string>());
  adapter.digest = sha256(adapter.name + "@" + adapter.version);
  return adapter;
}

}  // namespace ifcert::conformance
