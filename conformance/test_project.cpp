#include "conformance/test_project.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "conformance/digest.hpp"
#include "conformance/file.hpp"

namespace ifcert::conformance {

using nlohmann::json;

namespace {

namespace fs = std::filesystem;

const fs::path source = IFCERT_BUILT_FROM;

json entry_of(const fs::path& vectors, const fs::path& folder) {
  const json description = read_json(folder / "vector.json");
  json entry{
      {"path", fs::relative(folder, vectors).string()}, {"source", "vectors/onnx/choice/test.py"}, {"files", json::object()}};
  for (const char* key : {"id", "system", "rules", "axis"}) entry[key] = description.at(key);
  entry["profiles"] = json::array({description.at("system")});
  for (const char* name : {"model.onnx", "model.txt", "vector.json"})
    entry["files"][name] = sha256(read_file(folder / name));
  return entry;
}

}  // namespace

TestProject::TestProject(const std::string& vectors, const fs::path& parent)
    : folder_(parent), project_{folder_.path(), folder_.path()} {
  fs::create_directories(project_.vectors());
  fs::create_directories(project_.adapters());
  fs::create_directory_symlink(source / "conformance" / "schemas", folder_.path() / "conformance" / "schemas");
  fs::create_directory_symlink(source / "conformance" / "protocol", folder_.path() / "conformance" / "protocol");
  fs::create_directory_symlink(source / "vectors" / "schemas", project_.vectors() / "schemas");
  fs::copy(source / "conformance" / vectors, project_.vectors(), fs::copy_options::recursive);
  write_manifest();
}

void TestProject::write_manifest() const {
  std::map<std::string, json> entries;
  for (const fs::directory_entry& file : fs::recursive_directory_iterator(project_.vectors())) {
    if (file.path().filename() != "vector.json") continue;
    json entry = entry_of(project_.vectors(), file.path().parent_path());
    entries.emplace(entry.at("id").get<std::string>(), std::move(entry));
  }
  json vectors = json::array();
  for (auto& [id, entry] : entries) vectors.push_back(std::move(entry));
  replace_file(project_.vectors() / "manifest.json", json{{"format", 4}, {"vectors", vectors}}.dump());
}

Adapter TestProject::adapter(const std::string& script) const {
  std::string name = script;
  std::ranges::replace(name, '_', '-');
  const fs::path program = source / "conformance" / "lying_adapters" / (script + ".py");
  const json manifest{{"name", name},
                      {"systems", {"onnx"}},
                      {"version", "1.0"},
                      {"home", "https://example.org"},
                      {"install", nullptr},
                      {"command", {"python3", program.string(), name, mark()}},
                      {"variables", {"IFCERT_VICTIMS"}}};
  replace_file(project_.adapters() / name / "adapter.json", manifest.dump());
  return read_adapter(project_, name);
}

std::string TestProject::mark() const {
  return folder_.path().filename().string();
}

void TestProject::list_failures(const std::string& adapter, const json& failures) const {
  replace_file(project_.adapters() / adapter / "known_failures.json",
               json{{"adapter", adapter}, {"failures", failures}}.dump());
}

}  // namespace ifcert::conformance
