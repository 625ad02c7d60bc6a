// Files whose main graph returns more; conformance/certify/siblings_test.cpp does the same to every vector's model.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ifcert/further_outputs.hpp>
#include <ifcert/reference.hpp>

#include "formats/onnx/file_builder.hpp"
#include "formats/onnx/proto.hpp"
#include "formats/openvino/ir_text.hpp"
#include "formats/tflite/file_builder.hpp"
#include "formats/tflite/schema_generated.h"

namespace ifcert::further_outputs {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<std::string> output_names(const Model& model) {
  std::vector<std::string> names;
  for (const Slot slot : model.main().outputs) names.push_back(model.main().slots[slot].name);
  return names;
}

/// The file, which also returns what its first node makes.
Specialised with_first_value(const Reading& reading, const std::string& bytes) {
  EXPECT_THAT(check(reading), IsEmpty());
  const std::vector<FurtherOutput> outputs{
      {reading.model.main().nodes.front().outputs.front(), Type::tensor(ElementType::boolean, Shape{})}};
  return with_outputs(reading.model, std::as_bytes(std::span(bytes)), outputs);
}

/// x is negated twice; the result is tensor 2.
tflite::file_builder::File negated_twice(const char* once, const char* twice) {
  using namespace tflite::file_builder;
  const auto named = [](const char* name) { return tflite::file_builder::Tensor{.shape = {1}, .name = name}; };
  const auto negation = [](std::int32_t from, std::int32_t to) { return operation(BuiltinOperator_NEG, {from}, {to}); };
  return {{{"main", {named("x"), named(once), named(twice)}, {0}, {2}, {negation(0, 1), negation(1, 2)}}}};
}

TEST(FurtherOutputs, AValueOfOnnxIsAnOutputInsteadOfAValueInfo) {
  using namespace onnx::file_builder;
  const std::string bytes =
      onnx::file_builder::model(graph("main", {{node("Not", {"c"}, {"d"}), node("Not", {"d"}, {"y"})},
                                               {},
                                               {value_info("c", bool_scalar)},
                                               {value_info("y", bool_scalar)},
                                               {value_info("d", bool_scalar)}}));
  const Specialised made = with_first_value(read(bytes), bytes);
  EXPECT_THAT(output_names(made.reading.model), ElementsAre("y", "d"));
  EXPECT_TRUE(onnx::proto::decode(std::as_bytes(std::span(*made.bytes))).graph.front().value_info.empty());
}

TEST(FurtherOutputs, AResultOfIrHasAnIdAndANameOfItsOwn) {
  using namespace openvino::ir_text;
  const std::string xml = net(network(
      {parameter(0, "boolean", ""), operation(4294967295, "LogicalNot", 1), operation(2, "LogicalNot", 1), result(3)},
      {edge(0, 0, 4294967295, 0), edge(4294967295, 1, 2, 0), edge(2, 1, 3, 0)}));
  const Specialised made = with_first_value(read(xml), xml);
  EXPECT_THAT(output_names(made.reading.model), ElementsAre("op2", "op4294967295"));
  EXPECT_THAT(*made.bytes, HasSubstr(R"(<layer id="1" name="op4294967295/result" type="Result" version="opset1">)"));
}

TEST(FurtherOutputs, ATensorIsAnOutputOfThePrimarySubgraphAndOfItsSignatures) {
  using namespace tflite::file_builder;
  File file = negated_twice("d", "y");
  file.signatures = {{"main", 0, {{"result", 2}}}};
  const std::string bytes = written(file);
  const Specialised made = with_first_value(read(bytes), bytes);
  EXPECT_THAT(output_names(made.reading.model), ElementsAre("y", "d"));
  const auto& signature = *tflite::schema::GetModel(made.bytes->data())->signature_defs()->Get(0)->outputs();
  ASSERT_EQ(signature.size(), 2U);
  EXPECT_EQ(signature.Get(1)->name()->str(), "d");
  EXPECT_EQ(signature.Get(1)->tensor_index(), 1U);
}

TEST(FurtherOutputs, NoTwoOutputsHaveOneName) {
  using namespace tflite::file_builder;
  const std::string bytes = written(negated_twice("y", "y"));
  EXPECT_THROW(with_first_value(read(bytes), bytes), Inexpressible);
}

}  // namespace
}  // namespace ifcert::further_outputs
