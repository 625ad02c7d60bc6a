#include "conformance/runtimes/read_adapter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "conformance/runtimes/onnx_backend.hpp"
#include "conformance/runtimes/pinned_packages.hpp"
#include "conformance/runtimes/versions.hpp"
#include "conformance/sandbox/bubblewrap.hpp"
#include "conformance/system/digest.hpp"
#include "conformance/system/error.hpp"
#include "conformance/system/file.hpp"
#include "conformance/system/schema.hpp"
#include "conformance/system/suggestion.hpp"

namespace ifcert::conformance {
namespace {

namespace fs = std::filesystem;

constexpr const char* manifest_name = "adapter.json";

std::string filled_in(std::string text, const std::map<std::string, std::string>& paths) {
  for (const auto& [placeholder, path] : paths) {
    for (std::size_t at = 0; (at = text.find(placeholder, at)) != std::string::npos; at += path.size()) {
      text.replace(at, placeholder.size(), path);
    }
  }
  return text;
}

/// Replaces a word {program:node} by the path of this program, found in PATH, so that the folder in which the program
/// is installed can be made visible to the adapter. Where PATH does not have it, by its name.
std::string with_path_of_program(const std::string& word) {
  constexpr std::string_view placeholder = "{program:";
  if (!word.starts_with(placeholder) || !word.ends_with('}')) return word;
  std::string name = word.substr(placeholder.size(), word.size() - placeholder.size() - 1);
  try {
    return program_of({name}).string();
  } catch (const Error&) {
    return name;
  }
}

bool is_path(std::string_view name_or_path) {
  return name_or_path == "." || name_or_path == ".." || name_or_path.find('/') != std::string_view::npos;
}

void require_adapter(const Project& project, std::string_view name_or_path) {
  if (is_path(name_or_path)) {
    const fs::path folder = adapter_folder(project, name_or_path);
    if (fs::exists(folder / manifest_name)) return;
    throw Error(fmt::format("{} contains no {}: it is not the folder of an adapter", folder.string(), manifest_name));
  }
  const std::vector<std::string> names = adapter_names(project);
  if (std::ranges::find(names, name_or_path) != names.end()) return;
  throw Error(fmt::format("there is no adapter '{0}'; available: {1} (for one of your own, give its folder: ./{0}){2}",
                          name_or_path, fmt::join(names, ", "), did_you_mean(name_or_path, names)));
}

std::vector<OlderRequirements> older_requirements(const nlohmann::json& install) {
  std::vector<OlderRequirements> older;
  if (install.is_null()) return older;
  for (const nlohmann::json& each : install.value("older", nlohmann::json::array()))
    older.push_back({each.at("below"), each.at("python")});
  return older;
}

/// `python` is a list of packages, or names a file that has their digests too.
void read_python_packages(const nlohmann::json& install, const std::map<std::string, std::string>& paths,
                          Adapter& adapter) {
  if (!install.contains("python")) return;
  const nlohmann::json& python = install.at("python");
  if (python.is_array()) {
    python.get_to(adapter.requirements);
    return;
  }
  adapter.pins = filled_in(python.get<std::string>(), paths);
  adapter.requirements = read_pinned_packages(adapter.pins);
  adapter.digest = sha256(adapter.digest + read_file(adapter.pins));
}

/// Turns the adapter into one with another version of its runtime, with a separate name, environment and digest.
void use_version(Adapter& adapter, const std::string& version, const nlohmann::json& manifest) {
  try {
    require_version(version);
    if (is_installed_by_pip(adapter)) {
      adapter.requirements =
          requirements_of(adapter.requirements, adapter.version, version, older_requirements(manifest.at("install")));
    } else {
      for (InstallStep& step : adapter.steps) step = with_version(step, adapter.version, version);
    }
  } catch (const Error& fault) {
    throw Error(fmt::format("{}: {}", adapter.name, fault.what()));
  }
  adapter.pins.clear();  // nobody knows the digests of another version beforehand
  adapter.name += "@" + version;
  adapter.environment += "@" + version;
  adapter.digest = sha256(adapter.digest + "@" + version);
  adapter.version = version;
}

}  // namespace

std::vector<std::string> adapter_names(const Project& project) {
  std::vector<std::string> names;
  std::error_code missing;
  for (const fs::directory_entry& entry : fs::directory_iterator(project.adapters(), missing)) {
    if (fs::exists(entry.path() / manifest_name)) names.push_back(entry.path().filename().string());
  }
  std::ranges::sort(names);
  return names;
}

fs::path adapter_folder(const Project& project, std::string_view name_or_path) {
  return is_path(name_or_path) ? fs::weakly_canonical(name_or_path) : project.adapters() / name_or_path;
}

Adapter read_adapter(const Project& project, std::string_view name_path_or_version) {
  if (is_onnx_backend(name_path_or_version)) return onnx_backend_adapter(project, name_path_or_version);
  const auto [name_or_path, version] = split_version(name_path_or_version);
  require_adapter(project, name_or_path);
  const fs::path folder = adapter_folder(project, name_or_path);
  const fs::path file = folder / manifest_name;
  const nlohmann::json manifest = read_json(file, Schema(project.protocol("adapter.schema.json")));
  Adapter adapter;
  adapter.requested_as = name_path_or_version;
  adapter.folder = fs::absolute(folder);
  adapter.digest = sha256(read_file(file));
  manifest.at("name").get_to(adapter.name);
  if (!is_path(name_or_path) && adapter.name != name_or_path)
    throw Error(fmt::format("{} names its adapter '{}'", file.string(), adapter.name));
  manifest.at("systems").get_to(adapter.systems);
  manifest.at("version").get_to(adapter.version);
  manifest.at("home").get_to(adapter.home);
  if (const nlohmann::json& install = manifest.at("install"); !install.is_null()) {
    install.at("environment").get_to(adapter.environment);
    const nlohmann::json programs = install.value("programs", nlohmann::json::object());
    for (const auto& [program, package] : programs.items()) adapter.programs.push_back({program, package});
    if (install.contains("cost")) adapter.cost = {install["cost"].at("seconds"), install["cost"].at("megabytes")};
  }
  std::map<std::string, std::string> paths{{"{adapter}", folder.string()},
                                           {"{adapters}", project.adapters().string()},
                                           {"{bin}", project.executables.string()}};
  read_python_packages(manifest.at("install"), paths, adapter);
  for (const std::string_view tool : tool_names()) {
    const std::string name(tool);
    if (manifest.at("install").contains(name))
      adapter.steps.push_back({name, filled_in(manifest["install"][name].get<std::string>(), paths)});
  }
  if (!version.empty() && version != adapter.version) use_version(adapter, version, manifest);
  paths.emplace("{environment}", project.environment(adapter.environment).string());
  if (manifest.at("install").contains("cmake"))
    adapter.sources = filled_in(manifest["install"]["cmake"].get<std::string>(), paths);
  for (const nlohmann::json& part : manifest.at("command")) {
    adapter.command.push_back(with_path_of_program(filled_in(part.get<std::string>(), paths)));
  }
  adapter.reads.push_back(folder);
  if (!adapter.environment.empty()) adapter.reads.push_back(project.environment(adapter.environment));
  for (const nlohmann::json& path : manifest.value("reads", nlohmann::json::array())) {
    adapter.reads.emplace_back(filled_in(path.get<std::string>(), paths));
  }
  if (manifest.contains("variables")) manifest.at("variables").get_to(adapter.variables);
  const nlohmann::json env = manifest.value("env", nlohmann::json::object());
  for (const auto& [variable, value] : env.items())
    adapter.env.emplace(variable, filled_in(value.get<std::string>(), paths));
  return adapter;
}

}  // namespace ifcert::conformance
