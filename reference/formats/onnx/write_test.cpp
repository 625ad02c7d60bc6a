#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ifcert/reference.hpp>

#include "formats/onnx/file_builder.hpp"

namespace ifcert::onnx {
namespace {

using namespace file_builder;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// If(cond) whose branches are Identity(x) and the initializer of the main graph, both captured.
std::string choice() {
  const std::string then_graph = graph("then", {{node("Identity", {"x"}, {"t"})}, {}, {}, {value_info("t")}});
  const std::string else_graph = graph("else", {{node("Neg", {"w"}, {"e"})}, {}, {}, {value_info("e")}});
  const std::string choose =
      node("If", {"cond"}, {"y"}, {branch("then_branch", then_graph), branch("else_branch", else_graph)});
  return model(graph("main", {{choose},
                              {float_tensor("w", {2}, {1, 2})},
                              {value_info("cond", bool_scalar), value_info("x", float_pair)},
                              {value_info("y", float_pair)}}));
}

Value floats(const std::vector<float>& numbers) {
  return make_tensor<float>(ElementType::float32, {static_cast<std::int64_t>(numbers.size())}, numbers);
}

Value boolean(bool value) {
  const std::uint8_t byte = value ? 1 : 0;
  return make_tensor<std::uint8_t>(ElementType::boolean, {}, std::span(&byte, 1));
}

std::string refusal_to_write(const Model& written) {
  try {
    write(written);
  } catch (const Inexpressible& error) {
    return error.what();
  }
  return "nothing was refused";
}

Node operation(const std::string& op, Slot input, Slot output) {
  Node node;
  node.op = op;
  node.version = 16;
  node.inputs = {input};
  node.outputs = {output};
  return node;
}

/// A model of one If that passes x on, built by hand. Its branches share a name with the graph around them.
Model homonyms() {
  Model made;
  made.ir_version = 8;
  made.opsets = {{"", 16}};
  Graph& main = made.graphs.emplace_back();
  main.name = "main";
  main.inputs = {main.add_slot("cond", Type::tensor(ElementType::boolean)),
                 main.add_slot("x", Type::tensor(ElementType::float32))};
  main.outputs = {main.add_slot("", Type::tensor(ElementType::float32))};
  Node choose = operation("If", 0, 2);
  for (const char* role : {"then_branch", "else_branch"}) {
    choose.bodies.push_back({role, static_cast<GraphIndex>(made.graphs.size()), {{1, 0}}, {}});
    Graph& branch = made.graphs.emplace_back();
    branch.name = role;
    branch.add_slot("inside");
    branch.outputs = {branch.add_slot("x")};
    branch.nodes.push_back(operation("Neg", 0, 1));
  }
  made.graphs[0].nodes.push_back(std::move(choose));
  return made;
}

TEST(OnnxWrite, WhatIsWrittenReadsAsTheSameModel) {
  const Reading once = read(choice());
  const std::string bytes = write(once.model);
  const Reading twice = read(bytes);
  EXPECT_THAT(check(twice), IsEmpty());
  EXPECT_EQ(write(twice.model), bytes);
  EXPECT_EQ(twice.model.main().slots[1].declared, once.model.main().slots[1].declared);
}

TEST(OnnxWrite, TheModelReadAgainComputesTheSame) {
  const Program program(read(write(read(choice()).model)).model);
  const std::vector<Value> taken = program.run(std::vector<Value>{boolean(true), floats({5, 6})});
  EXPECT_TRUE(same_bits(taken.front(), floats({5, 6})));
  const std::vector<Value> other = program.run(std::vector<Value>{boolean(false), floats({5, 6})});
  EXPECT_TRUE(same_bits(other.front(), floats({-1, -2})));
}

TEST(OnnxWrite, ANameThatIsMissingOrVisibleAlreadyIsReplaced) {
  const Reading written = read(write(homonyms()));
  EXPECT_THAT(check(written), IsEmpty());
  EXPECT_EQ(written.model.main().slots[2].name, "value_1");
  EXPECT_EQ(written.model.graphs[1].slots[1].name, "x_1");
  EXPECT_EQ(written.model.graphs[2].slots[1].name, "x_2");
}

TEST(OnnxWrite, AnOutputOfTheModelKeepsItsName) {
  Model made = homonyms();
  Graph& main = made.graphs.front();
  main.slots[2].name = "y";
  main.constants.push_back({main.add_slot("y"), make_strings({}, {"first"})});
  const Graph written = read(write(made)).model.main();
  EXPECT_EQ(written.slots[written.outputs.front()].name, "y");
}

TEST(OnnxWrite, AStringWithAZeroByteStaysWhole) {
  Model made = homonyms();
  Graph& main = made.graphs.front();
  const std::string odd("a\0b", 3);
  main.constants.push_back({main.add_slot("letters"), make_strings({1}, {odd})});
  const Reading written = read(write(made));
  EXPECT_THAT(written.model.main().constants.front().value.tensor()->strings, ElementsAre(odd));
}

TEST(OnnxWrite, AReferenceTakesItsTypeFromTheCallThatGivesIt) {
  const std::string body = node("Cast", {"a"}, {"b"}, {reference_attribute("to", 2, "type")});
  const std::string called = with_functions(model(graph("main", {{call("f", {"x"}, {"y"}, {int_attribute("type", 6)})},
                                                                 {},
                                                                 {value_info("x", float_pair)},
                                                                 {value_info("y", tensor_type(6, {2}))}})),
                                            {function("f", {{"a"}, {"b"}, {body}, {"type"}})});
  const Reading once = read(called);
  ASSERT_THAT(check(once), IsEmpty());
  EXPECT_THAT(check(read(write(once.model))), IsEmpty());
}

TEST(OnnxWrite, AReferenceThatNobodyGivesIsRefused) {
  const std::string body = node("Cast", {"a"}, {"b"}, {reference_attribute("to", 2, "type")});
  const Reading once = read(with_functions(
      model(
          graph("main",
                {{node("Identity", {"x"}, {"y"})}, {}, {value_info("x", float_pair)}, {value_info("y", float_pair)}})),
      {function("f", {{"a"}, {"b"}, {body}, {"type"}})}));
  EXPECT_THAT(refusal_to_write(once.model), HasSubstr("attribute \"to\": it refers to \"type\", which no call passes"));
}

TEST(OnnxWrite, AnInputOrOutputOfTheMainGraphWhoseElementTypeIsNotKnownIsRefused) {
  const std::string later = tensor_type(42, {2});  // of a version to come
  const std::string pair = tensor_type(1, {2});
  const auto passing_on = [](const std::string& input, const std::string& output) {
    return read(model(
                    graph("main",
                          {{node("Identity", {"x"}, {"y"})}, {}, {value_info("x", input)}, {value_info("y", output)}})))
        .model;
  };
  EXPECT_THAT(refusal_to_write(passing_on(later, pair)), HasSubstr("input 0: the element type is not known"));
  EXPECT_THAT(refusal_to_write(passing_on(pair, later)), HasSubstr("output 0: the element type is not known"));
}

TEST(OnnxWrite, SparseTensorsStaySparse) {
  const std::vector<float> five{5};
  const std::vector<std::int64_t> place{0, 1};
  const Value sparse = SparseTensor{make_tensor<float>(ElementType::float32, {1}, five),
                                    make_tensor<std::int64_t>(ElementType::int64, {1, 2}, place),
                                    {2, 3}};
  Model once = homonyms();
  Graph& branch = once.graphs[1];
  const Slot of_node = branch.add_slot("of_node");
  branch.constants.push_back({branch.add_slot("initial"), sparse});
  Node& constant = branch.nodes.emplace_back();
  constant.op = "Constant";
  constant.version = branch.nodes[0].version;
  constant.outputs = {of_node};
  constant.attributes["sparse_value"] = sparse;
  const Model again = read(write(once)).model;
  EXPECT_TRUE(same_bits(again.graphs[1].constants.back().value, sparse));
  EXPECT_TRUE(same_bits(std::get<Value>(again.graphs[1].nodes.back().attributes.at("sparse_value")), sparse));
}

TEST(OnnxWrite, WhatTheGraphFormDoesNotKeepIsRefused) {
  Model listed = homonyms();
  listed.graphs[0].nodes[0].bodies[1].role = "then_branch";
  EXPECT_THAT(refusal_to_write(listed), HasSubstr("the attribute then_branch holds a list of graphs"));
}

TEST(OnnxWrite, OneDomainInTwoVersionsIsRefused) {
  Model made = homonyms();
  made.graphs[2].nodes[0].version = 13;
  EXPECT_THAT(refusal_to_write(made), HasSubstr("the domain \"\" is used in two versions"));
}

}  // namespace
}  // namespace ifcert::onnx
