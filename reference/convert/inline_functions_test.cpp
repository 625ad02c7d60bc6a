#include "convert/inline_functions.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ifcert/reference.hpp>
#include <numeric>

#include "model/test_parts.hpp"

namespace ifcert::translation {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Node call_of(GraphIndex function, std::vector<Slot> inputs, std::vector<Slot> outputs, Attributes attributes = {}) {
  Node node = operation("F", std::move(inputs), std::move(outputs), std::move(attributes));
  node.domain = "f";
  node.version = 1;
  node.call = true;
  node.bodies = {{"", function, {}, {}}};
  return node;
}

Graph graph_of(const std::vector<std::string>& slots, std::vector<Slot> inputs, std::vector<Slot> outputs,
               std::vector<Node> nodes) {
  Graph graph;
  for (const std::string& slot : slots) graph.add_slot(slot);
  graph.inputs = std::move(inputs);
  graph.outputs = std::move(outputs);
  graph.nodes = std::move(nodes);
  return graph;
}

/// Graph 0 has the inputs cond and x, the output y, and this node; `graphs` follow it.
Model model_of(Node call, std::vector<Graph> graphs, const std::vector<GraphIndex>& functions = {1}) {
  Model made;
  made.ir_version = 8;
  made.opsets = {{"", 16}, {"f", 1}};
  Graph main = graph_of({"cond", "x", "y"}, {0, 1}, {2}, {std::move(call)});
  main.name = "main";
  main.slots[0].declared = Type::tensor(ElementType::boolean, Shape{});
  main.slots[1].declared = Type::tensor(ElementType::int64, Shape{Dim{}});
  made.graphs.push_back(std::move(main));
  for (Graph& graph : graphs) made.graphs.push_back(std::move(graph));
  for (const GraphIndex graph : functions) made.functions.push_back({"f", std::to_string(graph), "", graph, {}, {}});
  return made;
}

Value run(const Model& model, bool cond) {
  return Program(model).run(std::vector<Value>{boolean(cond), integers({3, -4})}).front();
}

/// The model, the model with functions inlined, and the latter in both other formats.
void expect_each_form_gives(const Model& model, bool cond, const std::vector<std::int64_t>& numbers) {
  const Model inlined = inlined_functions(model);
  EXPECT_THAT(inlined.functions, IsEmpty());
  EXPECT_NO_THROW(onnx::write(inlined));
  EXPECT_TRUE(same_bits(run(model, cond), integers(numbers)));
  EXPECT_TRUE(same_bits(run(inlined, cond), integers(numbers)));
  for (const Format format : {Format::openvino, Format::tflite})
    EXPECT_TRUE(same_bits(run(ifcert::translate(model, format), cond), integers(numbers)));
}

std::string refusal_of(const Model& model) {
  try {
    inlined_functions(model);
  } catch (const Inexpressible& error) {
    return error.what();
  }
  return "nothing was refused";
}

/// F(x) { y = x + the attribute k }
Graph adding_k() {
  return graph_of(
      {"x", "k", "y"}, {0}, {2},
      {operation("Constant", {}, {1}, {{"value_ints", AttributeReference{"k"}}}), operation("Add", {0, 1}, {2})});
}

TEST(InlineFunctions, AConstantWhoseAttributeTheCallLeavesOutIsRefused) {
  const Model model = model_of(call_of(1, {1}, {2}), {adding_k()});
  for (const Format format : {Format::openvino, Format::tflite}) {
    try {
      translate(model, format);
      ADD_FAILURE() << "nothing was refused";
    } catch (const Inexpressible& error) {
      EXPECT_THAT(error.what(), HasSubstr("node 0 (Constant): "));
      EXPECT_THAT(error.what(), HasSubstr("none of the attributes value, value_int, … is given"));
    }
  }
}

TEST(InlineFunctions, AnAttributeIsWhatTheCallGives) {
  const Attributes given{{"k", std::vector<std::int64_t>{10, 20}}};
  expect_each_form_gives(model_of(call_of(1, {1}, {2}, given), {adding_k()}), true, {13, 16});
}

TEST(InlineFunctions, AnAttributeThatTheCallLeavesOutHasItsDefault) {
  Model model = model_of(call_of(1, {1}, {2}), {adding_k()});
  model.functions.front().defaults = {{"k", std::vector<std::int64_t>{1, 2}}};
  expect_each_form_gives(model, true, {4, -2});
}

TEST(InlineFunctions, AnAttributeGoesThroughAFunctionIntoAnother) {
  const Graph through = graph_of({"x", "y"}, {0}, {1}, {call_of(2, {0}, {1}, {{"k", AttributeReference{"outer_k"}}})});
  const Attributes given{{"outer_k", std::vector<std::int64_t>{5, 6}}};
  expect_each_form_gives(model_of(call_of(1, {1}, {2}, given), {through, adding_k()}, {1, 2}), true, {8, 2});
}

TEST(InlineFunctions, AnAttributeWithoutValueIsLeftOut) {
  const Graph function =
      graph_of({"x", "y"}, {0}, {1}, {operation("Op", {0}, {1}, {{"axis", AttributeReference{"k"}}})});
  const Model inlined = inlined_functions(model_of(call_of(1, {1}, {2}), {function}));
  EXPECT_THAT(inlined.main().nodes.front().attributes, IsEmpty());
}

TEST(InlineFunctions, AnInputThatTheCallLeavesOutIsLeftOutInTheBody) {
  const Graph function = graph_of({"a", "b", "y"}, {0, 1}, {2}, {operation("Op", {0, 1}, {2})});
  const Model inlined = inlined_functions(model_of(call_of(1, {1, no_slot}, {2}), {function}));
  EXPECT_THAT(inlined.main().nodes.front().inputs, ElementsAre(1, no_slot));
}

TEST(InlineFunctions, AnInputThatIsHandedOnHasTheNameAroundTheCall) {
  const Model model = model_of(call_of(1, {1}, {2}), {graph_of({"a"}, {0}, {0}, {})});
  EXPECT_EQ(inlined_functions(model).main().slots[inlined_functions(model).main().outputs.front()].name, "y");
  expect_each_form_gives(model, true, {3, -4});
}

TEST(InlineFunctions, AnInputThatIsLeftOutCannotBeHandedOn) {
  const Model model = model_of(call_of(1, {no_slot}, {2}), {graph_of({"a"}, {0}, {0}, {})});
  EXPECT_THAT(refusal_of(model), HasSubstr("output 0: the function returns an input that the call leaves out"));
}

/// F(given, left_out) with one node, called with x alone.
Model leaving_out(Node node, std::vector<Graph> bodies = {}) {
  std::vector<Graph> graphs{graph_of({"given", "left_out", "y"}, {0, 1}, {2}, {std::move(node)})};
  for (Graph& body : bodies) graphs.push_back(std::move(body));
  return model_of(call_of(1, {1, no_slot}, {2}), std::move(graphs));
}

TEST(InlineFunctions, AnInputThatIsLeftOutCannotBeCond) {
  Node choose = operation("If", {1}, {2});
  choose.bodies = {{"then_branch", 2, {{0, 0}}, {}}, {"else_branch", 3, {{0, 0}}, {}}};
  const Graph branch = graph_of({"given", "y"}, {}, {1}, {operation("Neg", {0}, {1})});
  EXPECT_THAT(refusal_of(leaving_out(choose, {branch, branch})),
              HasSubstr("cond is an input of the function that the call leaves out"));
}

TEST(InlineFunctions, AnInputThatIsLeftOutCannotBeWhatABranchGives) {
  Node choose = operation("If", {0}, {2});
  choose.bodies = {{"then_branch", 2, {{0, 0}}, {}}, {"else_branch", 3, {{1, 0}}, {}}};
  const Graph negated = graph_of({"given", "y"}, {}, {1}, {operation("Neg", {0}, {1})});
  EXPECT_THAT(refusal_of(leaving_out(choose, {negated, graph_of({"left_out"}, {}, {0}, {})})),
              HasSubstr("else_branch / output 0: an input of the function that the call leaves out"));
}

TEST(InlineFunctions, AnOperandThatIsLeftOutIsNotMadeUp) {
  std::vector<Node> nodes{operation("Slice", {0, 1, 1}, {2}), operation("Reshape", {0, 1}, {2}),
                          operation("Unsqueeze", {0, 1}, {2}), operation("Expand", {0, 1}, {2}),
                          operation("Concat", {0, 1}, {2}, {{"axis", std::int64_t{0}}})};
  for (const Node& node : nodes) {
    for (const Format format : {Format::openvino, Format::tflite})
      EXPECT_THROW(translate(leaving_out(node), format), Inexpressible) << node.op;
  }
}

/// F(cond) { y = If(cond) { If(cond) { the graph g } { the graph g } } { the graph h } }
std::vector<Graph> choosing() {
  Node inner = operation("If", {0}, {1});
  inner.bodies = {{"then_branch", 0, {}, "g"}, {"else_branch", 0, {}, "g"}};
  Node outer = operation("If", {0}, {1});
  outer.bodies = {{"then_branch", 2, {{0, 0}}, {}}, {"else_branch", 0, {}, "h"}};
  return {graph_of({"cond", "y"}, {0}, {1}, {std::move(outer)}), graph_of({"cond", "y"}, {}, {1}, {std::move(inner)})};
}

/// Graphs of a call, which capture its x.
Body negated(const std::string& role, GraphIndex graph) {
  return {role, graph, {{1, 0}}, {}};
}

Graph of_x(const std::string& op) {
  return graph_of({"x", "y"}, {}, {1}, {operation(op, {0}, {1})});
}

TEST(InlineFunctions, AGraphThatTheCallGivesReadsTheValuesAroundTheCall) {
  Node call = call_of(1, {0}, {2});
  call.bodies.push_back(negated("g", 3));
  call.bodies.push_back(negated("h", 4));
  std::vector<Graph> graphs = choosing();
  graphs.push_back(of_x("Neg"));
  graphs.push_back(of_x("Relu"));
  const Model model = model_of(std::move(call), std::move(graphs));
  expect_each_form_gives(model, true, {-3, 4});
  expect_each_form_gives(model, false, {3, 0});
}

TEST(InlineFunctions, AGraphGoesThroughAFunctionIntoAnother) {
  Node passing = call_of(1, {0}, {1});
  passing.bodies.push_back({"g", 0, {}, "first"});
  passing.bodies.push_back({"h", 0, {}, "second"});
  Node call = call_of(3, {0}, {2});
  call.bodies.push_back(negated("first", 4));
  call.bodies.push_back(negated("second", 5));
  std::vector<Graph> graphs = choosing();
  graphs.push_back(graph_of({"cond", "y"}, {0}, {1}, {std::move(passing)}));
  graphs.push_back(of_x("Neg"));
  graphs.push_back(of_x("Relu"));
  const Model model = model_of(std::move(call), std::move(graphs), {1, 3});
  expect_each_form_gives(model, true, {-3, 4});
  expect_each_form_gives(model, false, {3, 0});
}

TEST(InlineFunctions, AGraphThatNoCallGivesIsRefused) {
  EXPECT_THAT(refusal_of(model_of(call_of(1, {0}, {2}), choosing())), HasSubstr("no call passes the graph \"g\""));
}

TEST(InlineFunctions, ACallInABranchIsInlinedThere) {
  Node choose = operation("If", {0}, {2});
  choose.bodies = {{"then_branch", 2, {{1, 0}}, {}}, {"else_branch", 3, {{1, 0}}, {}}};
  const Attributes given{{"k", std::vector<std::int64_t>{10, 20}}};
  const Graph calling = graph_of({"x", "y"}, {}, {1}, {call_of(1, {0}, {1}, given)});
  const Model model = model_of(std::move(choose), {adding_k(), calling, of_x("Neg")});
  expect_each_form_gives(model, true, {13, 16});
  expect_each_form_gives(model, false, {-3, 4});
}

TEST(InlineFunctions, FunctionsThatDoubleWithEachLevelAreRefused) {
  std::vector<Graph> graphs;
  std::vector<GraphIndex> functions;
  for (GraphIndex i = 1; i <= 30; ++i) {
    const auto next = [&](Slot from, Slot to) {
      return i == 30 ? operation("Neg", {from}, {to}) : call_of(i + 1, {from}, {to});
    };
    graphs.push_back(graph_of({"x", "z", "y"}, {0}, {2}, {next(0, 1), next(1, 2)}));
    functions.push_back(i);
  }
  EXPECT_THAT(refusal_of(model_of(call_of(1, {1}, {2}), std::move(graphs), functions)),
              HasSubstr("copied for each call, exceed 200000 values and nodes"));
}

TEST(InlineFunctions, AFunctionThatCallsItselfIsRefused) {
  const Graph itself = graph_of({"x", "y"}, {0}, {1}, {call_of(1, {0}, {1})});
  EXPECT_THAT(refusal_of(model_of(call_of(1, {1}, {2}), {itself})), HasSubstr("exceed 1000 levels"));
}

TEST(InlineFunctions, WhatIsRefusedBehindThemSaysThatNodesAreCountedWithout) {
  const Graph function = graph_of({"x", "y"}, {0}, {1}, {operation("Size", {0}, {1})});
  try {
    ifcert::translate(model_of(call_of(1, {1}, {2}), {function}), Format::openvino);
    FAIL() << "nothing was refused";
  } catch (const Inexpressible& error) {
    EXPECT_EQ(error.place(), "functions inlined, graph \"main\" / node 0 (Size)");
  }
}

// The graph that the call passes captures values around the call; inlined, each level between captures them too.
TEST(InlineFunctions, AGraphThatReadsManyValuesFarInsideTheFunctionIsRefused) {
  constexpr std::size_t values = 1'000;
  constexpr GraphIndex levels = 300;
  Graph main = graph_of({"cond"}, {0}, {}, {});
  Graph passed = graph_of({"y"}, {}, {0}, {operation("Constant", {}, {0}, {{"value_int", std::int64_t{1}}})});
  Body given{"g", levels + 1, {}, {}};
  for (std::size_t i = 0; i < values; ++i) {
    const Slot outer = main.add_slot(fmt::format("x{}", i));
    given.captures.push_back({outer, passed.add_slot(fmt::format("x{}", i))});
  }
  main.inputs.resize(values + 1);
  std::iota(main.inputs.begin(), main.inputs.end(), Slot{0});
  main.outputs = {main.add_slot("y")};
  Node call = call_of(1, {0}, main.outputs);
  call.bodies.push_back(given);
  main.nodes = {call};
  Model made;
  made.graphs.push_back(std::move(main));
  for (GraphIndex level = 1; level <= levels; ++level) {
    Node choice = operation("If", {0}, {1});
    const Body entered = level == levels ? Body{"", 0, {}, "g"} : Body{"", level + 1, {{0, 0}}, {}};
    choice.bodies = {entered, {"", 0, {}, "g"}};
    choice.bodies[0].role = "then_branch";
    choice.bodies[1].role = "else_branch";
    made.graphs.push_back(
        graph_of({"cond", "y"}, level == 1 ? std::vector<Slot>{0} : std::vector<Slot>{}, {1}, {choice}));
  }
  made.graphs.push_back(std::move(passed));
  made.functions.push_back({"f", "F", "", 1, {}, {}});
  EXPECT_THAT(refusal_of(made), HasSubstr("copied for each call, exceed 200000 values and nodes"));
}

/// The names of the graph's nodes, in order.
std::vector<std::string> node_names(const Graph& graph) {
  std::vector<std::string> names;
  for (const Node& node : graph.nodes) names.push_back(node.name);
  return names;
}

// "Within a namespace, each name MUST be unique for each given graph." (IR document, Names Within a Graph)
TEST(InlineFunctions, NodesOfAFunctionThatIsCalledTwiceGetNamesOfTheirOwn) {
  Node negate = operation("Neg", {0}, {1});
  negate.name = "n";
  Node again = operation("Neg", {1}, {2});
  again.name = "n_1";
  Model model = model_of(call_of(1, {1}, {3}), {graph_of({"a", "b", "c"}, {0}, {2}, {negate, again})});
  Graph& main = model.graphs.front();
  main.add_slot("z");
  main.nodes.push_back(call_of(1, {3}, {2}));
  const Model inlined = inlined_functions(model);
  EXPECT_THAT(node_names(inlined.main()), ElementsAre("n", "n_1", "", "n_2", "n_1_1", ""));
  expect_each_form_gives(model, true, {3, -4});
}

/// An illegal model is inlined too, when it is made smaller.
TEST(InlineFunctions, AnIfWithoutAnOperandIsCopiedAsItIs) {
  const Model model = model_of(call_of(1, {1}, {2}), {graph_of({"a", "b"}, {0}, {1}, {operation("If", {}, {1})})});
  EXPECT_THAT(inlined_functions(model).main().nodes.front().inputs, IsEmpty());
}

}  // namespace
}  // namespace ifcert::translation
