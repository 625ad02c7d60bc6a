// Random models in all forms: each format that can express one computes the same values. scripts/fuzz made tries more
// of them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "conformance/fuzz/generator/computed.hpp"
#include "conformance/fuzz/generator/generate.hpp"
#include "convert/conversion_agreement.hpp"

namespace ifcert::generator {
namespace {

constexpr std::array targets{Format::onnx, Format::openvino, Format::tflite};

Model made_for(Format format, std::uint64_t seed) {
  return generate(seed, {.format = format, .rare_forms = true}).model;
}

/// How often a model could be expressed, by the sequence of formats.
using Ways = std::map<std::string, int>;

/// Converts the model into each format, and the results once more.
void expect_agreement(const Model& model, std::uint64_t seed, const std::string& way, Ways& ways) {
  const ConversionAgreement agreement(model, seed);
  if (agreement.computes()) ++ways[way + " computes"];
  for (const Format format : targets) {
    const std::string name = model_name(format);
    std::vector<WrittenFile> files;
    ASSERT_EQ(agreement.fault_of(name, files), "") << way << " of seed " << seed;
    if (files.empty()) continue;
    ++ways[std::string(way).append(" ").append(name)];
    if (way == "made" && format != Format::onnx) expect_agreement(read_again(files).model, seed, name, ways);
  }
}

TEST(ModelsInRareForms, EachFormatThatCanExpressOneGivesTheSameValues) {
  constexpr int count = 1000;
  Ways ways;
  for (std::uint64_t seed = 0; seed < count; ++seed) {
    const auto files =
        std::make_shared<const Files>(write_model(made_for(targets[seed % targets.size()], seed), "model.onnx"));
    const Reading reading = read_back(files);
    ASSERT_THAT(errors_in(check(reading)), testing::IsEmpty()) << "seed " << seed;
    expect_agreement(reading.model, seed, "made", ways);
  }
  EXPECT_GT(ways["made computes"], count * 9 / 10);
  EXPECT_EQ(ways["made model.onnx"], count);
  EXPECT_GT(ways["made model.xml"], count / 2);
  EXPECT_GT(ways["made model.tflite"], count / 2);
  EXPECT_GT(ways["model.xml model.tflite"], count / 3);
  EXPECT_GT(ways["model.tflite model.xml"], count / 3);
}

/// The rare forms in which the node is written.
std::vector<std::string> rare_forms_of(const Node& node, const Graph& graph, const Model& model) {
  const auto has = [&](const char* name) { return node.attributes.contains(name); };
  std::vector<std::string> found;
  if (node.version == 11) found.emplace_back("operator set 11");
  if (node.op == "Relu" || node.op == "Split") found.push_back(node.op);
  if (has("axes") || has("allowzero") || has("noop_with_empty_axes") || has("num_outputs"))
    found.push_back(node.op + " with " + (has("axes") ? "axes" : has("allowzero") ? "allowzero" : "another attribute"));
  if (has("a_first")) found.emplace_back("an attribute before the value");
  if (has("z_last")) found.emplace_back("an attribute after the value");
  if (node.op == "Slice") found.push_back("Slice of " + std::to_string(node.inputs.size()) + " operands");
  for (const Constant& constant : graph.constants) {
    const bool is_index = node.op == "Gather" && constant.slot == node.inputs[1];
    if (is_index && constant.value.tensor()->type == ElementType::int32) found.emplace_back("Gather by int32");
  }
  if (node.call && node.inputs.size() < model.graphs[node.bodies.front().graph].inputs.size())
    found.emplace_back("an argument that is left out");
  const auto passed = node.attributes.find("k");
  if (node.call && passed != node.attributes.end() && std::holds_alternative<AttributeReference>(passed->second))
    found.emplace_back("an attribute that a function passes on");
  const std::string& name = graph.slots[node.outputs.front()].name;
  if (name.ends_with("/0")) found.emplace_back("a name with a slash");
  return found;
}

TEST(ModelsInRareForms, HaveEachForm) {
  std::map<std::string, int> models;
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    const Model model = made_for(Format::onnx, seed);
    std::map<std::string, int> seen;
    for (const Graph& graph : model.graphs) {
      for (const Node& node : graph.nodes) {
        for (const std::string& form : rare_forms_of(node, graph, model)) seen[form] = 1;
      }
    }
    for (const auto& [form, ignored] : seen) ++models[form];
  }
  for (const char* form :
       {"operator set 11", "Relu", "Split", "ReduceSum with axes", "Squeeze with axes", "Unsqueeze with axes",
        "Reshape with allowzero", "ReduceSum with another attribute", "Split with another attribute",
        "an attribute before the value", "an attribute after the value", "Slice of 3 operands", "Slice of 5 operands",
        "Gather by int32", "an argument that is left out", "an attribute that a function passes on",
        "a name with a slash"})
    EXPECT_GE(models[form], 5) << form;
}

TEST(ModelsOfBytes, AreDeterminedByTheBytes) {
  const auto bytes_of = [](std::vector<std::uint8_t> bytes) {
    return write_model(generate(Random(bytes), {}).model, "model.onnx").front().bytes;
  };
  EXPECT_EQ(bytes_of({1, 2, 3}), bytes_of({1, 2, 3}));
  EXPECT_NE(bytes_of({1, 2, 3}), bytes_of({1, 2, 99}));
}

TEST(ModelsOfBytes, AreMadeOfNoBytesToo) {
  for (const Format format : targets) {
    const Model model = generate(Random(std::span<const std::uint8_t>()), {.format = format, .rare_forms = true}).model;
    const auto files = std::make_shared<const Files>(write_model(model, "model.onnx"));
    EXPECT_THAT(errors_in(check(read_back(files))), testing::IsEmpty());
  }
}

TEST(RandomOfBytes, TakesAByteForEachChoiceAndThenZero) {
  constexpr std::array<std::uint8_t, 3> bytes{7, 200, 9};
  Random random{std::span(bytes)};
  EXPECT_EQ(random.below(5), 2U);
  EXPECT_TRUE(random.percent(1));  // 200 % 100
  EXPECT_EQ(random.below(10), 9U);
  EXPECT_EQ(random.below(10), 0U);
  EXPECT_EQ(random.next(), 0U);
}

}  // namespace
}  // namespace ifcert::generator
