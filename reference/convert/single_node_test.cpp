#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ifcert/reference.hpp>
#include <ifcert/single_node.hpp>
#include <optional>

#include "formats/tflite/file_builder.hpp"

namespace ifcert {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;
using testing::StrEq;

Value floats(const std::vector<float>& numbers) {
  return make_tensor<float>(ElementType::float32, {static_cast<std::int64_t>(numbers.size())}, numbers);
}

/// a, b = Split(x, sizes) in a domain of its own, where a is not wanted.
Model parts() {
  Model model;
  model.ir_version = 9;
  model.opsets = {{"", 17}, {"my", 3}};
  Graph& main = model.graphs.emplace_back();
  for (const char* name : {"x", "sizes", "b"}) main.add_slot(name);
  Node& node = main.nodes.emplace_back();
  node.op = "Parts";
  node.domain = "my";
  node.version = 3;
  node.inputs = {0, no_slot, 1};
  node.outputs = {no_slot, 2};
  node.attributes["axis"] = std::int64_t{1};
  main.slots[2].declared = Type::tensor(ElementType::float32, Shape{{2, ""}});
  return model;
}

DelegatedNode first_node(const Model& model, const std::vector<Value>& inputs, std::vector<bool> is_constant) {
  static const std::function<void()> no_interrupt;
  return {model, 0, 0, model.main().nodes[0].attributes, inputs, std::move(is_constant), 1, 1, no_interrupt};
}

Model read_back(const SingleNodeModel& made) {
  const auto owner = std::make_shared<const std::string>(made.files.back().bytes);
  const auto bytes = std::as_bytes(std::span(*owner));
  const std::string ending = made.files.back().path.extension().string();
  Reading reading = ending == ".onnx" ? onnx::read_bytes(owner, bytes)
                    : ending == ".xml"
                        ? openvino::read_bytes(bytes, owner, std::as_bytes(std::span(made.files[0].bytes)))
                        : tflite::read_bytes(owner, bytes);
  EXPECT_THAT(errors_in(check(reading)), IsEmpty());
  return std::move(reading.model);
}

TEST(SingleNode, OfOnnxHasTheNodeWithItsConstants) {
  const Model model = parts();
  const std::vector<Value> inputs{floats({1, 2}), Value{}, floats({3})};
  const SingleNodeModel made = single_node_model(first_node(model, inputs, {false, false, true}));
  EXPECT_THAT(made.inputs, ElementsAre("x0", "", ""));
  EXPECT_THAT(made.outputs, ElementsAre("", "y1"));
  const Model back = read_back(made);
  const Graph& main = back.main();
  ASSERT_EQ(main.nodes.size(), 1U);
  EXPECT_EQ(main.nodes[0].domain, "my");
  EXPECT_EQ(main.nodes[0].version, 3);
  EXPECT_EQ(std::get<std::int64_t>(main.nodes[0].attributes.at("axis")), 1);
  ASSERT_EQ(main.inputs.size(), 1U);
  EXPECT_EQ(to_string(main.slots[main.inputs[0]].declared), "float32[2]");
  ASSERT_EQ(main.constants.size(), 1U);
  EXPECT_EQ(main.constants[0].slot, main.nodes[0].inputs[2]);
  EXPECT_EQ(to_string(main.constants[0].value), "float32[1] [3]");
  EXPECT_EQ(main.nodes[0].outputs[0], no_slot);
}

TEST(SingleNode, HasAKeyThatDistinguishesWhatItsModelDistinguishes) {
  Model model = parts();
  const std::vector<Value> inputs{floats({1, 2}), Value{}, floats({3})};
  const auto key = [&](const std::vector<Value>& given, std::vector<bool> is_constant) {
    return single_node_key(first_node(model, given, std::move(is_constant)));
  };
  const std::string first = key(inputs, {false, false, true});
  EXPECT_EQ(key({floats({7, 8}), Value{}, inputs[2]}, {false, false, true}), first) << "the same shapes";
  EXPECT_NE(key({floats({7}), Value{}, inputs[2]}, {false, false, true}), first) << "another shape";
  EXPECT_NE(key({inputs[0], Value{}, floats({3})}, {false, false, true}), first) << "another constant";
  EXPECT_NE(key(inputs, {false, false, false}), first) << "an input in place of a constant";
  model.graphs[0].nodes[0].attributes["axis"] = std::int64_t{0};
  EXPECT_NE(key(inputs, {false, false, true}), first) << "another attribute";
}

/// y = Clamp(x).
Model clamping() {
  Model model = parts();
  model.format = Format::openvino;
  Graph& main = model.graphs[0];
  main.slots[2].declared = Type::tensor(ElementType::float32);
  Node& clamp = main.nodes[0];
  clamp.domain = "";
  clamp.op = "Clamp";
  clamp.version = 1;
  clamp.inputs = {0};
  clamp.outputs = {2};
  clamp.attributes = {{"min", std::string("0")}, {"max", std::string("1")}};
  return model;
}

TEST(SingleNode, OfOpenVinoIsALayerBetweenParametersAndAResult) {
  const Model model = clamping();
  const SingleNodeModel made = single_node_model(first_node(model, {floats({1, 2})}, {false}));
  EXPECT_THAT(made.inputs, ElementsAre("x0"));
  const Model back = read_back(made);
  ASSERT_EQ(back.main().nodes.size(), 1U);
  EXPECT_EQ(back.main().nodes[0].op, "Clamp");
  EXPECT_EQ(std::get<std::string>(back.main().nodes[0].attributes.at("max")), "1");
}

TEST(SingleNode, OfOpenVinoIsNoLayerWithABody) {
  const std::vector<Value> inputs{floats({1, 2})};
  Model model = clamping();
  for (const char* op : {"Loop", "TensorIterator"}) {
    model.graphs[0].nodes[0].op = op;
    EXPECT_THAT([&] { single_node_model(first_node(model, inputs, {false})); },
                testing::ThrowsMessage<EvaluationError>(StrEq("the layer has a body")));
  }
}

using tflite::file_builder::File;

/// y = PACK(x, c) along axis 1, where c is a constant; behind it y is doubled.
File packing() {
  namespace made = tflite::file_builder;
  namespace schema = tflite::schema;
  made::Operator pack = made::operation(schema::BuiltinOperator_PACK, {0, 1}, {2});
  pack.options = {schema::BuiltinOptions_PackOptions,
                  [](made::Fbb& b) { return schema::CreatePackOptions(b, 2, 1).Union(); }};
  const made::Operator twice = made::operation(schema::BuiltinOperator_ADD, {2, 2}, {3});
  return {{{"main",
            {made::ints({-1}), made::ints({2}, 1), made::ints({-1, 2}), made::ints({-1, 2})},
            {0},
            {3},
            {pack, twice}}},
          {{made::bytes_of<std::int32_t>({7, 8})}}};
}

Value ints(const std::vector<std::int32_t>& numbers) {
  return make_tensor<std::int32_t>(ElementType::int32, {static_cast<std::int64_t>(numbers.size())}, numbers);
}

TEST(SingleNode, OfTfliteHasTheOptionsAndTheConstantsOfTheFile) {
  const Model model = tflite::file_builder::read(packing()).model;
  const Value constant = model.main().constants[0].value;
  const SingleNodeModel made = single_node_model(first_node(model, {ints({1, 2}), constant}, {false, true}));
  EXPECT_THAT(made.inputs, ElementsAre("x0", ""));
  EXPECT_THAT(made.outputs, ElementsAre("y0"));
  const Model back = read_back(made);
  ASSERT_EQ(back.main().nodes.size(), 1U);
  EXPECT_EQ(to_string(back.main().slots[back.main().inputs[0]].declared), "int32[2]");
  EXPECT_EQ(to_string(Program(back).run(std::vector{ints({1, 2})})[0]), "int32[2, 2] [1, 7, 2, 8]");
}

TEST(SingleNode, OfTfliteTakesAConstantFromElsewhereAsAnInput) {
  const Model model = tflite::file_builder::read(packing()).model;
  const SingleNodeModel made = single_node_model(first_node(model, {ints({1, 2}), ints({5, 6})}, {true, true}));
  EXPECT_THAT(made.inputs, ElementsAre("x0", "")) << "x has no buffer in the file";
}

TEST(SingleNode, OfTfliteNeedsTheFileThatWasRead) {
  Model model = tflite::file_builder::read(packing()).model;
  const std::vector<Value> inputs{ints({1, 2}), ints({5, 6})};
  const auto refusal = [&] {
    try {
      single_node_model(first_node(model, inputs, {false, true}));
      return std::string();
    } catch (const EvaluationError& error) {
      return std::string(error.what());
    }
  };
  std::swap(model.graphs[0].nodes[0], model.graphs[0].nodes[1]);
  EXPECT_THAT(refusal(), StartsWith("the model is no longer the one"));
  model.file = {};
  EXPECT_THAT(refusal(), HasSubstr("the model was not read from a file"));
}

/// What is said instead of a model of this operator, the only one of its model.
std::string refusal_of_single(const tflite::file_builder::Operator& only,
                              std::vector<tflite::file_builder::Tensor> tensors, const std::vector<Value>& inputs) {
  const Model model = tflite::file_builder::read({{{"main", std::move(tensors), {0}, {0}, {only}}}, {}}).model;
  try {
    single_node_model(first_node(model, inputs, std::vector<bool>(inputs.size())));
    return "";
  } catch (const EvaluationError& error) {
    return error.what();
  }
}

TEST(SingleNode, OfTfliteHoldsNoVariablesOrResources) {
  namespace made = tflite::file_builder;
  namespace schema = tflite::schema;
  constexpr const char* said = "variables and resources have values that live between operators";
  const made::Tensor number = made::ints({});
  const made::Tensor resource{schema::TensorType_RESOURCE};
  const made::Tensor variant{schema::TensorType_VARIANT};
  const auto make = [](schema::BuiltinOperator op, bool reads, bool returns) {
    return made::operation(op, reads ? made::Indices{0} : made::Indices{},
                           returns ? made::Indices{1} : made::Indices{});
  };
  const made::Operator once = make(schema::BuiltinOperator_CALL_ONCE, false, false);
  EXPECT_THAT(refusal_of_single(once, {number}, {}), StrEq(said));
  for (const made::Tensor& state : {resource, variant}) {
    const made::Operator handle = make(schema::BuiltinOperator_VAR_HANDLE, false, true);
    EXPECT_THAT(refusal_of_single(handle, {number, state}, {}), StrEq(said));
    const made::Operator reading = make(schema::BuiltinOperator_READ_VARIABLE, true, true);
    EXPECT_THAT(refusal_of_single(reading, {state, number}, {ints({1})}), StrEq(said));
  }
}

}  // namespace
}  // namespace ifcert
