// Every vector that computes is specialised for the branches that its runs take, and for those of each run alone: the
// result is legal, has the same inputs and outputs, evaluates no If that was decided, and computes the same bits.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <ifcert/reference.hpp>
#include <ifcert/specialise.hpp>
#include <map>
#include <memory>
#include <regex>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "conformance/suite/protocol_form.hpp"
#include "conformance/suite/vector_files.hpp"
#include "conformance/system/digest.hpp"
#include "conformance/system/file.hpp"
#include "conformance/system/project.hpp"

namespace ifcert::conformance {
namespace {

using nlohmann::json;
using Inputs = std::vector<Value>;

/// The runs of a vector, in order, those at the same time too.
std::vector<Inputs> runs_of(const json& steps, const Graph& main) {
  std::vector<Inputs> runs;
  const auto add = [&](const json& run) {
    std::map<std::string, Value> named;
    for (const json& input : run.at("inputs")) named[input.at("name")] = value_from_protocol(input.at("value"));
    Inputs& inputs = runs.emplace_back();
    for (const Slot slot : main.inputs) inputs.push_back(named[main.slots[slot].name]);
  };
  for (const json& step : steps) {
    if (step.contains("run")) add(step.at("run"));
    if (!step.contains("concurrent")) continue;
    for (const json& run : step.at("concurrent").at("runs")) add(run);
  }
  return runs;
}

/// Reads a model's bytes; in OpenVINO IR with the .bin of the file.
Reading read_again(Format format, const std::filesystem::path& path, const std::string& text) {
  const auto bytes = std::make_shared<const std::string>(text);
  const auto of = [](const std::string& all) { return std::as_bytes(std::span(all)); };
  if (format == Format::onnx) return onnx::read_bytes(bytes, of(*bytes));
  if (format == Format::tflite) return tflite::read_bytes(bytes, of(*bytes));
  const std::filesystem::path bin = std::filesystem::path(path).replace_extension(".bin");
  const auto weights = std::make_shared<const std::string>(exists(bin) ? read_file(bin) : "");
  return openvino::read_bytes(of(*bytes), weights, of(*weights));
}

/// Names and types of the model's inputs and outputs.
std::vector<std::string> interface_of(const Model& model) {
  std::vector<std::string> all;
  const Graph& main = model.main();
  for (const Slot slot : main.inputs)
    all.push_back(fmt::format("input {}: {}", main.slots[slot].name, to_string(main.slots[slot].declared)));
  for (const Slot slot : main.outputs) all.push_back(fmt::format("output {}", main.slots[slot].name));
  for (const auto& [name, further] : model.further_names) {
    for (const std::string& one : further) all.push_back(fmt::format("{} = {}", name, one));
  }
  return all;
}

bool same_outputs(const std::vector<Value>& one, const std::vector<Value>& other) {
  return std::ranges::equal(one, other, [](const Value& a, const Value& b) { return same_bits(a, b); });
}

/// What became of the vectors of a format.
struct Tally {
  std::size_t models = 0;
  std::map<std::string, std::set<std::string>> refused;  // by reason, without names
};

class SpecialisedVector {
 public:
  SpecialisedVector(std::filesystem::path path, const json& line, Tally& tally)
      : path_(std::move(path)),
        id_(line.at("id")),
        reading_(read_model(path_)),
        program_(reading_.model),
        tally_(tally) {
    runs_ = runs_of(line.at("steps"), reading_.model.main());
  }

  void expect_same() {
    expect_same_of(runs_);
    for (const Inputs& inputs : runs_) expect_same_of(std::span(&inputs, 1));
  }

 private:
  void expect_same_of(std::span<const Inputs> runs) {
    ObservedBranches branches;
    std::vector<std::vector<Value>> expected;
    for (const Inputs& inputs : runs) expected.push_back(program_.run(inputs, branches.observer()));
    const std::string bytes = read_file(path_);
    try {
      expect_same_of(runs, expected,
                     specialised(reading_.model, std::as_bytes(std::span(bytes)), branches.decisions()));
      ++tally_.models;
    } catch (const Inexpressible& refusal) {
      tally_.refused[std::regex_replace(refusal.reason(), std::regex("\"[^\"]*\""), "…")].insert(id_);
    }
  }

  void expect_same_of(std::span<const Inputs> runs, const std::vector<std::vector<Value>>& expected,
                      const std::string& text) const {
    SCOPED_TRACE(id_);
    Reading reading = read_again(reading_.model.format, path_, text);
    const std::vector<Diagnostic> broken = errors_in(check(reading));
    ASSERT_TRUE(broken.empty()) << to_string(broken.front());
    EXPECT_EQ(interface_of(reading.model), interface_of(reading_.model));
    const Program program(std::move(reading.model));
    ObservedBranches left;
    for (std::size_t i = 0; i < runs.size(); ++i)
      EXPECT_TRUE(same_outputs(program.run(runs[i], left.observer()), expected[i])) << "run " << i;
    EXPECT_TRUE(left.decisions().empty());
  }

  std::filesystem::path path_;
  std::string id_;
  Reading reading_;
  Program program_;
  Tally& tally_;
  std::vector<Inputs> runs_;
};

class SpecialisedVectors : public testing::TestWithParam<const char*> {};

TEST_P(SpecialisedVectors, ComputeWhatTheyDid) {
  const Project project = find_project();
  Tally tally;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(project.vectors() / GetParam() / "generated")) {
    if (entry.path().filename() != "vectors.jsonl") continue;
    for (const VectorLine& line : read_lines(entry.path(), sha256(read_file(entry.path())))) {
      const json members = line.members();
      if (members.at("axis") != "computes") continue;
      const std::string model = members.at("model");
      SpecialisedVector(entry.path().parent_path() / model, members, tally).expect_same();
    }
  }
  fmt::print("{}: {} models without their decided Ifs\n", GetParam(), tally.models);
  for (const auto& [reason, ids] : tally.refused)
    fmt::print("  {} vectors refused: {}\n    {}\n", ids.size(), reason, fmt::join(ids, "\n    "));
  EXPECT_GT(tally.models, 0U);
}

INSTANTIATE_TEST_SUITE_P(Formats, SpecialisedVectors, testing::Values("openvino"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace ifcert::conformance
