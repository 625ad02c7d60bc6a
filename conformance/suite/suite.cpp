#include "conformance/suite/suite.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "conformance/suite/judge.hpp"
#include "conformance/suite/protocol_value.hpp"
#include "conformance/suite/vector_files.hpp"
#include "conformance/system/digest.hpp"
#include "conformance/system/error.hpp"
#include "conformance/system/file.hpp"
#include "conformance/system/schema.hpp"

namespace ifcert::conformance {

using nlohmann::json;

namespace {

namespace fs = std::filesystem;

/// For people and the runner; all other files belong to the model.
bool is_ours(const fs::path& name) {
  return name == "vector.json" || name == "model.txt";
}

/// Data in other vectors' folders that the model refers to, as "../other/weights.bin". A runtime that follows such a
/// path must find the file, or its refusal would show something else.
void add_neighbours(ModelFiles& files) {
  const std::string model = files.bytes.at(files.model);
  if (model.find("../") == std::string::npos) return;
  for (const fs::directory_entry& file : fs::recursive_directory_iterator(files.origin.parent_path())) {
    const fs::path name = ".." / file.path().lexically_relative(files.origin.parent_path());
    const bool is_data = file.is_regular_file() && !is_ours(name.filename()) && name.filename() != files.model;
    if (is_data && model.find(name.string()) != std::string::npos) files.bytes.emplace(name, read_file(file.path()));
  }
}

/// The files that adapters are passed, from the bytes that were verified.
ModelFiles files_for_adapters(const fs::path& folder, std::string model, std::map<fs::path, std::string> bytes) {
  std::erase_if(bytes, [](const auto& file) { return is_ours(file.first); });
  ModelFiles files{std::move(model), std::move(bytes), folder};
  add_neighbours(files);
  files.folder = opaque_name(files);
  return files;
}

/// Throws Error when an expected value or an input contradicts itself.
void verify_values(const json& named_values) {
  for (const json& named : named_values) {
    if (const std::string found = contradiction(named.at("value")); !found.empty()) {
      throw Error(fmt::format("the value of {} contradicts itself: {}", named.at("name").get<std::string>(), found));
    }
  }
}

void verify_outcome(const json& outcome) {
  if (outcome.contains("outputs")) verify_values(outcome.at("outputs"));
  if (!outcome.contains("either")) return;
  for (const json& one : outcome.at("either")) verify_outcome(one);
}

/// A reread expects exactly the values of an earlier run that holds its outputs.
void verify_reread(const json& steps, std::size_t index) {
  const json& reread = steps[index].at("reread");
  const auto held = reread.at("step").get<std::size_t>();
  if (held >= index || !steps[held].contains("run") || !steps[held].at("run").value("hold", false)) {
    throw Error(
        fmt::format("step {} reads step {} again, which is not an earlier run that holds its outputs", index, held));
  }
  if (reread.at("expect") != expected_outcome(steps, held)) {
    throw Error(fmt::format("step {} expects something other than step {}, which it reads again", index, held));
  }
}

void verify_run(const json& run) {
  verify_outcome(run.at("expect"));
  verify_values(run.at("inputs"));
}

void verify_steps(const json& steps) {
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (steps[i].contains("run")) verify_run(steps[i].at("run"));
    if (steps[i].contains("reread")) verify_reread(steps, i);
    if (!steps[i].contains("concurrent")) continue;
    for (const json& run : steps[i].at("concurrent").at("runs")) verify_run(run);
  }
}

/// Features that a step uses beyond the basic messages must be listed in `needs`; otherwise adapters without them would
/// be tested on it.
void verify_needs(const json& steps, const json& needs) {
  const auto require = [&needs](const char* word, std::size_t step) {
    if (std::ranges::find(needs, word) == needs.end()) throw Error(fmt::format("step {} needs '{}'", step, word));
  };
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (steps[i].contains("run") && steps[i].at("run").value("hold", false)) require("hold", i);
    if (steps[i].contains("concurrent")) require("threads", i);
  }
}

/// The model for people: model.txt, or the model itself where it is a text.
std::string text_of(const std::map<fs::path, std::string>& files, const std::string& model) {
  const auto text = files.find("model.txt");
  return text != files.end() ? text->second : printable_lines(files.at(model));
}

/// Throws Error when the vector differs from the manifest's entry.
void read_vector(const std::filesystem::path& folder, const json& entry, const Schema& schema, Vector& vector) {
  std::map<fs::path, std::string> files = verified_files(folder, entry.at("files"));
  const auto text = files.find("vector.json");
  if (text == files.end()) throw Error(fmt::format("the manifest lists no {}", (folder / "vector.json").string()));
  const json description = parsed_json(text->second, folder / "vector.json", schema);
  for (const char* key : {"id", "system", "rules", "axis"}) {
    if (description.at(key) != entry.at(key)) {
      throw Error(fmt::format("vector.json has {} {}; the manifest has {}", key, description.at(key).dump(),
                              entry.at(key).dump()));
    }
  }
  verify_steps(description.at("steps"));
  verify_needs(description.at("steps"), description.at("needs"));
  description.at("title").get_to(vector.summary.title);
  vector.summary.why = description.at("why");
  vector.summary.steps = description.at("steps");
  vector.summary.twin = description.value("twin", "");
  vector.summary.obliged_by = description.value("obliged_by", json());
  vector.needs = description.at("needs");
  const auto model = description.at("model").get<std::string>();
  if (!files.contains(model)) throw Error(fmt::format("the manifest lists no {}", (folder / model).string()));
  vector.summary.model = folder / model;
  vector.summary.model_path = fmt::format("vectors/{}/{}", entry.at("path").get<std::string>(), model);
  vector.summary.model_text = text_of(files, model);
  vector.files = files_for_adapters(folder, model, std::move(files));
}

Vector vector_of(const json& entry) {
  Vector vector;
  entry.at("id").get_to(vector.summary.id);
  entry.at("system").get_to(vector.summary.system);
  entry.at("profiles").get_to(vector.summary.profiles);
  entry.at("source").get_to(vector.summary.source);
  entry.at("rules").at(0).get_to(vector.summary.rule);
  vector.summary.axis = axis_from(entry.at("axis").get<std::string>());
  return vector;
}

std::filesystem::path manifest_file(const Project& project) {
  return project.vectors() / "manifest.json";
}

json manifest_of(const Project& project) {
  return read_json(manifest_file(project), Schema(project.vectors() / "schemas" / "manifest.schema.json"));
}

Suite listed(const Project& project, const json& manifest) {
  const std::filesystem::path file = manifest_file(project);
  Suite suite{sha256(read_file(file)), {}};
  for (const json& entry : manifest.at("vectors")) {
    suite.vectors.push_back(vector_of(entry));
    const std::string& id = suite.vectors.back().summary.id;
    if (!suite.indices.emplace(id, suite.vectors.size() - 1).second) {
      throw Error(fmt::format("{} lists {} twice", file.string(), id));
    }
  }
  if (suite.vectors.empty()) throw Error(fmt::format("{} lists no vector", file.string()));
  return suite;
}

/// The manifest's vectors, of which some have been read.
class Reader {
 public:
  explicit Reader(const Project& project)
      : project_(project), manifest_(manifest_of(project)), suite_(listed(project, manifest_)) {}

  /// Without its twin, a vector that expects a refusal is passed by refusing everything.
  void read_with_twin(std::size_t i) {
    read(i);
    Vector& vector = suite_.vectors[i];
    const std::string& twin = vector.summary.twin;
    if (twin.empty() || !vector.unusable.empty()) return;
    const Vector* other = twin == vector.summary.id ? nullptr : suite_.find(twin);
    if (other == nullptr)
      vector.unusable = fmt::format("its twin {} is not in the manifest", twin);
    else
      read(static_cast<std::size_t>(other - suite_.vectors.data()));
  }

  std::size_t size() const { return suite_.vectors.size(); }
  const VectorSummary& summary(std::size_t i) const { return suite_.vectors[i].summary; }
  Suite suite() && { return std::move(suite_); }

 private:
  void read(std::size_t i) {
    if (std::exchange(read_.at(i), 1) != 0) return;
    const json& entry = manifest_.at("vectors").at(i);
    try {
      read_vector(project_.vectors() / entry.at("path").get<std::string>(), entry, schema_, suite_.vectors[i]);
    } catch (const Error& fault) {
      suite_.vectors[i].unusable = fault.what();
    }
  }

  const Project& project_;
  json manifest_;
  Suite suite_;
  Schema schema_{project_.vectors() / "schemas" / "vector.schema.json"};
  std::vector<char> read_ = std::vector<char>(suite_.vectors.size());
};

}  // namespace

const Vector* Suite::find(std::string_view id) const {
  const auto found = indices.find(id);
  return found == indices.end() ? nullptr : &vectors[found->second];
}

Suite read_manifest(const Project& project) {
  return listed(project, manifest_of(project));
}

Suite read_suite(const Project& project) {
  return read_suite(project, [](const VectorSummary&) { return true; });
}

Suite read_suite(const Project& project, const Wanted& wanted) {
  Reader reader(project);
  for (std::size_t i = 0; i < reader.size(); ++i) {
    if (wanted(reader.summary(i))) reader.read_with_twin(i);
  }
  return std::move(reader).suite();
}

std::vector<VectorSummary> summaries(const Suite& suite) {
  std::vector<VectorSummary> all;
  all.reserve(suite.vectors.size());
  for (const Vector& vector : suite.vectors) all.push_back(vector.summary);
  return all;
}

}  // namespace ifcert::conformance
