// Evaluation of models that are built in the graph form, without a file or a reader.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ifcert/reference.hpp>
#include <thread>

#include "evaluation/test_models.hpp"

namespace ifcert {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// A branch that applies an operator to one captured value.
GraphIndex add_branch(Model& model, const std::string& op, std::size_t operands = 1) {
  Graph branch;
  branch.name = op;
  const Slot captured = branch.add_slot("captured");
  const Slot result = branch.add_slot("result");
  branch.nodes.push_back(operation(op, std::vector<Slot>(operands, captured), {result}));
  branch.outputs = {result};
  model.graphs.push_back(std::move(branch));
  return static_cast<GraphIndex>(model.graphs.size() - 1);
}

/// y = If(cond) {then_op(x)} {else_op(x)}.
Model choice(const std::string& then_op, const std::string& else_op) {
  Model model;
  model.graphs.emplace_back();
  const GraphIndex then_graph = add_branch(model, then_op);
  const GraphIndex else_graph = add_branch(model, else_op);
  Graph& main = model.graphs.front();
  main.name = "main";
  const Slot cond = main.add_slot("cond", Type::tensor(ElementType::boolean));
  const Slot x = main.add_slot("x", Type::tensor(ElementType::float32));
  const Slot y = main.add_slot("y");
  Node choose = operation("If", {cond}, {y});
  choose.bodies = {{"then_branch", then_graph, {{x, 0}}, {}}, {"else_branch", else_graph, {{x, 0}}, {}}};
  main.inputs = {cond, x};
  main.outputs = {y};
  main.nodes.push_back(std::move(choose));
  return model;
}

TEST(If, ReturnsThenWhenTrueAndElseWhenFalse) {
  const Program program(choice("Neg", "Identity"));
  EXPECT_EQ(run(program, {booleans({1}), floats({1, 2})}), "float32[2] [-1, -2]");
  EXPECT_EQ(run(program, {booleans({0}), floats({1, 2})}), "float32[2] [1, 2]");
}

TEST(If, AcceptsACondOfAnyRankWithOneElement) {
  const Program program(choice("Neg", "Identity"));
  EXPECT_EQ(run(program, {booleans({1}, {1, 1, 1}), floats({3})}), "float32[1] [-3]");
  EXPECT_THAT(failure_of(program, {booleans({1, 1}, {2}), floats({3})}), HasSubstr("single element"));
  EXPECT_THAT(failure_of(program, {booleans({}, {0}), floats({3})}), HasSubstr("single element"));
}

TEST(If, RefusesAConstantCondWhoseDimsHaveNoProduct) {
  Model model = choice("Neg", "Identity");
  Graph& main = model.graphs.front();
  main.inputs = {1};
  main.constants.push_back({0, Tensor{ElementType::boolean, {std::int64_t{1} << 62, 8}, {}, {}}});
  EXPECT_THAT(failure_of(Program(std::move(model)), {floats({3})}),
              HasSubstr("node 0 (If): a tensor does not have as many bytes as its shape needs"));
}

TEST(If, DoesNotEvaluateTheOtherBranch) {
  Model model = choice("Identity", "Identity");
  // SequenceLength of a tensor cannot run.
  model.graphs[1].nodes[0].op = "SequenceLength";
  const Program program(std::move(model));
  EXPECT_EQ(run(program, {booleans({0}), floats({1})}), "float32[1] [1]");
  EXPECT_THAT(failure_of(program, {booleans({1}), floats({1})}), HasSubstr("then_branch / node 0 (SequenceLength)"));
}

TEST(If, ReturnsACapturedValueWithoutCopyingIt) {
  const Program program(choice("Identity", "Neg"));
  const Value x = floats({1, 2});
  const std::vector<Value> outputs = program.run(std::vector<Value>{booleans({1}), x});
  EXPECT_EQ(outputs[0].tensor(), x.tensor());
}

TEST(If, TellsTheObserverWhichBranchItTook) {
  const Program program(choice("Neg", "Identity"));
  std::vector<std::pair<std::string, bool>> seen;
  program.run(std::vector<Value>{booleans({0}), floats({1})},
              [&](const BranchTaken& taken) { seen.emplace_back(taken.place, taken.cond); });
  EXPECT_THAT(seen, ElementsAre(std::pair(std::string("graph \"main\" / node 0 (If)"), false)));
}

TEST(If, KeepsNothingFromOneRunToTheNext) {
  const Program program(choice("Neg", "Identity"));
  const std::vector<Value> first = program.run(std::vector<Value>{booleans({1}), floats({1, 2, 3})});
  EXPECT_EQ(run(program, {booleans({0}), floats({9})}), "float32[1] [9]");
  EXPECT_EQ(run(program, {booleans({1}), floats({8})}), "float32[1] [-8]");
  EXPECT_EQ(to_string(first[0]), "float32[3] [-1, -2, -3]");
}

const std::byte* bytes_of(const Value& value) {
  return value.tensor()->data.bytes().data();
}

/// y = If(cond) {Concat of a constant with itself} {op(the constant, the constant)}, with a constant of the main graph.
Model choice_of_constants(const std::string& op) {
  Model model = choice("Concat", op);
  for (const GraphIndex branch : {1U, 2U}) {
    model.graphs[branch].nodes[0].inputs.push_back(0);
    model.graphs[branch].nodes[0].attributes["axis"] = std::int64_t{0};
  }
  Graph& main = model.graphs.front();
  main.inputs.pop_back();  // x is no longer an input
  main.constants.push_back({1, floats({1, 2})});
  return model;
}

TEST(Program, FoldsConstantsInBranches) {
  const Program program(choice_of_constants("Concat"));
  const Value first = program.run(std::vector{booleans({1})}).at(0);
  EXPECT_EQ(to_string(first), "float32[4] [1, 2, 1, 2]");
  EXPECT_EQ(bytes_of(program.run(std::vector{booleans({1})}).at(0)), bytes_of(first));
}

TEST(Program, FailsInAFoldableNodeOnlyIfARunEvaluatesIt) {
  const Program program(choice_of_constants("Reshape"));  // to a shape of floats
  EXPECT_EQ(run(program, {booleans({1})}), "float32[4] [1, 2, 1, 2]");
  EXPECT_THAT(failure_of(program, {booleans({0})}), HasSubstr("else_branch / node 0 (Reshape)"));
}

TEST(Program, ReleasesValuesThatNobodyReads) {
  Model model;
  Graph& main = model.graphs.emplace_back();
  main.inputs = {main.add_slot("x")};
  for (int i = 0; i < 10; ++i) {
    const Slot unread = main.add_slot("unread" + std::to_string(i));
    main.nodes.push_back(operation("Neg", {0}, {unread}));
  }
  main.outputs = {0};
  // Each value takes 400 kB.
  const Value x = make_tensor<float>(ElementType::float32, {100'000}, std::vector<float>(100'000));
  EXPECT_NO_THROW(Program(std::move(model)).run(std::vector{x}, {}, {.memory = 1'000'000}));
}

/// A tensor of rank 500000 takes 4 MB; folding may copy 64 MiB in all.
TEST(Program, FoldsNoLongChainOfTensorsOfHighRank) {
  Model model;
  Graph& main = model.graphs.emplace_back();
  const Slot first = main.add_slot("x0");
  main.constants.push_back({first, make_tensor<float>(ElementType::float32, Dims(500'000, 1), std::vector{1.0F})});
  for (int i = 0; i < 20; ++i) {
    const Slot next = main.add_slot("x" + std::to_string(i + 1));
    main.nodes.push_back(operation("Identity", {next - 1}, {next}));
    main.nodes.back().op = "Transpose";
    main.outputs = {next};
  }
  EXPECT_THROW(Program(std::move(model)).run({}, {}, {.memory = 1U << 20U}), LimitExceeded);
}

TEST(Program, UsesAPassedValueInsteadOfADefault) {
  Model model;
  Graph& main = model.graphs.emplace_back();
  const Slot x = main.add_slot("x", Type::tensor(ElementType::float32));
  const Slot y = main.add_slot("y");
  main.inputs = {x};
  main.outputs = {y};
  main.constants.push_back({x, floats({1})});
  main.nodes.push_back(operation("Identity", {x}, {y}));
  const Program program(std::move(model));
  EXPECT_EQ(run(program, {Value{}}), "float32[1] [1]");
  EXPECT_EQ(run(program, {floats({2})}), "float32[1] [2]");
}

TEST(Program, RunsFromSeveralThreadsAtOnce) {
  const Program program(choice("Neg", "Identity"));
  std::vector<std::thread> threads;
  std::vector<int> wrong(4);
  for (std::size_t t = 0; t < wrong.size(); ++t) {
    threads.emplace_back([&, t] {
      const auto number = static_cast<float>(t + 1);
      for (int i = 0; i < 200; ++i) {
        const bool cond = i % 2 == 0;
        const std::vector<Value> outputs =
            program.run(std::vector<Value>{booleans({static_cast<std::uint8_t>(cond)}), floats({number})});
        if (outputs[0].tensor()->elements<float>()[0] != (cond ? -number : number)) ++wrong[t];
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_THAT(wrong, testing::Each(0));
}

TEST(Program, NamesTheOperatorThatIsMissingWithItsPlace) {
  try {
    const Program program(choice("Neg", "Einsum"));
    FAIL() << "Einsum was found";
  } catch (const EvaluationError& error) {
    EXPECT_EQ(error.missing_operator, "Einsum");
    EXPECT_THAT(error.what(), HasSubstr("graph \"main\" / node 0 (If) / else_branch / node 0 (Einsum)"));
  }
}

TEST(Program, ReportsThatACustomOperatorExceededALimit) {
  const CustomOperator greedy = [](const Node&, const Attributes&, std::span<const Value>) -> std::vector<Value> {
    throw LimitExceeded(Limit::memory, "the result takes 5 GiB");
  };
  const Program program(choice("Neg", "Einsum"), CustomOperators{{"Einsum", greedy}});
  try {
    program.run(std::vector<Value>{booleans({0}), floats({1})});
    FAIL() << "the limit was not reported";
  } catch (const LimitExceeded& error) {
    EXPECT_EQ(error.limit, Limit::memory);
    EXPECT_THAT(error.what(), HasSubstr("else_branch / node 0 (Einsum): the result takes 5 GiB"));
  }
}

TEST(Program, KeepsTheNameOfTheOperatorThatACustomOperatorLacks) {
  const CustomOperator outer = [](const Node&, const Attributes&, std::span<const Value>) -> std::vector<Value> {
    throw EvaluationError("there is no operator Inner", "Inner");
  };
  const Program program(choice("Neg", "Outer"), CustomOperators{{"Outer", outer}});
  try {
    program.run(std::vector<Value>{booleans({0}), floats({1})});
    FAIL() << "Inner was found";
  } catch (const EvaluationError& error) {
    EXPECT_EQ(error.missing_operator, "Inner");
  }
}

TEST(Program, RefusesInputsOfOtherTypesThanTheModelDeclares) {
  Model model = choice("Neg", "Identity");
  model.graphs[0].slots[1].declared = Type::tensor(ElementType::float32, Shape{{2, ""}, {-1, "N"}});
  const Program program(std::move(model));
  const float one = 1;
  EXPECT_THAT(failure_of(program, {booleans({1})}), HasSubstr("1 inputs are given; the model has 2"));
  EXPECT_THAT(failure_of(program, {booleans({1}), Value{}}), HasSubstr("input \"x\" is not given"));
  EXPECT_THAT(failure_of(program, {booleans({1}), booleans({1})}),
              HasSubstr("bool[] is given; float32[2, N] is required"));
  EXPECT_THAT(failure_of(program, {booleans({1}), make_tensor<float>(ElementType::float32, {1, 1}, {&one, 1})}),
              HasSubstr("input \"x\""));
}

TEST(Program, RefusesSequencesWhoseTensorsHaveOtherShapesThanTheModelDeclares) {
  Model model = choice("Neg", "Identity");
  Type& declared = model.graphs[0].slots[1].declared;
  const Type item = Type::tensor(ElementType::float32);
  const auto fed = [&](const Value& x) { return failure_of(Program(model), {booleans({0}), x}); };
  declared = Type::sequence_of(Type::tensor(ElementType::float32, Shape{{-1, "N"}}));
  EXPECT_EQ(fed(Sequence{item, {floats({1}), floats({2, 3})}}), "") << "as in the onnx package's tests of SequenceMap";
  declared = Type::sequence_of(Type::tensor(ElementType::float32, Shape{{2, ""}}));
  EXPECT_EQ(fed(Sequence{item, {floats({2, 3})}}), "");
  EXPECT_THAT(fed(Sequence{item, {floats({2, 3}), floats({1})}}), HasSubstr("seq(float32[2]) is required"));
  declared = Type::optional_of(declared.item.front());
  EXPECT_EQ(fed(Optional{item, floats({2, 3})}), "");
  EXPECT_EQ(fed(Optional{item, {}}), "");
  EXPECT_THAT(fed(Optional{item, floats({1})}), HasSubstr("optional(float32[2]) is required"));
}

TEST(Program, RefusesInputsWhoseBytesDoNotFitTheirShape) {
  Model model = choice("Neg", "Identity");
  model.graphs[0].slots[1].declared = {};
  const Program program(std::move(model));
  const std::string refusal = "does not have as many bytes as its shape needs";
  EXPECT_EQ(failure_of(program, {Tensor{ElementType::boolean, {}, {}, {}}, floats({1})}),
            "input \"cond\": a tensor " + refusal);
  EXPECT_THAT(failure_of(program, {Tensor{ElementType::boolean, {-1}, {}, {}}, floats({1})}), HasSubstr(refusal));
  const Value unfit = Tensor{ElementType::string, {2}, {}, {"one"}};
  const Type item = Type::tensor(ElementType::string);
  for (const Value& x :
       {unfit, Value(Sequence{item, {make_strings({}, {"fits"}), unfit}}), Value(Optional{item, unfit})})
    EXPECT_EQ(failure_of(program, {booleans({0}), x}), "input \"x\": a tensor " + refusal);
  EXPECT_EQ(failure_of(program, {booleans({0}), Optional{item, {}}}), "");
}

TEST(Program, RefusesResultsOfACustomOperatorWhoseBytesDoNotFitTheirShape) {
  Value result = Tensor{ElementType::float32, {3}, {}, {}};
  const CustomOperator custom = [&](const Node&, const Attributes&, std::span<const Value>) {
    return std::vector{result};
  };
  const Program program(choice("Neg", "Einsum"), CustomOperators{{"Einsum", custom}});
  const std::vector<Value> inputs{booleans({0}), floats({1})};
  EXPECT_THAT(
      failure_of(program, inputs),
      HasSubstr("else_branch / node 0 (Einsum) / output 0: a tensor does not have as many bytes as its shape needs"));
  result = floats({3});
  EXPECT_EQ(failure_of(program, inputs), "");
}

/// The function f(a, b) -> (b, Neg(a)), called with a alone.
Model call_without_b(std::vector<Slot> outputs) {
  Model model;
  model.graphs.resize(2);
  Graph& function = model.graphs[1];
  function.name = "f";
  for (const char* name : {"a", "b", "negative"}) function.add_slot(name);
  function.inputs = {0, 1};
  function.outputs = {1, 2};
  function.nodes = {operation("Neg", {0}, {2})};
  model.functions.push_back({"", "f", "", 1, {}, {}});
  Graph& main = model.graphs[0];
  for (const char* name : {"x", "y", "z"}) main.add_slot(name);
  main.inputs = {0};
  main.outputs = {1};
  main.nodes = {operation("f", {0}, std::move(outputs))};
  main.nodes[0].call = true;
  main.nodes[0].bodies = {{"function", 1, {}, {}}};
  return model;
}

TEST(Call, MayReturnNothingForAnOutputThatIsNotWanted) {
  EXPECT_EQ(run(Program(call_without_b({no_slot, 1})), {floats({2})}), "float32[1] [-2]");
  EXPECT_THAT(failure_of(Program(call_without_b({2, 1})), {floats({2})}),
              HasSubstr("output 0: has no value: the function returns an input that was left out"));
}

TEST(Program, EndsARecursionWithAnError) {
  Model model = choice("Neg", "Identity");
  model.graphs.push_back({});
  Graph& endless = model.graphs.back();
  const Slot in = endless.add_slot("in");
  const Slot out = endless.add_slot("out");
  endless.inputs = {in};
  endless.outputs = {out};
  Node call = operation("endless", {in}, {out});
  call.call = true;
  call.bodies = {{"function", 3, {}, {}}};
  endless.nodes.push_back(call);
  model.functions.push_back({"", "endless", "", 3, {}, {}});
  call.inputs = {1};
  call.outputs = {2};
  model.graphs[0].nodes = {call};
  const Program program(std::move(model));
  EXPECT_THAT(failure_of(program, {booleans({1}), floats({1})}), HasSubstr("graphs are nested more than 1000 deep"));
}

}  // namespace
}  // namespace ifcert
