#include "conformance/suite.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "conformance/digest.hpp"
#include "conformance/error.hpp"
#include "conformance/file.hpp"
#include "conformance/judge.hpp"
#include "conformance/schema.hpp"
#include "conformance/value.hpp"

namespace ifcert::conformance {

using nlohmann::json;

namespace {

/// Throws Error when a file of the vector is not the one that the manifest lists.
void verify_files(const std::filesystem::path& folder, const json& files) {
  for (const auto& [name, digest] : files.items()) {
    if (const std::string found = sha256(read_file(folder / name)); digest != found) {
      throw Error(fmt::format("{} has the digest {}, the manifest says {}", (folder / name).string(), found,
                              digest.get<std::string>()));
    }
  }
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

/// A reread asks for the very values that an earlier run was told to hold.
void verify_reread(const json& steps, std::size_t index) {
  const json& reread = steps[index].at("reread");
  const auto held = reread.at("step").get<std::size_t>();
  if (held >= index || !steps[held].contains("run") || !steps[held].at("run").value("hold", false)) {
    throw Error(fmt::format("step {} reads step {} again, which is no earlier run that holds", index, held));
  }
  if (reread.at("expect") != expected_outcome(steps, held)) {
    throw Error(fmt::format("step {} expects something else than step {}, which it reads again", index, held));
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

/// What a step asks of the adapter beyond the first messages must stand in `needs`: else it would be asked of one that
/// cannot do it.
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
std::string text_of(const std::filesystem::path& folder, const json& entry, const std::filesystem::path& model) {
  const bool has_text = entry.at("files").contains("model.txt");
  return has_text ? read_file(folder / "model.txt") : printable_lines(read_file(model));
}

/// Throws Error when the vector is not what the manifest's entry says.
void read_vector(const std::filesystem::path& folder, const json& entry, const Schema& schema, Vector& vector) {
  verify_files(folder, entry.at("files"));
  const json description = read_json(folder / "vector.json", schema);
  for (const char* key : {"id", "system", "rules", "axis"}) {
    if (description.at(key) != entry.at(key)) {
      throw Error(fmt::format("vector.json has {} {}, the manifest says {}", key, description.at(key).dump(),
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
  vector.model = vector.summary.model = folder / description.at("model").get<std::string>();
  vector.summary.model_text = text_of(folder, entry, vector.model);
}

Vector vector_of(const json& entry) {
  Vector vector;
  entry.at("id").get_to(vector.summary.id);
  entry.at("system").get_to(vector.summary.system);
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
  std::set<std::string> ids;
  for (const json& entry : manifest.at("vectors")) {
    suite.vectors.push_back(vector_of(entry));
    if (!ids.insert(suite.vectors.back().summary.id).second) {
      throw Error(fmt::format("{} lists {} twice", file.string(), suite.vectors.back().summary.id));
    }
  }
  if (suite.vectors.empty()) throw Error(fmt::format("{} lists no vector", file.string()));
  return suite;
}

/// A refused vector without its twin could be passed by refusing everything.
void verify_twins(Suite& suite) {
  for (Vector& vector : suite.vectors) {
    const std::string& twin = vector.summary.twin;
    if (twin.empty() || !vector.spoilt.empty()) continue;
    if (twin == vector.summary.id || suite.find(twin) == nullptr) {
      vector.spoilt = fmt::format("its twin {} is not in the manifest", twin);
    }
  }
}

}  // namespace

const Vector* Suite::find(std::string_view id) const {
  const auto found = std::ranges::find_if(vectors, [id](const Vector& vector) { return vector.summary.id == id; });
  return found == vectors.end() ? nullptr : &*found;
}

Suite read_manifest(const Project& project) {
  return listed(project, manifest_of(project));
}

Suite read_suite(const Project& project) {
  const json manifest = manifest_of(project);
  const Schema schema(project.vectors() / "schemas" / "vector.schema.json");
  Suite suite = listed(project, manifest);
  for (std::size_t i = 0; i < suite.vectors.size(); ++i) {
    const json& entry = manifest.at("vectors").at(i);
    try {
      read_vector(project.vectors() / entry.at("path").get<std::string>(), entry, schema, suite.vectors[i]);
    } catch (const Error& fault) {
      suite.vectors[i].spoilt = fault.what();
    }
  }
  verify_twins(suite);
  return suite;
}

std::vector<VectorSummary> summaries(const Suite& suite) {
  std::vector<VectorSummary> all;
  all.reserve(suite.vectors.size());
  for (const Vector& vector : suite.vectors) all.push_back(vector.summary);
  return all;
}

}  // namespace ifcert::conformance
