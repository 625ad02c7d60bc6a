#include "conformance/testing/test_project.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "conformance/runtimes/read_adapter.hpp"
#include "conformance/system/digest.hpp"
#include "conformance/system/error.hpp"
#include "conformance/system/file.hpp"

namespace ifcert::conformance {

using nlohmann::json;

namespace {

namespace fs = std::filesystem;

const fs::path source = IFCERT_BUILT_FROM;

/// "wrong_id" → "class WrongId("
std::string class_statement(const std::string& fault) {
  std::string statement = "class ";
  for (std::size_t i = 0; i < fault.size(); ++i) {
    if (fault[i] == '_') continue;
    const bool begins = i == 0 || fault[i - 1] == '_';
    statement += begins ? static_cast<char>(fault[i] - 'a' + 'A') : fault[i];
  }
  return statement + "(";
}

/// The program of an adapter: a file of its name, or the one that has a class for it among others of its kind.
fs::path program_of(const std::string& fault) {
  const fs::path folder = source / "conformance" / "testing" / "faulty_adapters";
  if (fs::path program = folder / (fault + ".py"); fs::exists(program)) return program;
  for (const fs::directory_entry& file : fs::directory_iterator(folder)) {
    if (file.path().extension() == ".py" && read_file(file.path()).find(class_statement(fault)) != std::string::npos) {
      return file.path();
    }
  }
  throw Error(fmt::format("no faulty adapter is called {}", fault));
}

}  // namespace

TestProject::TestProject(const std::string& vectors, const fs::path& parent)
    : folder_(parent), project_{folder_.path(), folder_.path()} {
  fs::create_directories(project_.vectors());
  fs::create_directories(project_.adapters());
  fs::create_directory_symlink(source / "conformance" / "schemas", folder_.path() / "conformance" / "schemas");
  fs::create_directory_symlink(source / "conformance" / "protocol", folder_.path() / "conformance" / "protocol");
  fs::create_directory_symlink(source / "vectors" / "schemas", project_.vectors() / "schemas");
  fs::copy(source / "conformance" / "testing" / vectors, project_.vectors(), fs::copy_options::recursive);
  write_manifest();
}

void TestProject::write_manifest() const {
  json files = json::object();
  for (const fs::directory_entry& file : fs::recursive_directory_iterator(project_.vectors())) {
    if (file.path().filename() != "vectors.jsonl") continue;
    files[fs::relative(file.path(), project_.vectors()).string()] = sha256(read_file(file.path()));
  }
  replace_file(project_.vectors() / "manifest.json", json{{"format", 5}, {"files", files}}.dump());
}

Adapter TestProject::adapter(const std::string& fault) const {
  std::string name = fault;
  std::ranges::replace(name, '_', '-');
  const fs::path program = program_of(fault);
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
