// Each rule of the graph form, on a legal model and on the same model with one fault.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ifcert/reference.hpp>

#include "check/inference/inference.hpp"
#include "if/if_versions.hpp"
#include "model/type_union.hpp"

namespace ifcert {
namespace {

using testing::Contains;
using testing::Field;
using testing::IsEmpty;

const Type float_2 = Type::tensor(ElementType::float32, Shape{{2, ""}});
const Type float_3 = Type::tensor(ElementType::float32, Shape{{3, ""}});

/// If whose branches return values of these types: captured inputs of those types, through Identity.
struct Choice {
  std::vector<Type> then_types{float_2};
  std::vector<Type> else_types{float_2};
  std::vector<Type> declared{Type{}};
  Type cond = Type::tensor(ElementType::boolean, Shape{});
  int opset = 16;

  Model model() const {
    Model built;
    built.graphs.resize(3);
    built.graphs[0].name = "main";
    Node choose;
    choose.op = "If";
    choose.version = opset;
    choose.inputs = {built.graphs[0].add_slot("cond", cond)};
    built.graphs[0].inputs = choose.inputs;
    choose.bodies = {add_branch(built, 1, "then_branch", then_types), add_branch(built, 2, "else_branch", else_types)};
    for (const Type& type : declared) choose.outputs.push_back(built.graphs[0].add_slot("y", type));
    built.graphs[0].outputs = choose.outputs;
    built.graphs[0].nodes = {choose};
    return built;
  }

 private:
  Body add_branch(Model& built, GraphIndex index, const std::string& role, const std::vector<Type>& types) const {
    Body body{role, index, {}, {}};
    for (const Type& type : types) {
      const Slot outer = built.graphs[0].add_slot("x", type);
      built.graphs[0].inputs.push_back(outer);
      Graph& branch = built.graphs[index];
      const Slot inner = branch.add_slot("x");
      const Slot result = branch.add_slot("r");
      body.captures.push_back({outer, inner});
      Node copy;
      copy.op = "Identity";
      copy.version = opset;
      copy.inputs = {inner};
      copy.outputs = {result};
      branch.nodes.push_back(copy);
      branch.outputs.push_back(result);
    }
    return body;
  }
};

auto breaks(const std::string& rule) {
  return Contains(Field(&Diagnostic::rule, rule));
}

TEST(Check, ALegalChoiceBreaksNothing) {
  EXPECT_THAT(check(Choice{}.model()), IsEmpty());
}

TEST(Check, NumbersOfOutputsAgree) {
  EXPECT_THAT(check(Choice{.then_types = {float_2, float_2}}.model()), breaks("onnx/if/output-count"));
  EXPECT_THAT(check(Choice{.else_types = {float_2, float_2}}.model()), breaks("onnx/if/output-count"));
  EXPECT_THAT(check(Choice{.declared = {Type{}, Type{}}}.model()), breaks("onnx/if/output-count"));
  EXPECT_THAT(check(Choice{.then_types = {}, .else_types = {}, .declared = {}}.model()),
              breaks("onnx/if/output-count"));
}

TEST(Check, CondIsOneBoolean) {
  EXPECT_THAT(check(Choice{.cond = Type::tensor(ElementType::boolean, Shape{{1, ""}, {-1, ""}})}.model()), IsEmpty());
  EXPECT_THAT(check(Choice{.cond = Type::tensor(ElementType::int64)}.model()), breaks("onnx/if/cond-is-bool"));
  EXPECT_THAT(check(Choice{.cond = Type::tensor(ElementType::boolean, Shape{{-1, ""}, {2, ""}})}.model()),
              breaks("onnx/if/cond-single-element"));
}

TEST(Check, BranchesGiveTheSameDataType) {
  const Type ints = Type::tensor(ElementType::int64, Shape{{2, ""}});
  EXPECT_THAT(check(Choice{.else_types = {ints}}.model()), breaks("onnx/if/same-data-type"));
  EXPECT_THAT(check(Choice{.else_types = {Type::sequence_of(float_2)}}.model()), breaks("onnx/if/same-data-type"));
  EXPECT_THAT(check(Choice{.declared = {ints}}.model()), breaks("onnx/if/declared-type-agrees"));
}

TEST(Check, ADeclaredShapeFitsBothBranches) {
  const auto with = [](std::optional<Shape> shape) {
    return check(
        Choice{.else_types = {float_3}, .declared = {Type::tensor(ElementType::float32, std::move(shape))}}.model());
  };
  EXPECT_THAT(with(std::nullopt), IsEmpty());
  EXPECT_THAT(with(Shape{{}}), IsEmpty());
  EXPECT_THAT(with(Shape{{-1, "own"}}), IsEmpty());
  EXPECT_THAT(with(Shape{{2, ""}}), breaks("onnx/if/declared-shape-compatible"));
  EXPECT_THAT(with(Shape{{}, {}}), breaks("onnx/if/declared-shape-compatible"));
}

TEST(Check, ADeclaredShapeIsLegalWhereABranchIsUnknown) {
  EXPECT_THAT(check(Choice{.else_types = {Type::tensor(ElementType::float32)}, .declared = {float_2}}.model()),
              IsEmpty());
}

TEST(Check, ShapesDifferFromOpset11OnAndNotBefore) {
  EXPECT_THAT(check(Choice{.else_types = {float_3}, .opset = 11}.model()), IsEmpty());
  EXPECT_THAT(check(Choice{.else_types = {float_3}, .opset = 10}.model()), breaks("onnx/if/same-shape-in-opset-1"));
}

TEST(Check, OnlyTheTypesThatTheOpsetListsAreLegal) {
  const Type small = Type::tensor(ElementType::float8e4m3fn);
  EXPECT_THAT(check(Choice{.then_types = {small}, .else_types = {small}, .opset = 19}.model()), IsEmpty());
  EXPECT_THAT(check(Choice{.then_types = {small}, .else_types = {small}, .opset = 18}.model()),
              breaks("onnx/if/types-of-opset"));
}

/// functions[i] calls functions[i - 1] twice.
Model doubling_functions(std::size_t depth) {
  Model model = Choice{.then_types = {float_2, float_2}}.model();
  for (std::size_t i = 0; i < depth; ++i) {
    const auto index = static_cast<GraphIndex>(model.graphs.size());
    Graph& function = model.graphs.emplace_back();
    for (const char* name : {"in", "middle", "out"}) function.add_slot(name);
    function.inputs = {0};
    function.outputs = {2};
    for (Slot slot = 0; slot < 2; ++slot) {
      Node step;
      step.op = i == 0 ? "Neg" : "double";
      step.version = 16;
      step.inputs = {slot};
      step.outputs = {slot + 1};
      step.call = i > 0;
      if (step.call) step.bodies = {{"function", index - 1, {}, {}}};
      function.nodes.push_back(step);
    }
    model.functions.push_back({"", "double", "", index, {}, {}});
  }
  return model;
}

TEST(Check, FunctionsThatCannotBeFollowedToTheEndDoNotHideABrokenRule) {
  EXPECT_THAT(check(doubling_functions(10)), breaks("onnx/if/output-count"));
  EXPECT_THROW(check(doubling_functions(30)), UnreadableModel);
}

TEST(IfTypes, TheListsHaveAsManyTypesAsTheTextPrints) {
  const auto count = [](int version) {
    int listed = 0;
    for (int i = 1; i <= static_cast<int>(ElementType::string); ++i) {
      const Type tensor = Type::tensor(static_cast<ElementType>(i));
      const Type sequence = Type::sequence_of(tensor);
      for (const Type& type : {tensor, sequence, Type::optional_of(tensor), Type::optional_of(sequence)}) {
        if (rules::if_lists(version, type)) ++listed;
      }
    }
    return listed;
  };
  const std::vector<std::pair<int, int>> printed{{1, 15},  {11, 15}, {13, 30}, {16, 64}, {19, 76},
                                                 {21, 82}, {23, 85}, {24, 88}, {25, 94}};
  for (const auto& [version, types] : printed) EXPECT_EQ(count(version), types) << "If-" << version;
}

TEST(IfTypes, TheOpsetSelectsTheNewestVersionAtOrBelowIt) {
  EXPECT_EQ(rules::if_version(10), 1);
  EXPECT_EQ(rules::if_version(12), 11);
  EXPECT_EQ(rules::if_version(15), 13);
  EXPECT_EQ(rules::if_version(20), 19);
  EXPECT_EQ(rules::if_version(22), 21);
  EXPECT_EQ(rules::if_version(99), 25);
}

TEST(Inference, TheUnionOfTwoShapesKeepsWhatTheyShare) {
  const Type a = Type::tensor(ElementType::float32, Shape{{2, ""}, {3, ""}});
  const Type b = Type::tensor(ElementType::float32, Shape{{2, ""}, {4, ""}});
  EXPECT_EQ(to_string(union_of(a, b)), "float32[2, ?]");
  EXPECT_EQ(to_string(union_of(a, float_2)), "float32");
}

/// One node that enters a body, which passes its only input on.
Model repeating(const std::string& op, Type operand) {
  Model built;
  built.graphs.resize(2);
  Graph& body = built.graphs[1];
  body.inputs = {body.add_slot("element")};
  body.outputs = {body.add_slot("same")};
  Node copy;
  copy.op = "Identity";
  copy.version = 17;
  copy.inputs = body.inputs;
  copy.outputs = body.outputs;
  body.nodes = {copy};
  Graph& main = built.graphs[0];
  main.inputs = {main.add_slot("x", std::move(operand))};
  main.outputs = {main.add_slot("y")};
  Node node;
  node.op = op;
  node.version = 17;
  node.inputs = main.inputs;
  node.outputs = main.outputs;
  node.bodies = {{"body", 1, {}, {}}};
  main.nodes = {node};
  return built;
}

TEST(Inference, ASequenceMapsBodySeesItemsAndGivesSequences) {
  const Type floats = Type::sequence_of(Type::tensor(ElementType::float32));
  const Model map = repeating("SequenceMap", floats);
  EXPECT_EQ(infer_types(map)[1][0], Type::tensor(ElementType::float32));
  EXPECT_EQ(infer_types(map)[0][1], floats);
  EXPECT_EQ(infer_types(repeating("SequenceMap", Type{}))[0][1], Type{});
  EXPECT_THAT(check(repeating("SequenceMap", float_2)), breaks("onnx/model/operands-fit"));
}

TEST(Inference, AScansBodySeesElementsAndGivesThemAnAxis) {
  const Type matrix = Type::tensor(ElementType::float32, Shape{{4, ""}, {2, ""}});
  Model scan = repeating("Scan", matrix);
  scan.graphs[0].nodes[0].attributes = {{"num_scan_inputs", std::int64_t{1}},
                                        {"scan_output_axes", std::vector<std::int64_t>{-1}}};
  EXPECT_EQ(infer_types(scan)[1][0], float_2);
  EXPECT_EQ(infer_types(scan)[0][1], Type::tensor(ElementType::float32, Shape{{2, ""}, {}}));
  EXPECT_THAT(check(scan), IsEmpty());
  scan.graphs[0].nodes[0].attributes["scan_input_axes"] = std::vector<std::int64_t>{2};
  EXPECT_THAT(check(scan), breaks("onnx/model/operands-fit"));
  EXPECT_THAT(check(repeating("Scan", matrix)), breaks("onnx/model/operands-fit")) << "num_scan_inputs is missing";
}

/// Adds [2] and [3] in the branch that a constant cond selects, or in the other one.
Model misfit_under(std::optional<bool> cond, bool in_then) {
  Choice choice;
  choice.then_types = choice.else_types = {float_2, float_3};
  choice.declared = {Type{}, Type{}};
  Model model = choice.model();
  Node& copy = model.graphs[in_then ? 1 : 2].nodes[0];
  copy.op = "Add";
  copy.inputs = {0, 2};
  Graph& main = model.graphs[0];
  if (!cond) return model;
  main.inputs.erase(main.inputs.begin());
  const std::uint8_t bit = *cond ? 1 : 0;
  main.constants.push_back({0, make_tensor<std::uint8_t>(ElementType::boolean, {}, {&bit, 1})});
  return model;
}

std::vector<Level> levels_of(const Model& model) {
  std::vector<Level> levels;
  for (const Diagnostic& found : check(model)) {
    EXPECT_EQ(found.rule, "onnx/model/shapes-fit") << to_string(found);
    levels.push_back(found.level);
  }
  return levels;
}

TEST(Check, ShapesThatCannotFitAreAnErrorOnlyWhereTheNodeRuns) {
  using testing::ElementsAre;
  EXPECT_THAT(levels_of(misfit_under(true, true)), ElementsAre(Level::error));
  EXPECT_THAT(levels_of(misfit_under(false, false)), ElementsAre(Level::error));
  EXPECT_THAT(levels_of(misfit_under(true, false)), ElementsAre(Level::warning));
  EXPECT_THAT(levels_of(misfit_under(false, true)), ElementsAre(Level::warning));
  EXPECT_THAT(levels_of(misfit_under(std::nullopt, true)), ElementsAre(Level::warning));
}

TEST(Findings, WarningsCrowdNoErrorOutAndAnErrorReplacesItsWarning) {
  Findings findings;
  const Place place{.kind = Place::Kind::named, .what = "graph", .name = "main"};
  for (int i = 0; i < 20'000; ++i) findings.report("r", place, std::to_string(i), "", Level::warning);
  findings.report("r", place, "0", "");
  findings.report("r", place, "new", "");
  const std::vector<Diagnostic> found = findings.take();
  EXPECT_EQ(found.size(), 101U);
  EXPECT_EQ(errors_in(found).size(), 2U);
  EXPECT_EQ(found.front().level, Level::error);
}

TEST(Rules, EveryRuleHasAPermanentNameAndAClause) {
  for (const Rule& rule : all_rules()) {
    EXPECT_TRUE(rule.name.starts_with("onnx/") || rule.name.starts_with("openvino/") ||
                rule.name.starts_with("tflite/"))
        << rule.name;
    EXPECT_FALSE(rule.holds.empty() || rule.clause.empty() || rule.source.empty()) << rule.name;
    EXPECT_EQ(find_rule(rule.name), &rule);
  }
  EXPECT_EQ(find_rule("onnx/if/nothing"), nullptr);
}

}  // namespace
}  // namespace ifcert
