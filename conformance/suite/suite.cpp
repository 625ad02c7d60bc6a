#include "conformance/suite/suite.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

#include "conformance/suite/fed_tensors.hpp"
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

/// Whether the model is in a folder with files that it names, "large/deep.onnx", rather than as "deep.onnx".
bool names_files(const fs::path& model) {
  return model.has_parent_path();
}

/// The name by which adapters see a file: of a model, which has the name of its case, "model.onnx". So the name reveals
/// nothing about the vector.
fs::path passed_name(const fs::path& file, const fs::path& model) {
  if (names_files(model) && file != model) return file.lexically_relative(model.parent_path());
  return file.stem() == model.stem() ? fs::path("model").replace_extension(file.extension()) : file;
}

/// Data in other vectors' folders that the model refers to, as "../other/weights.bin". A runtime that follows such a
/// path must find the file, or its refusal would show something else.
void add_neighbours(ModelFiles& files) {
  const std::string model = files.bytes.at(files.model);
  if (model.find("../") == std::string::npos) return;
  for (const fs::directory_entry& file : fs::recursive_directory_iterator(files.origin.parent_path())) {
    const fs::path name = ".." / file.path().lexically_relative(files.origin.parent_path());
    const bool is_data = file.is_regular_file() && name.extension() != fs::path(files.model).extension();
    if (is_data && model.find(name.string()) != std::string::npos) files.bytes.emplace(name, read_file(file.path()));
  }
}

/// The files that adapters are passed, from the bytes that were verified. `folder` is that of the rule.
ModelFiles files_for_adapters(const fs::path& folder, const fs::path& model,
                              const std::map<fs::path, std::string>& bytes) {
  ModelFiles files{.model = passed_name(model, model).string(),
                   .origin = (folder / model).parent_path(),
                   .name = model.stem().string()};
  for (const auto& [name, content] : bytes) files.bytes.emplace(passed_name(name, model), content);
  if (names_files(model)) add_neighbours(files);
  files.folder = opaque_name(files);
  return files;
}

/// The line has the digests of the vector's own files, but not those of its neighbours.
std::string digest_of(const std::string& line, const ModelFiles& files) {
  std::string text = line;
  for (const auto& [name, content] : files.bytes) {
    if (*name.begin() == "..") text += "\n" + sha256(content);
  }
  return sha256(text);
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

/// A vector's line. The folder is that of its rule, relative to vectors/.
struct Line {
  std::string folder;
  VectorLine content;
};

/// The members of a line that read_manifest() needs.
constexpr std::array<std::string_view, 7> listed_members{"id",    "system", "profiles",   "source",
                                                         "rules", "axis",   "coordinates"};

/// Whether nodes that never run may be unable to, for what is fed: a model that shows this before any run may be
/// refused, or not, so what is fed must stay unknown.
bool is_about_what_never_runs(const VectorSummary& vector) {
  return vector.coordinates.contains("failing") || vector.rule.find("/only-taken-") != std::string::npos;
}

/// Throws Error when the line does not match its schema or contradicts itself, or when a file differs from it.
void read_vector(const Project& project, const Line& line, const Schema& schema, Vector& vector) {
  json described = line.content.members();
  schema.require(described, line.content.where);
  verify_steps(described.at("steps"));
  verify_needs(described.at("steps"), described.at("needs"));
  const auto model = described.at("model").get<std::string>();
  if (!described.at("files").contains(model)) throw Error(fmt::format("its files do not include its model {}", model));
  const fs::path folder = project.vectors() / line.folder;
  vector.files = files_for_adapters(folder, model, verified_files(folder, described.at("files")));
  described.at("title").get_to(vector.summary.title);
  vector.summary.twin = described.value("twin", "");
  vector.summary.obliged_by = described.value("obliged_by", json());
  vector.summary.why = std::move(described.at("why"));
  vector.summary.steps = std::move(described.at("steps"));
  if (!is_about_what_never_runs(vector.summary)) vector.files.fed = fed_alike(vector.summary.steps);
  vector.needs = std::move(described.at("needs"));
  vector.summary.model = folder / model;
  vector.summary.model_path = fmt::format("vectors/{}/{}", line.folder, model);
  vector.digest = digest_of(line.content.text, vector.files);
}

/// What read_manifest() says about a vector.
Vector vector_of(const json& line) {
  Vector vector;
  line.at("id").get_to(vector.summary.id);
  line.at("system").get_to(vector.summary.system);
  line.at("profiles").get_to(vector.summary.profiles);
  line.at("source").get_to(vector.summary.source);
  if (line.contains("coordinates")) line.at("coordinates").get_to(vector.summary.coordinates);
  line.at("rules").at(0).get_to(vector.summary.rule);
  vector.summary.axis = axis_from(line.at("axis").get<std::string>());
  return vector;
}

json manifest_in(const Project& project, std::string_view text) {
  return parsed_json(text, manifest_file(project), Schema(project.vectors() / "schemas" / "manifest.schema.json"));
}

Schema line_schema(const Project& project) {
  return Schema(project.vectors() / "schemas" / "vector.schema.json");
}

/// The manifest's vectors, of which some have been read.
class Reader {
 public:
  explicit Reader(const Project& project) : project_(project) {
    const std::string text = read_file(manifest_file(project));
    suite_.digest = sha256(text);
    const json manifest = manifest_in(project, text);
    for (const auto& [file, digest] : manifest.at("files").items()) list(file, digest.get<std::string>());
    if (suite_.vectors.empty()) throw Error(fmt::format("{} lists no vector", manifest_file(project).string()));
  }

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
  /// Adds the vectors of a file of lines.
  void list(const std::string& file, const std::string& digest) {
    const std::string folder = fs::path(file).parent_path().string();
    for (VectorLine& line : read_lines(project_.vectors() / file, digest)) {
      add(vector_in(line), rule_of_lines(file), line.where);
      lines_.push_back({folder, std::move(line)});
    }
  }

  Vector vector_in(const VectorLine& line) const {
    const json members = line.members(listed_members);
    try {
      return vector_of(members);
    } catch (const json::exception&) {
      schema_.require(line.members(), line.where);
      throw;
    }
  }

  void add(Vector vector, const std::string& rule, const std::string& where) {
    const std::string id = vector.summary.id;
    if (vector.summary.rule != rule || !id.starts_with(rule + "/"))
      throw Error(fmt::format("{} is {} of {}; expected a vector of {}", where, id, vector.summary.rule, rule));
    suite_.vectors.push_back(std::move(vector));
    if (!suite_.indices.emplace(id, suite_.vectors.size() - 1).second)
      throw Error(fmt::format("{} repeats the vector {}", where, id));
  }

  void read(std::size_t i) {
    if (!read_.insert(i).second) return;
    try {
      read_vector(project_, lines_.at(i), schema_, suite_.vectors[i]);
    } catch (const Error& fault) {
      suite_.vectors[i].unusable = fault.what();
    }
  }

  const Project& project_;
  Schema schema_{line_schema(project_)};
  Suite suite_;
  std::vector<Line> lines_;  // of the vectors
  std::set<std::size_t> read_;
};

}  // namespace

const Vector* Suite::find(std::string_view id) const {
  const auto found = indices.find(id);
  return found == indices.end() ? nullptr : &vectors[found->second];
}

Suite read_manifest(const Project& project) {
  return Reader(project).suite();
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

std::optional<fs::path> model_of_vector(const Project& project, const std::string& id) {
  const json manifest = manifest_in(project, read_file(manifest_file(project)));
  for (const auto& [file, digest] : manifest.at("files").items()) {
    if (!id.starts_with(rule_of_lines(file) + "/")) continue;
    for (const VectorLine& line : read_lines(project.vectors() / file, digest.get<std::string>())) {
      const json members = line.members();
      if (members.value("id", json()) != id) continue;
      line_schema(project).require(members, line.where);
      return (project.vectors() / file).parent_path() / members.at("model").get<std::string>();
    }
  }
  return std::nullopt;
}

std::vector<VectorSummary> summaries(const Suite& suite) {
  std::vector<VectorSummary> all;
  all.reserve(suite.vectors.size());
  for (const Vector& vector : suite.vectors) all.push_back(vector.summary);
  return all;
}

}  // namespace ifcert::conformance
