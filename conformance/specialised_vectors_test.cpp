// Every vector that computes is specialised for the branches that its runs take, and for those of each run alone.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <memory>
#include <regex>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "conformance/suite/protocol_form.hpp"
#include "conformance/suite/vector_files.hpp"
#include "conformance/system/digest.hpp"
#include "conformance/system/file.hpp"
#include "conformance/system/project.hpp"
#include "reference/specialise/specialisation_agreement.hpp"

namespace ifcert::conformance {
namespace {

using nlohmann::json;

/// What became of the models of a format.
struct Tally {
  std::size_t specialised = 0;
  std::map<std::string, std::set<std::string>> refused;  // ids of vectors, by the reason without names
};

/// The inputs of a vector's runs, in order, those at the same time too.
std::vector<std::vector<Value>> runs_of(const json& steps, const Graph& main) {
  std::vector<std::vector<Value>> runs;
  const auto add = [&](const json& run) {
    std::map<std::string, Value> named;
    for (const json& input : run.at("inputs")) named[input.at("name")] = value_from_protocol(input.at("value"));
    std::vector<Value>& inputs = runs.emplace_back();
    for (const Slot slot : main.inputs) inputs.push_back(named[main.slots[slot].name]);
  };
  for (const json& step : steps) {
    if (step.contains("run")) add(step.at("run"));
    if (!step.contains("concurrent")) continue;
    for (const json& run : step.at("concurrent").at("runs")) add(run);
  }
  return runs;
}

/// Reads bytes as a file of that format and at that path; in OpenVINO IR with the .bin that is there.
Reading read_as(Format format, const std::filesystem::path& path, const std::string& text) {
  const auto bytes = std::make_shared<const std::string>(text);
  const auto of = [](const std::string& all) { return std::as_bytes(std::span(all)); };
  if (format == Format::onnx) return onnx::read_bytes(bytes, of(*bytes));
  if (format == Format::tflite) return tflite::read_bytes(bytes, of(*bytes));
  const std::filesystem::path bin = std::filesystem::path(path).replace_extension(".bin");
  const auto weights = std::make_shared<const std::string>(exists(bin) ? read_file(bin) : "");
  return openvino::read_bytes(of(*bytes), weights, of(*weights));
}

void specialise_vector(const std::filesystem::path& path, const json& vector, Tally& tally) {
  const std::string id = vector.at("id");
  const Program program(read_model(path).model);
  const std::string bytes = read_file(path);
  const std::vector<std::vector<Value>> runs = runs_of(vector.at("steps"), program.model().main());
  std::vector<std::span<const std::vector<Value>>> groups{runs};
  for (std::size_t i = 0; i < runs.size(); ++i) groups.push_back(std::span(runs).subspan(i, 1));
  const auto read = [&](const std::string& text) { return read_as(program.model().format, path, text); };
  for (const auto& group : groups) {
    const SpecialisationAgreement agreement(program, std::as_bytes(std::span(bytes)), group, read);
    try {
      EXPECT_EQ(agreement.fault_of(agreement.decisions()), "") << id;
      ++tally.specialised;
    } catch (const Inexpressible& refusal) {
      tally.refused[std::regex_replace(refusal.reason(), std::regex("\"[^\"]*\""), "…")].insert(id);
    }
  }
}

class SpecialisedVectors : public testing::TestWithParam<const char*> {};

TEST_P(SpecialisedVectors, ComputeWhatTheyDid) {
  const Project project = find_project();
  Tally tally;
  for (const auto& file : std::filesystem::recursive_directory_iterator(project.vectors() / GetParam() / "generated")) {
    if (file.path().filename() != "vectors.jsonl") continue;
    for (const VectorLine& line : read_lines(file.path(), sha256(read_file(file.path())))) {
      const json vector = line.members();
      if (vector.at("axis") != "computes") continue;
      specialise_vector(file.path().parent_path() / vector.at("model").get<std::string>(), vector, tally);
    }
  }
  fmt::print("{}: {} specialised models\n", GetParam(), tally.specialised);
  for (const auto& [reason, ids] : tally.refused)
    fmt::print("  {} vectors refused: {}\n    {}\n", ids.size(), reason, fmt::join(ids, "\n    "));
  EXPECT_GT(tally.specialised, 0U);
}

INSTANTIATE_TEST_SUITE_P(Formats, SpecialisedVectors, testing::Values("openvino"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace ifcert::conformance
