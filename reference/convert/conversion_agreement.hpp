// A legal model is converted into every format that can express it: each result is a legal model too, and computes the
// same values. For the fuzz targets and the test with random models.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ifcert/reference.hpp>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "convert/declared_shapes.hpp"
#include "convert/generated_inputs.hpp"
#include "operators/result.hpp"

namespace ifcert {

/// Reads the written files.
inline Reading read_again(const std::vector<WrittenFile>& files) {
  const std::string& bytes = files.back().bytes;
  const auto of = [](const std::string& text) { return std::as_bytes(std::span(text)); };
  const std::shared_ptr<const void> held(&files, [](const void*) {});  // the files outlive the reading
  const auto ending = files.back().path.extension();
  if (ending == ".onnx") return onnx::read_bytes(held, of(bytes));
  if (ending == ".xml") return openvino::read_bytes(of(bytes), held, of(files.front().bytes));
  return tflite::read_bytes(held, of(bytes));
}

/// The result of a run; `outputs` is empty where it was refused.
struct Ran {
  std::vector<Value> outputs;
  std::string refusal;
};

class ConversionAgreement {
 public:
  /// `seed` determines the inputs of the runs.
  ConversionAgreement(const Model& model, std::uint64_t seed) : model_(model) {
    for (const std::uint64_t number : {std::uint64_t{0}, seed}) {
      if (const auto inputs = GeneratedInputs(number).of(model.main())) cases_.push_back({*inputs, {}});
    }
    try {
      const Program program = reliable(model);
      for (Case& it : cases_) it.expected = ran(program, it.inputs, most_nodes);
      std::erase_if(cases_, [](const Case& it) { return !it.expected.refusal.empty(); });
    } catch (const EvaluationError&) {  // an operator that the reference does not have
      cases_.clear();
    }
  }

  /// Whether the model itself computes values for some of the inputs.
  bool computes() const { return !cases_.empty(); }

  /// Describes what is wrong with the model as a file of that name; empty where nothing is, or where the format cannot
  /// express it. `files` gets the written files.
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
  static constexpr std::uint64_t nodes_for_one = 30;  // that may replace a node of another format

  /// Inputs for which the model computes values.
  struct Case {
    std::vector<Value> inputs;
    Ran expected;
  };

  /// Refuses a run with values of other shapes than the file declares, which translators rely on. Those of TensorFlow
  /// Lite are hints.
  static Program reliable(const Model& model) {
    if (model.format == Format::tflite) return Program(model);
    translation::Watched watched = translation::watching_declared_shapes(model);
    return Program(std::move(watched.model), std::move(watched.operators));
  }

  static Ran ran(const Program& program, const std::vector<Value>& inputs, std::uint64_t nodes) {
    try {
      return {program.run(inputs, {}, {.nodes = nodes, .memory = kernels::tensor_byte_limit}), {}};
    } catch (const EvaluationError& error) {
      return {{}, error.what()};
    }
  }

  std::string difference_of(const Model& converted, const std::filesystem::path& name) const {
    if (cases_.empty()) return {};
    try {
      const Program program(converted);
      for (const Case& it : cases_) {
        if (converted.format == Format::tflite && std::ranges::any_of(it.expected.outputs, is_too_wide)) continue;
        const Ran returned = ran(program, it.inputs, most_nodes * nodes_for_one);
        if (may_refuse(returned.refusal)) continue;
        const bool same =
            returned.refusal.empty() && std::ranges::equal(returned.outputs, it.expected.outputs, same_bits);
        if (!same) return difference(it, returned, name);
      }
      return {};
    } catch (const EvaluationError& error) {
      return fmt::format("{} cannot be run: {}", name.string(), error.what());
    }
  }

  /// The refusals of one form where the other computes (docs/convert.md), and the limits of this run.
  static bool may_refuse(const std::string& refusal) {
    constexpr std::array reasons{"Gather)", "GATHER)", "the run evaluates more than"};
    return std::ranges::any_of(reasons, [&](const char* reason) { return refusal.find(reason) != std::string::npos; });
  }

  /// TensorFlow Lite counts dims in int32.
  static bool is_too_wide(const Value& value) {
    constexpr std::int64_t widest = std::numeric_limits<std::int32_t>::max();
    return value.tensor() != nullptr &&
           std::ranges::any_of(value.tensor()->dims, [](auto dim) { return dim > widest; });
  }

  static std::string texts_of(const std::vector<Value>& values) {
    std::string texts;
    for (const Value& value : values) texts += "\n    " + to_string(value);
    return texts.empty() ? "\n    nothing" : texts;
  }

  static std::string difference(const Case& it, const Ran& returned, const std::filesystem::path& name) {
    return fmt::format("{} computes something else.\n  on{}\n  the model returns{}\n  {} returns{}", name.string(),
                       texts_of(it.inputs), texts_of(it.expected.outputs), name.string(),
                       returned.refusal.empty() ? texts_of(returned.outputs) : "\n    " + returned.refusal);
  }

  const Model& model_;
  std::vector<Case> cases_;
};

}  // namespace ifcert
