// Translation between ONNX, IR and TensorFlow Lite: models built by hand, and the results of each form.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ifcert/reference.hpp>

#include "model/test_parts.hpp"

namespace ifcert {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

Value number(std::int64_t value) {
  return make_tensor<std::int64_t>(ElementType::int64, {}, std::span(&value, 1));
}

const Type one_bool = Type::tensor(ElementType::boolean, Shape{});
const Type list = Type::tensor(ElementType::int64, Shape{Dim{}});

/// y = If(cond) { Sub(x, z) } else { Neg(x) }: only one branch captures z.
Model tflite_choice() {
  Model made;
  made.ir_version = 8;
  made.opsets = {{"", 16}};
  made.graphs.resize(3);
  Graph& main = made.graphs[0];
  main.name = "main";
  main.inputs = {main.add_slot("cond", one_bool), main.add_slot("z", list), main.add_slot("x", list)};
  main.outputs = {main.add_slot("y")};
  Node choose = operation("If", {0}, {3});
  choose.bodies = {{"then_branch", 1, {{2, 0}, {1, 1}}, {}}, {"else_branch", 2, {{2, 0}}, {}}};
  main.nodes.push_back(std::move(choose));
  Graph& then_graph = made.graphs[1];
  then_graph.name = "then";
  then_graph.add_slot("x");
  then_graph.add_slot("z");
  then_graph.outputs = {then_graph.add_slot("difference")};
  then_graph.nodes.push_back(operation("Sub", {0, 1}, {2}));
  Graph& else_graph = made.graphs[2];
  else_graph.name = "else";
  else_graph.add_slot("x");
  else_graph.outputs = {else_graph.add_slot("negative")};
  else_graph.nodes.push_back(operation("Neg", {0}, {1}));
  return made;
}

/// total = Loop(M, cond, 0) { total + step, while total is below 10 }: step is captured.
Model loop() {
  Model made;
  made.ir_version = 8;
  made.opsets = {{"", 16}};
  made.graphs.resize(2);
  Graph& main = made.graphs[0];
  main.name = "main";
  main.inputs = {main.add_slot("M", Type::tensor(ElementType::int64, Shape{})), main.add_slot("cond", one_bool),
                 main.add_slot("step", Type::tensor(ElementType::int64, Shape{}))};
  main.constants.push_back({main.add_slot("zero"), number(0)});
  main.outputs = {main.add_slot("total")};
  Node node = operation("Loop", {0, 1, 3}, {4});
  node.bodies = {{"body", 1, {{2, 3}}, {}}};
  main.nodes.push_back(std::move(node));
  Graph& body = made.graphs[1];
  body.name = "body";
  body.inputs = {body.add_slot("trip", Type::tensor(ElementType::int64, Shape{})), body.add_slot("again", one_bool),
                 body.add_slot("before", Type::tensor(ElementType::int64, Shape{}))};
  body.add_slot("step");
  body.constants.push_back({body.add_slot("ten"), number(10)});
  body.add_slot("after");
  body.outputs = {body.add_slot("is_below"), 5};
  body.nodes.push_back(operation("Add", {2, 3}, {5}));
  body.nodes.push_back(operation("Less", {5, 4}, {6}));
  return made;
}

Value run_loop(const Model& model, std::int64_t count, bool cond, std::int64_t step) {
  return Program(model).run(std::vector<Value>{number(count), boolean(cond), number(step)}).front();
}

Value run_choice(const Model& model, bool cond) {
  return Program(model).run(std::vector<Value>{boolean(cond), integers({1, 2}), integers({30, 40})}).front();
}

std::string refusal_to_write(const Model& model, Format to) {
  try {
    translate(model, to);
  } catch (const Inexpressible& error) {
    return error.what();
  }
  return "nothing was refused";
}

TEST(TranslateTflite, WhatEitherBranchCapturesBothSubgraphsTake) {
  const Model made = translate(tflite_choice(), Format::tflite);
  EXPECT_THAT(check(made), IsEmpty());
  const Node& choose = made.main().nodes.front();
  EXPECT_THAT(choose.inputs, ElementsAre(0, 2, 1));
  for (const Body& body : choose.bodies) EXPECT_THAT(made.graphs[body.graph].inputs, SizeIs(2));
  EXPECT_EQ(made.graphs[2].nodes.front().op, "NEG");
}

TEST(TranslateTflite, AConstantThatABranchCapturesIsItsOwn) {
  Model model = tflite_choice();
  Graph& main = model.graphs.front();
  main.inputs = {0, 2};
  main.constants.push_back({1, integers({1, 2})});
  const Model made = translate(model, Format::tflite);
  EXPECT_THAT(made.main().nodes.front().inputs, ElementsAre(0, 1));
  EXPECT_THAT(made.graphs[1].constants, SizeIs(1));
}

TEST(TranslateTflite, EachFormOfAnIfComputesTheSame) {
  Model model = tflite_choice();
  for (const Format format : {Format::tflite, Format::onnx, Format::tflite, Format::openvino, Format::tflite}) {
    model = translate(model, format);
    EXPECT_THAT(check(model), IsEmpty());
    EXPECT_TRUE(same_bits(run_choice(model, true), integers({29, 38})));
    EXPECT_TRUE(same_bits(run_choice(model, false), integers({-30, -40})));
    EXPECT_EQ(model.main().slots[model.main().outputs.front()].name, "y");
  }
}

TEST(TranslateTflite, EachFormOfALoopComputesTheSame) {
  Model model = loop();
  for (const Format format : {Format::tflite, Format::onnx, Format::tflite}) {
    model = translate(model, format);
    EXPECT_THAT(check(model), IsEmpty());
    EXPECT_TRUE(same_bits(run_loop(model, 3, true, 2), number(6)));    // the count ends it
    EXPECT_TRUE(same_bits(run_loop(model, 99, true, 4), number(12)));  // cond ends it
    EXPECT_TRUE(same_bits(run_loop(model, 0, true, 4), number(0)));
    EXPECT_TRUE(same_bits(run_loop(model, 3, false, 4), number(0)));
  }
}

TEST(TranslateTflite, ALoopWithoutCountAndCondEndsWhenItsBodySaysSo) {
  Model model = loop();
  model.graphs[0].nodes.front().inputs = {no_slot, no_slot, 3};
  EXPECT_TRUE(same_bits(run_loop(translate(model, Format::tflite), 0, false, 4), number(12)));
}

/// The loop whose body also returns the negative of each total.
Model scanning() {
  Model model = loop();
  Graph& body = model.graphs[1];
  body.outputs.push_back(body.add_slot("each"));
  body.nodes.push_back(operation("Neg", {5}, {7}));
  Graph& main = model.graphs[0];
  main.nodes.front().outputs.push_back(main.add_slot("all"));
  main.outputs = {5};
  return model;
}

TEST(TranslateTflite, AScanOutputGrowsByAnElementATrip) {
  const Model made = translate(scanning(), Format::tflite);
  EXPECT_THAT(check(made), IsEmpty());
  EXPECT_TRUE(same_bits(run_loop(made, 3, true, 2), integers({-2, -4, -6})));
  EXPECT_TRUE(same_bits(run_loop(made, 0, true, 2), integers({})));
}

TEST(TranslateTflite, AScanOutputOfUnknownShapeIsRefused) {
  Model model = scanning();
  for (const Slot slot : {2U, 3U}) {
    model.graphs[1].slots[slot].declared = {};
    model.graphs[0].slots[slot].declared = Type::tensor(ElementType::int64, Shape{Dim{}});
  }
  model.graphs[0].constants.front().value = integers({0});
  EXPECT_THAT(refusal_to_write(model, Format::tflite),
              HasSubstr("node 0 (Loop) / output 1: a scan output whose elements have an unknown shape"));
}

/// swapped = While(i, a, b) { i + 1, b, a } for as long as i is below 3
Model swap() {
  Model made;
  made.format = Format::tflite;
  made.ir_version = 3;
  made.graphs.resize(3);
  const Type scalar = Type::tensor(ElementType::int64, Shape{});
  for (std::uint32_t i = 0; i < 3; ++i) {
    Graph& graph = made.graphs[i];
    graph.subgraph = i;
    graph.inputs = {graph.add_slot("i", scalar), graph.add_slot("a", list), graph.add_slot("b", list)};
    graph.add_slot("c", scalar);
  }
  Graph& main = made.graphs[0];
  main.outputs = {3, main.add_slot("d", list), main.add_slot("e", list)};
  Node node = operation("While", {0, 1, 2}, {3, 4, 5});
  node.bodies = {{"cond_subgraph", 1, {}, {}}, {"body_subgraph", 2, {}, {}}};
  main.nodes.push_back(std::move(node));
  Graph& cond = made.graphs[1];
  cond.constants.push_back({3, number(3)});
  cond.outputs = {cond.add_slot("again", one_bool)};
  cond.nodes.push_back(operation("LESS", {0, 3}, {4}));
  Graph& body = made.graphs[2];
  body.constants.push_back({3, number(1)});
  body.outputs = {body.add_slot("next", scalar), 2, 1};
  body.nodes.push_back(operation("ADD", {0, 3}, {4}));
  return made;
}

TEST(TranslateTflite, VariablesThatAWhileSwapsAreSwappedInALoop) {
  const Model made = translate(swap(), Format::onnx);
  EXPECT_THAT(check(made), IsEmpty());
  for (const std::int64_t first : {0, 1, 3}) {
    const std::vector<Value> given{number(first), integers({1}), integers({2, 3})};
    const std::vector<Value> expected = Program(swap()).run(given);
    const std::vector<Value> results = Program(made).run(given);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_TRUE(same_bits(results[i], expected[i])) << first << " " << i;
  }
  const std::vector<Value> odd = Program(made).run(std::vector<Value>{number(0), integers({1}), integers({2, 3})});
  EXPECT_TRUE(same_bits(odd[1], integers({2, 3})));
}

TEST(TranslateTflite, AnOutputHasTheShapeThatIsInferredOrTheRankThatTheFileHints) {
  const Model made = translate(swap(), Format::onnx);
  const Graph& main = made.main();
  EXPECT_EQ(main.slots[main.outputs[1]].declared, list);
  Model passing = swap();
  passing.graphs[0].nodes.clear();
  passing.graphs[0].outputs = {0};
  const Model passed = translate(passing, Format::onnx);
  EXPECT_EQ(passed.main().slots[passed.main().outputs[0]].declared, Type::tensor(ElementType::int64, Shape{}));
}

/// Subgraph i is both branches of the If in subgraph i - 1; the last one returns its input.
Model doubling(std::uint32_t levels) {
  Model made;
  made.format = Format::tflite;
  made.ir_version = 3;
  made.graphs.resize(levels + 1);
  for (std::uint32_t i = 0; i <= levels; ++i) {
    Graph& graph = made.graphs[i];
    graph.subgraph = i;
    graph.inputs = {graph.add_slot("cond", one_bool), graph.add_slot("x", list)};
    graph.outputs = {i == levels ? 1 : graph.add_slot("y", list)};
    if (i == levels) continue;
    Node node = operation("If", {0, 0, 1}, {2});
    node.bodies = {{"then_subgraph", i + 1, {{0, 0}, {1, 1}}, {}}, {"else_subgraph", i + 1, {{0, 0}, {1, 1}}, {}}};
    graph.nodes.push_back(std::move(node));
  }
  return made;
}

TEST(TranslateTflite, ASubgraphUsedTwiceBecomesTwoGraphs) {
  const Model made = translate(doubling(3), Format::onnx);
  EXPECT_THAT(made.graphs, SizeIs(15));
  const std::vector<Value> results = Program(made).run(std::vector<Value>{boolean(true), integers({5})});
  EXPECT_TRUE(same_bits(results.front(), integers({5})));
}

TEST(TranslateTflite, SubgraphsThatDoubleWithEachLevelAreRefused) {
  EXPECT_THAT(refusal_to_write(doubling(40), Format::onnx),
              HasSubstr("more than 200000 tensors and operators, counting a subgraph for each"));
}

/// Activation of x + 0, including NaN.
TEST(TranslateTflite, AFusedActivationBecomesNodes) {
  Model model;
  model.format = Format::tflite;
  model.ir_version = 3;
  Graph& main = model.graphs.emplace_back();
  main.subgraph = 0;
  const Type floats = Type::tensor(ElementType::float32, Shape{Dim{}});
  main.inputs = {main.add_slot("x", floats)};
  const float zero = 0;
  main.constants.push_back({main.add_slot("zero", Type::tensor(ElementType::float32, Shape{})),
                            make_tensor<float>(ElementType::float32, {}, std::span(&zero, 1))});
  main.outputs = {main.add_slot("y", floats)};
  main.nodes.push_back(operation("ADD", {0, 1}, {2}, {{"fused_activation_function", std::string("RELU6")}}));
  const Model made = translate(model, Format::onnx);
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const auto tensor = [](const std::vector<float>& elements) {
    return Value(make_tensor<float>(ElementType::float32, {static_cast<std::int64_t>(elements.size())}, elements));
  };
  const std::vector<Value> results = Program(made).run(std::vector<Value>{tensor({-1, 2, 7, nan})});
  EXPECT_TRUE(same_bits(results.front(), tensor({0, 2, 6, nan})));
  model.graphs[0].nodes.front().attributes["fused_activation_function"] = std::string("SIGN_BIT");
  EXPECT_THAT(refusal_to_write(model, Format::onnx),
              HasSubstr("subgraph 0 / operator 0 (ADD): the fused activation SIGN_BIT"));
}

/// y = OP(x, operand), where the operand is a list that is known only in a run.
Model listed(const std::string& op, Attributes attributes = {}) {
  Model made;
  made.ir_version = 8;
  made.opsets = {{"", 16}};
  Graph& main = made.graphs.emplace_back();
  main.name = "main";
  main.inputs = {main.add_slot("x", Type::tensor(ElementType::int64, Shape{Dim{}, Dim{}})),
                 main.add_slot("list", list)};
  main.outputs = {main.add_slot("y")};
  main.nodes.push_back(operation(op, {0, 1}, {2}, std::move(attributes)));
  return made;
}

Value run_listed(const Model& model, const std::vector<std::int64_t>& operand) {
  const Value x = make_tensor<std::int64_t>(ElementType::int64, {2, 3}, std::vector<std::int64_t>{1, 2, 3, 4, 5, 6});
  const Model made = translate(model, Format::tflite);
  return Program(made).run(std::vector<Value>{x, integers(operand)}).front();
}

TEST(TranslateTflite, AZeroInAShapeThatARunGivesIsTheDimThatWas) {
  const Value reshaped = run_listed(listed("Reshape"), {0, 1, -1});
  EXPECT_THAT(reshaped.tensor()->dims, ElementsAre(2, 1, 3));
  EXPECT_THAT(run_listed(listed("Reshape"), {0, 0}).tensor()->dims, ElementsAre(2, 3));
  EXPECT_THAT(run_listed(listed("Reshape"), {6}).tensor()->dims, ElementsAre(6));
}

TEST(TranslateTflite, AnIndexCountedFromTheEndIsCountedFromTheFront) {
  const Value taken = run_listed(listed("Gather", {{"axis", std::int64_t{-1}}}), {-1, 0});
  EXPECT_TRUE(
      same_bits(taken, make_tensor<std::int64_t>(ElementType::int64, {2, 2}, std::vector<std::int64_t>{3, 1, 6, 4})));
}

TEST(TranslateTflite, AnAxisCountedFromTheEndNeedsNoRank) {
  Model model = listed("Gather", {{"axis", std::int64_t{-1}}});
  Graph& main = model.graphs.front();
  main.slots[main.inputs[0]].declared.shape.reset();
  EXPECT_THAT(refusal_to_write(model, Format::tflite), HasSubstr("along an axis counted from the end, of unknown rank"))
      << "its indices may be, too";
  main.constants.push_back({main.inputs[1], integers({2, 0})});
  main.inputs.pop_back();
  const Value x = make_tensor<std::int64_t>(ElementType::int64, {2, 3}, std::vector<std::int64_t>{1, 2, 3, 4, 5, 6});
  const auto gives = [&](const std::vector<std::int64_t>& numbers, const Dims& dims) {
    const Value given = Program(translate(model, Format::tflite)).run(std::vector<Value>{x}).front();
    EXPECT_TRUE(same_bits(given, make_tensor<std::int64_t>(ElementType::int64, dims, numbers)));
  };
  gives({3, 1, 6, 4}, {2, 2});
  main.nodes.front().op = "Unsqueeze";
  main.nodes.front().attributes.clear();
  main.constants.front().value = integers({-1});
  gives({1, 2, 3, 4, 5, 6}, {2, 3, 1});
}

TEST(TranslateTflite, AnOperatorIsRefusedOnATypeThatItsPageLeavesOut) {
  Model model = tflite_choice();
  for (GraphIndex branch : {1U, 2U}) model.graphs[branch].nodes.front().op = "Abs";
  model.graphs[1].nodes.front().inputs = {0};
  EXPECT_THAT(refusal_to_write(model, Format::tflite),
              HasSubstr("then_branch / node 0 (Abs): TensorFlow Lite does not define ABS on int64"));
  for (const Slot slot : {1U, 2U}) model.graphs[0].slots[slot].declared.element = ElementType::int32;
  EXPECT_EQ(refusal_to_write(model, Format::tflite), "nothing was refused");
}

TEST(TranslateTflite, WhatHasNoCounterpartIsRefusedWithItsPlace) {
  Model model = tflite_choice();
  model.graphs[1].nodes.front().op = "Mod";
  EXPECT_THAT(refusal_to_write(model, Format::tflite),
              HasSubstr("then_branch / node 0 (Mod): Mod of this opset is not in the"));
  model = tflite_choice();
  for (Graph& graph : model.graphs) {
    for (Slot slot = 0; slot < graph.slots.size(); ++slot) {
      if (graph.slots[slot].name == "x") graph.slots[slot].declared = Type::tensor(ElementType::uint4, Shape{Dim{}});
    }
  }
  EXPECT_THAT(refusal_to_write(model, Format::tflite),
              HasSubstr("value \"x\": TensorFlow Lite has no element type uint4"));
}

}  // namespace
}  // namespace ifcert
