// A legal model is converted into every format that can express it: each form is a legal model too, and gives the same
// values. For the fuzz targets and the test with models made at random.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ifcert/reference.hpp>
#include <memory>
#include <string>
#include <vector>

#include "standalone/generated_inputs.hpp"

namespace ifcert {

/// What was written, read again.
inline Reading read_again(const std::vector<WrittenFile>& files) {
  const std::string& bytes = files.back().bytes;
  const auto of = [](const std::string& text) { return std::as_bytes(std::span(text)); };
  const std::shared_ptr<const void> held(&files, [](const void*) {});  // they are there for as long as it is read
  const auto ending = files.back().path.extension();
  if (ending == ".onnx") return onnx::read_bytes(held, of(bytes));
  if (ending == ".xml") return openvino::read_bytes(of(bytes), held, of(files.front().bytes));
  return tflite::read_bytes(held, of(bytes));
}

/// A run, and what it gave; `outputs` is empty where it was refused.
struct Ran {
  std::vector<Value> outputs;
  std::string refusal;
};

class ConversionAgreement {
 public:
  /// `seed` decides what the models are run on.
  ConversionAgreement(const Model& model, std::uint64_t seed) : model_(model) {
    for (const std::uint64_t number : {std::uint64_t{0}, seed}) {
      if (const auto inputs = GeneratedInputs(number).of(model.main())) cases_.push_back({*inputs, {}});
    }
    const std::vector<Ran> expected = all_ran(model, most_nodes);
    for (std::size_t i = 0; i < cases_.size(); ++i) cases_[i].expected = expected[i];
  }

  /// What is wrong with the model as a file of that name; empty where nothing is, or where it cannot be expressed. The
  /// files are what was written.
  std::string fault_of(const std::filesystem::path& name, std::vector<WrittenFile>& files) const {
    try {
      files = write_model(model_, name);
    } catch (const Inexpressible&) {
      return {};
    }
    try {
      const Reading reading = read_again(files);
      const std::vector<Diagnostic> broken = errors_in(check(reading));
      if (!broken.empty()) return fmt::format("{} of a legal model: {}", name.string(), to_string(broken.front()));
      return difference_of(reading.model, name);
    } catch (const UnreadableModel& error) {
      return fmt::format("{} of a legal model: {}", name.string(), error.what());
    }
  }

 private:
  static constexpr std::uint64_t most_nodes = 1000;

  struct Case {
    std::vector<Value> inputs;
    Ran expected;
  };

  /// The model on the inputs of each case.
  std::vector<Ran> all_ran(const Model& model, std::uint64_t nodes) const {
    try {
      const Program program(model);
      std::vector<Ran> all;
      for (const Case& it : cases_) all.push_back(ran(program, it.inputs, nodes));
      return all;
    } catch (const EvaluationError& error) {  // an operator that the reference does not have
      return std::vector<Ran>(cases_.size(), Ran{{}, error.what()});
    }
  }

  static Ran ran(const Program& program, const std::vector<Value>& inputs, std::uint64_t nodes) {
    try {
      return {program.run(inputs, {}, nodes), {}};
    } catch (const EvaluationError& error) {
      return {{}, error.what()};
    }
  }

  std::string difference_of(const Model& converted, const std::filesystem::path& name) const {
    if (std::ranges::none_of(cases_, [](const Case& it) { return it.expected.refusal.empty(); })) return {};
    const std::vector<Ran> all = all_ran(converted, 100 * most_nodes);
    for (std::size_t i = 0; i < cases_.size(); ++i) {
      const Ran& expected = cases_[i].expected;
      if (!expected.refusal.empty() || may_refuse(all[i].refusal)) continue;
      const bool same = all[i].refusal.empty() && std::ranges::equal(all[i].outputs, expected.outputs, same_bits);
      if (!same) return difference(cases_[i], all[i], name);
    }
    return {};
  }

  /// What one form refuses and the other computes (docs/convert.md), and the limits of this run.
  static bool may_refuse(const std::string& refusal) {
    constexpr std::array reasons{"Gather)", "GATHER)", "the run evaluates more than"};
    return std::ranges::any_of(reasons, [&](const char* reason) { return refusal.find(reason) != std::string::npos; });
  }

  static std::string texts_of(const std::vector<Value>& values) {
    std::string texts;
    for (const Value& value : values) texts += "\n    " + to_string(value);
    return texts.empty() ? "\n    nothing" : texts;
  }

  static std::string difference(const Case& it, const Ran& given, const std::filesystem::path& name) {
    return fmt::format("{} computes something else.\n  on{}\n  the model gives{}\n  {} gives{}", name.string(),
                       texts_of(it.inputs), texts_of(it.expected.outputs), name.string(),
                       given.refusal.empty() ? texts_of(given.outputs) : "\n    " + given.refusal);
  }

  const Model& model_;
  std::vector<Case> cases_;
};

}  // namespace ifcert
