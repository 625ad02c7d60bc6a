// Dimension variables with two values, and sequences whose tensors do not share the declared shape.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ifcert/reference.hpp>

namespace ifcert {
namespace {

using testing::Contains;
using testing::Field;
using testing::IsEmpty;

Type float_list(const std::string& symbol) {
  return Type::tensor(ElementType::float32, Shape{{-1, symbol}});
}

Type float_list(std::int64_t length) {
  return Type::tensor(ElementType::float32, Shape{{length, ""}});
}

Node operator_node(const std::string& op, std::vector<Slot> inputs, std::vector<Slot> outputs) {
  Node node;
  node.op = op;
  node.version = 16;
  node.inputs = std::move(inputs);
  node.outputs = std::move(outputs);
  return node;
}

auto breaks_rule(const std::string& rule) {
  return Contains(Field(&Diagnostic::rule, rule));
}

/// Copies of inputs of lengths 2 and 3 are declared with these variables.
Model copies(const std::string& of_two, const std::string& of_three) {
  Model model;
  Graph& main = model.graphs.emplace_back();
  main.inputs = {main.add_slot("x", float_list(2)), main.add_slot("w", float_list(3))};
  main.outputs = {main.add_slot("v", float_list(of_two)), main.add_slot("u", float_list(of_three))};
  main.nodes = {operator_node("Identity", {0}, {2}), operator_node("Identity", {1}, {3})};
  return model;
}

TEST(DeclaredDims, AVariableIsOneNumber) {
  EXPECT_THAT(check(copies("N", "M")), IsEmpty());
  EXPECT_THAT(check(copies("", "")), IsEmpty());
  EXPECT_THAT(check(copies("N", "N")), breaks_rule("onnx/model/shared-dims-agree"));
}

/// An If makes the same sequence of x `items` times, and returns it `results` times.
Model repeated(std::size_t items, std::size_t results, const Type& declared) {
  Model model;
  model.graphs.resize(3);
  Graph& main = model.graphs[0];
  main.inputs = {main.add_slot("cond", Type::tensor(ElementType::boolean, Shape{})), main.add_slot("x", float_list(2))};
  Node choose = operator_node("If", {0}, {});
  for (std::size_t i = 0; i < results; ++i) choose.outputs.push_back(main.add_slot("y", Type::sequence_of(declared)));
  main.outputs = choose.outputs;
  for (const GraphIndex index : {GraphIndex{1}, GraphIndex{2}}) {
    Graph& branch = model.graphs[index];
    const Slot x = branch.add_slot("x");
    const Slot made = branch.add_slot("s");
    branch.nodes = {operator_node("SequenceConstruct", std::vector<Slot>(items, x), {made})};
    branch.outputs.assign(results, made);
    choose.bodies.push_back({index == 1 ? "then_branch" : "else_branch", index, {{1, x}}, {}});
  }
  main.nodes = {choose};
  return model;
}

TEST(DeclaredDims, AResultOfIfIsHeldAgainstTheTensorsOfEachBranch) {
  EXPECT_THAT(check(repeated(2, 1, float_list("N"))), IsEmpty());
  EXPECT_THAT(check(repeated(2, 1, float_list(3))), breaks_rule("onnx/model/sequence-shape-is-of-all"));
}

TEST(DeclaredDims, ASequenceReturnedManyTimesMeetsABudget) {
  EXPECT_THROW(check(repeated(2000, 2000, float_list("N"))), UnreadableModel);
}

}  // namespace
}  // namespace ifcert
