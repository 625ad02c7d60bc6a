#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ifcert/reference.hpp>
#include <ifcert/tflite.hpp>

#include "formats/nested_captures.hpp"

namespace ifcert::tflite {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

Value integers(const std::vector<std::int32_t>& numbers) {
  return make_tensor<std::int32_t>(ElementType::int32, {static_cast<std::int64_t>(numbers.size())}, numbers);
}

Value boolean(bool value) {
  const std::uint8_t byte = value ? 1 : 0;
  return make_tensor<std::uint8_t>(ElementType::boolean, {}, std::span(&byte, 1));
}

Node operation(const std::string& op, std::vector<Slot> inputs, std::vector<Slot> outputs) {
  Node node;
  node.op = op;
  node.version = 1;
  node.inputs = std::move(inputs);
  node.outputs = std::move(outputs);
  return node;
}

const Type list_type = Type::tensor(ElementType::int32, Shape{Dim{}});

/// y = If(cond) { x + [10, 20] } else { x }
Model choice_model() {
  Model made;
  made.format = Format::tflite;
  made.graphs.resize(3);
  Graph& main = made.graphs[0];
  main.name = "main";
  main.inputs = {main.add_slot("cond", Type::tensor(ElementType::boolean, Shape{})), main.add_slot("x", list_type)};
  main.outputs = {main.add_slot("y", list_type)};
  Node choose = operation("If", {0, 1}, {2});
  choose.bodies = {{"then_subgraph", 1, {{1, 0}}, {}}, {"else_subgraph", 2, {{1, 0}}, {}}};
  main.nodes.push_back(std::move(choose));
  Graph& then_graph = made.graphs[1];
  then_graph.inputs = {then_graph.add_slot("x", list_type)};
  then_graph.constants.push_back(
      {then_graph.add_slot("w", Type::tensor(ElementType::int32, Shape{Dim{2, {}}})), integers({10, 20})});
  then_graph.outputs = {then_graph.add_slot("sum", list_type)};
  then_graph.nodes.push_back(operation("ADD", {0, 1}, {2}));
  Graph& else_graph = made.graphs[2];
  else_graph.inputs = else_graph.outputs = {else_graph.add_slot("x", list_type)};
  return made;
}

/// A model that returns a constant.
Model giving(Value value) {
  Model made;
  made.format = Format::tflite;
  Graph& main = made.graphs.emplace_back();
  main.outputs = {main.add_slot("given", Type::tensor(type_of(value).element))};
  main.constants.push_back({0, std::move(value)});
  return made;
}

Reading again(const Model& written, Identifier identifier = Identifier::tflite) {
  const auto bytes = std::make_shared<std::string>(write(written, identifier));
  return read_bytes(bytes, std::as_bytes(std::span(*bytes)));
}

std::string refusal_to_write(const Model& written, Identifier identifier = Identifier::tflite) {
  try {
    write(written, identifier);
  } catch (const Inexpressible& error) {
    return error.what();
  }
  return "nothing was refused";
}

std::size_t count(std::string_view text, std::string_view part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

TEST(TfliteWrite, AModelReadsAsItWasWritten) {
  for (const Identifier identifier : {Identifier::tflite, Identifier::circle}) {
    const Reading reading = again(choice_model(), identifier);
    EXPECT_THAT(reading.broken, IsEmpty());
    const Model& model = reading.model;
    ASSERT_THAT(model.graphs, SizeIs(3));
    EXPECT_EQ(model.main().name, "main");
    EXPECT_EQ(model.main().slots[1].name, "x");
    EXPECT_EQ(model.main().slots[0].declared, Type::tensor(ElementType::boolean, Shape{}));
    EXPECT_EQ(model.main().slots[1].declared, list_type);
    const Node& choose = model.main().nodes.front();
    EXPECT_EQ(choose.op, "If");
    EXPECT_THAT(choose.inputs, ElementsAre(0, 1));
    EXPECT_EQ(choose.bodies[0].graph, 1U);
    EXPECT_EQ(choose.bodies[1].graph, 2U);
    EXPECT_EQ(model.graphs[1].nodes.front().op, "ADD");
    EXPECT_TRUE(same_bits(model.graphs[1].constants.front().value, integers({10, 20})));
  }
}

TEST(TfliteWrite, TheIdentifierSaysTheFormat) {
  EXPECT_EQ(write(choice_model(), Identifier::tflite).substr(4, 4), "TFL3");
  EXPECT_EQ(write(choice_model(), Identifier::circle).substr(4, 4), "CIR0");
}

TEST(TfliteWrite, AWhileReadsAsItWasWritten) {
  Model model = choice_model();
  Node loop = operation("While", {1}, {2});
  loop.bodies = {{"cond_subgraph", 2, {}, {}}, {"body_subgraph", 1, {}, {}}};
  model.graphs[0].nodes = {loop};
  const Model read = again(model).model;
  const Node& node = read.main().nodes.front();
  EXPECT_EQ(node.op, "While");
  EXPECT_THAT(node.inputs, ElementsAre(1));
  EXPECT_EQ(node.bodies[0].graph, 2U);
  EXPECT_EQ(node.bodies[1].graph, 1U);
}

TEST(TfliteWrite, OptionsReadAsAttributes) {
  const Attributes activated{{"fused_activation_function", std::string("RELU6")}};
  const std::vector<std::pair<std::string, Attributes>> all{
      {"ADD", {}},
      {"ADD", activated},
      {"SUB", activated},
      {"MUL", activated},
      {"DIV", activated},
      {"CONCATENATION", {{"axis", std::int64_t{-1}}}},
      {"GATHER", {{"axis", std::int64_t{2}}, {"batch_dims", std::int64_t{1}}}},
      {"PACK", {{"axis", std::int64_t{1}}, {"values_count", std::int64_t{2}}}},
      {"RESHAPE", {{"new_shape", std::vector<std::int64_t>{2, -1}}}},
      {"SHAPE", {{"out_type", std::string("int64")}}},
      {"SUM", {{"keep_dims", std::int64_t{1}}}},
      {"CAST", {{"out_data_type", std::string("int32")}}},
      {"LESS", {}},
  };
  for (const auto& [op, attributes] : all) {
    Model model = choice_model();
    model.graphs[1].nodes.front().op = op;
    model.graphs[1].nodes.front().version = 2;
    model.graphs[1].nodes.front().attributes = attributes;
    const Model read = again(model).model;
    const Node& node = read.graphs[1].nodes.front();
    EXPECT_EQ(node.op, op);
    EXPECT_EQ(node.version, 2);
    ASSERT_EQ(node.attributes.size(), attributes.size()) << op;
    for (const auto& [name, value] : attributes) EXPECT_TRUE(node.attributes.contains(name)) << op << " " << name;
  }
}

TEST(TfliteWrite, ConstantsKeepTheirBits) {
  const float nan = std::bit_cast<float>(0x7FC01234U);
  for (const Value& value :
       {integers({1, 2, 3}), integers({}), boolean(true), Value(make_strings({2}, {"", std::string("a\0b", 3)})),
        Value(make_strings({0}, {})), Value(make_tensor<float>(ElementType::float32, {1, 1}, std::span(&nan, 1)))}) {
    const Model read = again(giving(value)).model;
    ASSERT_THAT(read.main().constants, SizeIs(1)) << to_string(value);
    EXPECT_TRUE(same_bits(read.main().constants.front().value, value)) << to_string(value);
  }
}

TEST(TfliteWrite, TheSameBytesStandInTheFileOnce) {
  const std::string word = "written only once";
  Model model = giving(make_strings({}, {word}));
  Graph& main = model.graphs.front();
  main.outputs.push_back(main.add_slot("other", main.slots.front().declared));
  main.constants.push_back({1, make_strings({}, {word})});
  EXPECT_EQ(count(write(model, Identifier::tflite), word), 1U);
}

TEST(TfliteWrite, NoStringsAndNoNumbersAreDifferentBytes) {
  const Value no_strings = make_strings({0}, {});
  const Value no_numbers = ifcert::Tensor{.type = ElementType::int32, .dims = {0}, .data = {}, .strings = {}};
  for (const bool strings_first : {true, false}) {
    Model made = giving(strings_first ? no_strings : no_numbers);
    Graph& main = made.graphs[0];
    const Value& second = strings_first ? no_numbers : no_strings;
    main.outputs.push_back(main.add_slot("second", Type::tensor(type_of(second).element)));
    main.constants.push_back({1, second});
    const Model read = again(made).model;
    EXPECT_TRUE(same_bits(read.main().constants.at(0).value, made.main().constants[0].value));
    EXPECT_TRUE(same_bits(read.main().constants.at(1).value, second));
  }
}

TEST(TfliteWrite, AnOperandLeftOutIsMinusOne) {
  Model model = choice_model();
  model.graphs[1].nodes.front().inputs = {0, no_slot};
  EXPECT_THAT(again(model).model.graphs[1].nodes.front().inputs, ElementsAre(0, no_slot));
}

TEST(TfliteWrite, WhatTheSchemaDoesNotHaveIsRefusedWithItsPlace) {
  Model model = choice_model();
  model.graphs[1].slots[0].declared.element = ElementType::float8e5m2;
  EXPECT_THAT(refusal_to_write(model), HasSubstr("subgraph 1 / tensor 0: the schema has no type float8e5m2[?]"));
  model = choice_model();
  model.graphs[1].nodes.front().op = "Neg";
  EXPECT_THAT(refusal_to_write(model), HasSubstr("subgraph 1 / operator 0 (Neg): the schema has no such operator"));
  model = choice_model();
  model.graphs[0].slots[1].declared.shape->front().value = std::int64_t{1} << 31;
  EXPECT_THAT(refusal_to_write(model), HasSubstr("does not fit 32 bits"));
}

TEST(TfliteWrite, WhatTheGraphFormDoesNotHoldIsRefused) {
  Model model = choice_model();
  model.graphs[1].nodes.front().op = "SOFTMAX";
  EXPECT_THAT(refusal_to_write(model), HasSubstr("the builtin_options of SOFTMAX are not in the graph form"));
  model.graphs[1].nodes.front().domain = "custom";
  EXPECT_THAT(refusal_to_write(model), HasSubstr("the custom_options of an operator are not in the graph form"));
}

TEST(TfliteWrite, ANegativeCodeIsOfCircleAlone) {
  Model model = choice_model();
  model.graphs[1].nodes.front().op = "GRU";
  EXPECT_THAT(refusal_to_write(model), HasSubstr("only Circle has this operator"));
  EXPECT_THAT(refusal_to_write(model, Identifier::circle),
              HasSubstr("the builtin_options of GRU are not in the graph form"));
}

TEST(TfliteWrite, ABodyTakesTheInputsInTheirOrder) {
  Model model = choice_model();
  model.graphs[0].nodes.front().bodies[0].captures.clear();
  EXPECT_THAT(refusal_to_write(model),
              HasSubstr("then_subgraph: the inputs of the subgraph are not the operator's inputs after cond"));
}

TEST(TfliteWrite, ValuesThatPassThroughTooManyBodiesAreRefusedWithThePlace) {
  EXPECT_NO_THROW(write(nested_captures(Format::tflite, 600, 100), Identifier::tflite));
  EXPECT_THAT(refusal_to_write(nested_captures(Format::tflite, 700, 100)),
              HasSubstr("_subgraph: the file would hold more than 67108864 bytes of captured values"));
}

TEST(TfliteWriteNames, WithANulAreRefused) {
  Model made = choice_model();
  made.graphs[0].slots[1].name = std::string("a\0b", 3);
  EXPECT_THAT(refusal_to_write(made),
              HasSubstr("subgraph 0 \"main\" / tensor 1: a name has a NUL at 1, where it ends"));
  made = choice_model();
  made.graphs[1].name = std::string("then\0", 5);
  EXPECT_THAT(refusal_to_write(made), HasSubstr("a name has a NUL at 4, where it ends"));
}

}  // namespace
}  // namespace ifcert::tflite
