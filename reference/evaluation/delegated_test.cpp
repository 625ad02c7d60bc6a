// Nodes that the reference lacks, computed by a delegate; constants in sparse form.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "evaluation/test_models.hpp"

namespace ifcert {
namespace {

using testing::AllOf;
using testing::HasSubstr;

/// y = If(cond, Clip(x, lowest), x), with the constant `lowest` in the branch.
Model clipping() {
  Model model;
  model.graphs.resize(3);
  Graph& main = model.graphs[0];
  main.name = "main";
  for (const char* name : {"cond", "x", "y"}) main.add_slot(name);
  main.inputs = {0, 1};
  main.outputs = {2};
  main.nodes = {operation("If", {0}, {2})};
  main.nodes[0].bodies = {{"then_branch", 1, {{1, 0}}, ""}, {"else_branch", 2, {{1, 0}}, ""}};
  Graph& clip = model.graphs[1];
  for (const char* name : {"x", "lowest", "y"}) clip.add_slot(name);
  clip.constants = {{1, floats({2})}};
  clip.nodes = {operation("Clip", {0, 1, no_slot}, {2})};
  clip.outputs = {2};
  Graph& same = model.graphs[2];
  for (const char* name : {"x", "y"}) same.add_slot(name);
  same.nodes = {operation("Identity", {0}, {1})};
  same.outputs = {1};
  return model;
}

TEST(Delegate, ComputesWhatTheReferenceLacksInTheBranchThatIsTaken) {
  std::size_t calls = 0;
  const Delegate delegate = [&](const DelegatedNode& node) {
    ++calls;
    EXPECT_EQ(node.described().op, "Clip");
    EXPECT_EQ(node.is_constant, (std::vector{false, true, false}));
    EXPECT_EQ(to_string(node.inputs[1]), "float32[1] [2]");
    EXPECT_TRUE(node.inputs[2].empty());
    EXPECT_LE(node.seconds, 5);
    EXPECT_EQ(node.memory, 1U << 20U);
    return std::vector<Value>{floats({7})};
  };
  const Program program(clipping(), {}, delegate);
  const RunLimits limits{.seconds = 5, .memory = 1U << 20U};
  EXPECT_EQ(to_string(program.run(std::vector<Value>{booleans({1}), floats({1})}, {}, limits)[0]), "float32[1] [7]");
  EXPECT_EQ(to_string(program.run(std::vector<Value>{booleans({0}), floats({1})}, {}, limits)[0]), "float32[1] [1]");
  EXPECT_EQ(calls, 1U);
}

TEST(Delegate, IsNotAskedForWhatTheReferenceOrTheCallerComputes) {
  const Delegate never = [](const DelegatedNode&) -> std::vector<Value> { throw EvaluationError("asked"); };
  const CustomOperator clip = [](const Node&, const Attributes&, std::span<const Value> inputs) {
    return std::vector<Value>{inputs[0]};
  };
  EXPECT_EQ(run(Program(clipping(), CustomOperators{{"Clip", clip}}, never), {booleans({1}), floats({1})}),
            "float32[1] [1]");
}

TEST(Delegate, ComputesWhatAKernelLacksOfItsOperator) {
  Model model = clipping();
  model.graphs[1].constants = {};
  model.graphs[1].nodes = {operation("NonZero", {0}, {2})};
  const Value codes = Tensor{ElementType::string, {1}, {}, {"a"}};
  const std::vector<Value> inputs{booleans({1}), codes};
  EXPECT_THAT(failure_of(Program(model), inputs), HasSubstr("operand 0 is tensor(string), which is not supported"));
  const Delegate delegate = [](const DelegatedNode&) { return std::vector<Value>{floats({7})}; };
  EXPECT_EQ(run(Program(model, {}, delegate), inputs), "float32[1] [7]");
}

TEST(Delegate, IsNotAskedWhereOperandsAreAtFault) {
  Model model = clipping();
  model.graphs[1].nodes = {operation("Add", {0, 1}, {2})};
  const Delegate never = [](const DelegatedNode&) -> std::vector<Value> { throw EvaluationError("asked"); };
  EXPECT_THAT(failure_of(Program(model, {}, never), {booleans({1}), Tensor{ElementType::int32, {0}, {}, {}}}),
              AllOf(HasSubstr("node 0 (Add)"), testing::Not(HasSubstr("asked"))));
}

TEST(Delegate, GetsTheAttributesThatACallPasses) {
  Model model = clipping();
  model.graphs[1].nodes[0] = operation("f", {0}, {2});
  model.graphs[1].nodes[0].call = true;
  model.graphs[1].nodes[0].bodies = {{"function", 3, {}, ""}};
  model.graphs[1].nodes[0].attributes = {{"alpha", 0.5F}};
  Graph& called = model.graphs.emplace_back();
  for (const char* name : {"a", "b"}) called.add_slot(name);
  called.inputs = {0};
  called.outputs = {1};
  called.nodes = {operation("LeakyRelu", {0}, {1})};
  called.nodes[0].attributes = {{"alpha", AttributeReference{"alpha"}}};
  model.functions = {{"", "f", "", 3, {}, {"alpha"}}};
  const Delegate delegate = [](const DelegatedNode& node) {
    EXPECT_EQ(std::get<float>(node.attributes.at("alpha")), 0.5F);
    return std::vector<Value>{floats({7})};
  };
  EXPECT_EQ(run(Program(std::move(model), {}, delegate), {booleans({1}), floats({1})}), "float32[1] [7]");
}

TEST(Delegate, IsNotAskedForAnOperatorThatHasBodies) {
  Model model = clipping();
  model.graphs[0].nodes[0].op = "Choose";
  const Delegate never = [](const DelegatedNode&) -> std::vector<Value> { throw EvaluationError("asked"); };
  EXPECT_THAT([&] { const Program program(std::move(model), {}, never); },
              testing::ThrowsMessage<EvaluationError>(HasSubstr("the reference has no operator Choose")));
}

TEST(Delegate, FailsWithThePlaceOfTheNode) {
  const auto failing = [](const Delegate& delegate) { return Program(clipping(), {}, delegate); };
  const Delegate refuses = [](const DelegatedNode&) -> std::vector<Value> { throw EvaluationError("refused"); };
  const Delegate hangs = [](const DelegatedNode&) -> std::vector<Value> { throw LimitExceeded(Limit::time, "hung"); };
  const std::vector<Value> inputs{booleans({1}), floats({1})};
  const std::string place = "graph \"main\" / node 0 (If) / then_branch / node 0 (Clip): ";
  EXPECT_EQ(failure_of(failing(refuses), inputs), place + "refused");
  EXPECT_EQ(failure_of(failing(hangs), inputs), place + "hung");
  EXPECT_EQ(exceeded_limit(failing(hangs), inputs, {}), Limit::time);
}

TEST(Delegate, MustReturnWhatTheNodeDeclares) {
  Value result = floats({7});
  std::size_t count = 1;
  const Delegate delegate = [&](const DelegatedNode&) { return std::vector<Value>(count, result); };
  Model model = clipping();
  model.graphs[1].slots[2].declared = Type::tensor(ElementType::float32);
  const Program program(std::move(model), {}, delegate);
  const std::vector<Value> inputs{booleans({1}), floats({1})};
  EXPECT_EQ(failure_of(program, inputs), "");
  result = booleans({1});
  EXPECT_THAT(failure_of(program, inputs),
              HasSubstr("(Clip) / output 0: bool[] is returned; the model declares float32"));
  result = Tensor{ElementType::float32, {3}, {}, {}};
  EXPECT_THAT(failure_of(program, inputs), HasSubstr("does not have as many bytes as its shape needs"));
  result = floats({7});
  count = 2;
  EXPECT_THAT(failure_of(program, inputs), HasSubstr("the delegate returns 2 outputs; the node has 1"));
}

TEST(Delegate, HasItsResultsChargedToTheRun) {
  const Delegate delegate = [](const DelegatedNode&) {
    return std::vector<Value>{floats(std::vector<float>(1000, 1.0F))};
  };
  const Program program(clipping(), {}, delegate);
  const std::vector<Value> inputs{booleans({1}), floats({1})};
  EXPECT_EQ(exceeded_limit(program, inputs, {.memory = 5000}), std::nullopt);
  EXPECT_EQ(exceeded_limit(program, inputs, {.memory = 3000}), Limit::memory);
}

TEST(Delegate, HasStringsAndItemsOfItsResultsChargedToTheRun) {
  const std::vector<Value> inputs{booleans({1}), floats({1})};
  const Value texts = Tensor{ElementType::string, {10}, {}, std::vector<std::string>(10, std::string(400, 't'))};
  const Value item = floats(std::vector<float>(1000, 1.0F));
  for (const Value& result : {texts, Value(Sequence{Type::tensor(ElementType::float32), {item}}),
                              Value(Optional{Type::tensor(ElementType::float32), item})}) {
    const Delegate delegate = [&](const DelegatedNode&) { return std::vector<Value>{result}; };
    const Program program(clipping(), {}, delegate);
    EXPECT_EQ(exceeded_limit(program, inputs, {.memory = 8000}), std::nullopt) << to_string(result);
    EXPECT_EQ(exceeded_limit(program, inputs, {.memory = 3000}), Limit::memory) << to_string(result);
  }
}

/// 1 at position 1 of a tensor with these dims.
Value one_at_1(Dims dims) {
  const std::int64_t position = 1;
  return SparseTensor{*floats({1}).tensor(), make_tensor<std::int64_t>(ElementType::int64, {1}, {&position, 1}),
                      std::move(dims)};
}

/// y = If(cond, Neg(s), x), where the constant s is in sparse form in the main graph.
Model with_sparse(Dims dims) {
  Model model = clipping();
  Graph& main = model.graphs[0];
  const Slot sparse = main.add_slot("s");
  main.constants = {{sparse, one_at_1(std::move(dims))}};
  main.nodes[0].bodies[0].captures = {{sparse, 0}};
  model.graphs[1].constants = {};
  model.graphs[1].nodes = {operation("Neg", {0}, {2})};
  return model;
}

TEST(SparseConstant, IsReadByABranchThatCapturesIt) {
  EXPECT_EQ(run(Program(with_sparse({3})), {booleans({1}), floats({5})}), "float32[3] [-0, -1, -0]");
}

TEST(SparseConstant, IsReturnedByTheMainGraphAndByABranch) {
  Model model = with_sparse({3});
  model.graphs[0].outputs = {3};
  EXPECT_EQ(run(Program(model), {booleans({1}), floats({5})}), "float32[3] [0, 1, 0]");
  model = with_sparse({3});
  model.graphs[1].outputs = {0};
  EXPECT_EQ(run(Program(model), {booleans({1}), floats({5})}), "float32[3] [0, 1, 0]");
}

TEST(SparseConstant, CountsAgainstTheLimitWhereItIsNeeded) {
  const Program program(with_sparse({std::int64_t{1} << 40}));
  EXPECT_EQ(exceeded_limit(program, {booleans({0}), floats({5})}, {.memory = 1U << 20U}), std::nullopt);
  EXPECT_EQ(exceeded_limit(program, {booleans({1}), floats({5})}, {.memory = 1U << 20U}), Limit::memory);
  EXPECT_THAT(failure_of(program, {booleans({1}), floats({5})}), HasSubstr("node 0 (If) / then_branch / node 0 (Neg)"));
}

TEST(SparseConstant, IsTheDefaultOfAnInput) {
  Model model = with_sparse({3});
  model.graphs[0].inputs.push_back(3);
  const Program program(std::move(model));
  EXPECT_EQ(run(program, {booleans({1}), floats({5}), Value{}}), "float32[3] [-0, -1, -0]");
  EXPECT_EQ(run(program, {booleans({1}), floats({5}), floats({7})}), "float32[1] [-7]");
}

TEST(SparseConstant, IsTheValueOfAConstantNode) {
  Model model = clipping();
  model.graphs[1].constants = {};
  model.graphs[1].nodes = {operation("Constant", {}, {2})};
  model.graphs[1].nodes[0].attributes["sparse_value"] = one_at_1({2, 2});
  EXPECT_EQ(run(Program(model), {booleans({1}), floats({5})}), "float32[2, 2] [0, 1, 0, 0]");
  model.graphs[1].nodes[0].attributes = {{"value", one_at_1({2})}};
  EXPECT_THAT(failure_of(Program(model), {booleans({1}), floats({5})}),
              HasSubstr("attribute value has the type of attribute sparse_value"));
}

}  // namespace
}  // namespace ifcert
