#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <ifcert/reference.hpp>
#include <limits>

#include "formats/nested_captures.hpp"
#include "model/test_parts.hpp"

namespace ifcert {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

using Integers = std::vector<std::int64_t>;

/// y = If(cond) { OP(x) } else { x }, over int64 of unknown size; the else_branch returns x through an Identity.
Model choice_of(const std::string& op, const Type& cond = Type::tensor(ElementType::boolean, Shape{})) {
  Model made;
  made.ir_version = 8;
  made.opsets = {{"", 16}};
  made.graphs.resize(3);
  Graph& main = made.graphs[0];
  main.name = "main";
  main.inputs = {main.add_slot("cond", cond), main.add_slot("x", Type::tensor(ElementType::int64, Shape{Dim{}}))};
  main.outputs = {main.add_slot("y")};
  Node choose = operation("If", {0}, {2});
  choose.bodies = {{"then_branch", 1, {{1, 0}}, {}}, {"else_branch", 2, {{1, 0}}, {}}};
  main.nodes.push_back(std::move(choose));
  for (const std::size_t at : {1U, 2U}) {
    Graph& branch = made.graphs[at];
    branch.name = at == 1 ? "then" : "else";
    branch.add_slot("x");
    branch.outputs = {branch.add_slot("result")};
    branch.nodes.push_back(operation(at == 1 ? op : "Identity", {0}, {1}));
  }
  return made;
}

Value output_of(const Model& model, const Value& cond) {
  return Program(model).run(std::vector<Value>{cond, integers({3, -4})}).front();
}

std::string refusal_of(const Model& model, Format to = Format::openvino) {
  try {
    translate(model, to);
  } catch (const Inexpressible& error) {
    return error.what();
  }
  return "nothing was refused";
}

TEST(Translate, ValuesThatPassThroughTooManyBodiesAreRefusedWithThePlace) {
  for (const Format format : {Format::openvino, Format::tflite}) {
    EXPECT_EQ(refusal_of(nested_captures(Format::onnx, 600, 100), format), "nothing was refused");
    EXPECT_THAT(refusal_of(nested_captures(Format::onnx, 700, 100), format),
                AllOf(HasSubstr("graph \"\" / node 0 (If) / then_branch / "),
                      HasSubstr("the file would hold more than 67108864 bytes of captured values, counted in each")));
  }
}

/// So many results that each need the whole list.
Model sharing_a_list(std::size_t results) {
  Model made;
  made.ir_version = 8;
  made.opsets = {{"", 16}};
  Graph& main = made.graphs.emplace_back();
  main.inputs = {main.add_slot("x", Type::tensor(ElementType::int64, Shape{Dim{}}))};
  main.constants.push_back({main.add_slot("axes"), integers(Integers(500'000))});
  for (std::size_t i = 0; i < results; ++i) {
    const Slot result = main.add_slot(fmt::format("y{}", i));
    main.nodes.push_back(operation("ReduceSum", {0, 1}, {result}));
    main.outputs = {result};
  }
  return made;
}

TEST(Translate, AListThatManyNodesReadIsCountedForEach) {
  EXPECT_EQ(refusal_of(sharing_a_list(9)), "nothing was refused");
  EXPECT_THAT(refusal_of(sharing_a_list(10)),
              HasSubstr("node 9 (ReduceSum): in the other format the model would take more than 33554432 bytes"));
}

TEST(Translate, ACaptureBecomesAnInputOfTheIf) {
  const Model made = translate(choice_of("Neg"), Format::openvino);
  EXPECT_THAT(check(made), IsEmpty());
  const Node& choose = made.main().nodes.front();
  EXPECT_THAT(choose.inputs, ElementsAre(0, 1));
  EXPECT_EQ(made.graphs[choose.bodies[0].graph].nodes.front().op, "Negative");
}

TEST(Translate, IdentityLeavesNoLayerInABody) {
  const Model made = translate(choice_of("Neg"), Format::openvino);
  const Body& otherwise = made.main().nodes.front().bodies[1];
  EXPECT_THAT(made.graphs[otherwise.graph].nodes, IsEmpty());
  EXPECT_THAT(made.graphs[otherwise.graph].outputs, ElementsAre(otherwise.captures.front().inner));
}

TEST(Translate, EachFormComputesTheSame) {
  const Model there = translate(choice_of("Neg"), Format::openvino);
  const Model back = translate(there, Format::onnx);
  for (const Model* model : {&there, &back}) {
    EXPECT_TRUE(same_bits(output_of(*model, boolean(true)), integers({-3, 4})));
    EXPECT_TRUE(same_bits(output_of(*model, boolean(false)), integers({3, -4})));
  }
}

TEST(Translate, WhatABodyHandsOnGoesThroughAnIdentityInOnnx) {
  const Model back = translate(translate(choice_of("Neg"), Format::openvino), Format::onnx);
  EXPECT_EQ(back.graphs[2].nodes.front().op, "Identity");
}

TEST(Translate, AnOutputKeepsANameThatIdentityGaveIt) {
  Model model = choice_of("Neg");
  Graph& main = model.graphs.front();
  main.outputs = {main.add_slot("z")};
  main.nodes.push_back(operation("Identity", {2}, {3}));
  const Model made = translate(model, Format::openvino);
  EXPECT_EQ(made.main().slots[made.main().outputs.front()].name, "z");
  EXPECT_TRUE(same_bits(output_of(made, boolean(true)), integers({-3, 4})));
}

TEST(Translate, ACondOfTwoDimsIsReshaped) {
  const Type matrix = Type::tensor(ElementType::boolean, Shape{Dim{1, {}}, Dim{1, {}}});
  const Model made = translate(choice_of("Neg", matrix), Format::openvino);
  EXPECT_THAT(check(made), IsEmpty());
  EXPECT_TRUE(same_bits(output_of(made, boolean(true, {1, 1})), integers({-3, 4})));
}

TEST(Translate, IntegersAreDividedTowardsZeroInBothForms) {
  Model model = choice_of("Div");
  Graph& then_graph = model.graphs[1];
  then_graph.constants.push_back({then_graph.add_slot("two"), integers({2})});
  then_graph.nodes.front().inputs = {0, 2};
  model.graphs[0].slots[1].declared = Type::tensor(ElementType::int64, Shape{Dim{2, {}}});
  const Value odd = integers({-7, 7});
  for (const Format form : {Format::openvino, Format::onnx}) {
    model = translate(model, form);
    const std::vector<Value> given = Program(model).run(std::vector<Value>{boolean(true), odd});
    EXPECT_TRUE(same_bits(given.front(), integers({-3, 3})));
  }
}

TEST(Translate, ADivisionThatRoundsDownIsRefused) {
  Model model = choice_of("Div");
  model.graphs[1].nodes.front().inputs = {0, 0};
  Model made = translate(model, Format::openvino);
  made.graphs[1].nodes.front().attributes["m_pythondiv"] = std::string("true");
  EXPECT_THAT(refusal_of(made, Format::onnx), HasSubstr("Divide that rounds down has no counterpart"));
}

TEST(Translate, AFurtherNameOfAPortThatAnotherPortHasIsRefused) {
  Model made = translate(choice_of("Neg"), Format::openvino);
  const auto refusal_with = [&](const std::string& port, const std::string& further) {
    made.further_names = {{port, {further}}};
    return refusal_of(made, Format::onnx);
  };
  EXPECT_EQ(refusal_with("y", "z"), "nothing was refused");
  EXPECT_THAT(refusal_with("y", "x"),
              HasSubstr("output 0: another input or output, of another value, is also named \"x\""));
  EXPECT_THAT(refusal_with("x", "y"),
              HasSubstr("output 0: another input or output, of another value, is also named \"y\""));
}

TEST(Translate, ABroadcastThatCouldGrowIsRefused) {
  Model model = choice_of("Expand");
  Graph& then_graph = model.graphs[1];
  then_graph.constants.push_back({then_graph.add_slot("shape"), integers({1})});
  then_graph.nodes.front().inputs = {0, 2};
  Model made = translate(model, Format::openvino);
  EXPECT_EQ(refusal_of(made, Format::onnx), "nothing was refused");
  made.graphs[1].nodes.front().attributes["mode"] = std::string("numpy");
  EXPECT_THAT(refusal_of(made, Format::onnx), HasSubstr("not known to fit"));
}

/// y = Slice(x, starts, …): the result of each form.
void expect_sliced(const std::vector<std::vector<std::int64_t>>& lists, bool steps,
                   const std::vector<std::int64_t>& numbers, const Dims& dims) {
  Model made;
  made.ir_version = 8;
  made.opsets = {{"", 16}};
  Graph& main = made.graphs.emplace_back();
  main.name = "main";
  main.inputs = {main.add_slot("x", Type::tensor(ElementType::int64, Shape{Dim{}, Dim{}}))};
  std::vector<Slot> inputs{0};
  for (const std::vector<std::int64_t>& each : lists) {
    inputs.push_back(main.add_slot("list" + std::to_string(inputs.size())));
    main.constants.push_back({inputs.back(), integers(each)});
  }
  if (steps && lists.size() == 3) inputs.insert(inputs.end() - 1, no_slot);
  main.outputs = {main.add_slot("y")};
  main.nodes = {operation("Slice", inputs, {main.outputs.front()})};
  const Value x = make_tensor<std::int64_t>(ElementType::int64, {2, 3}, std::vector<std::int64_t>{1, 2, 3, 4, 5, 6});
  const Value y = make_tensor<std::int64_t>(ElementType::int64, dims, numbers);
  const Model there = translate(made, Format::openvino);
  for (const Model& model : {made, there, translate(there, Format::onnx)})
    EXPECT_TRUE(same_bits(Program(model).run(std::vector<Value>{x}).front(), y));
}

TEST(Translate, ASliceHasItsStepsBeforeItsAxesInIr) {
  expect_sliced({{1}, {3}, {1}}, false, {2, 3, 5, 6}, {2, 2});
  expect_sliced({{1, -2}, {9, -1}}, false, {5}, {1, 1});
  expect_sliced({{2, 1}, {-9, 2}, {1, 0}, {-2, 1}}, false, {6, 4}, {1, 2});
  expect_sliced({{1, 0}, {-9, 3}, {-1, 2}}, true, {4, 6, 1, 3}, {2, 2});
}

TEST(Translate, WhatHasNoCounterpartIsRefusedWithItsPlace) {
  EXPECT_THAT(refusal_of(choice_of("Ceil")),
              HasSubstr("then_branch / node 0 (Ceil): Ceil of this opset is not in the"));
  Model defaulted = choice_of("Neg");
  defaulted.graphs[0].constants.push_back({1, integers({1, 2})});
  EXPECT_THAT(refusal_of(defaulted), HasSubstr("an input with a default has no counterpart"));
  Model listed = choice_of("Identity");
  for (Graph& graph : listed.graphs)
    graph.slots[graph.inputs.empty() ? 0 : 1].declared = Type::sequence_of(Type::tensor(ElementType::int64));
  EXPECT_THAT(refusal_of(listed), HasSubstr("value \"x\": IR has only tensors; this is seq(tensor(int64))"));
}

TEST(Translate, AnOperationIsRefusedOnATypeThatItsPageLeavesOut) {
  Model model = choice_of("Squeeze");
  model.graphs[0].slots[1].declared.element = ElementType::string;
  EXPECT_THAT(refusal_of(model),
              HasSubstr("then_branch / node 0 (Squeeze): OpenVINO does not define Squeeze on string"));
}

TEST(Translate, AnotherNameOfStringsIsACopyThatStringsHave) {
  Model model = choice_of("Identity");
  Graph& main = model.graphs.front();
  main.slots[1].declared = Type::tensor(ElementType::string, Shape{Dim{}});
  main.nodes = {operation("Identity", {1}, {2})};
  const Value text = make_strings({2}, {"a", ""});
  const Model made = translate(model, Format::openvino);
  EXPECT_TRUE(same_bits(Program(made).run(std::vector<Value>{boolean(true), text}).front(), text));
  main.slots[1].declared.shape.reset();
  EXPECT_THAT(refusal_of(model), HasSubstr("output 0: an output that is another name of strings of unknown rank"));
}

TEST(Translate, AConstantIsWhatItsOwnAttributeSays) {
  Model model = choice_of("Neg");
  Node constant = operation("Constant", {}, {1}, {{"__note", std::int64_t{7}}, {"value_ints", Integers{5, 6}}});
  model.graphs[1].nodes = {std::move(constant)};
  for (const Format format : {Format::openvino, Format::tflite})
    EXPECT_TRUE(same_bits(output_of(translate(model, format), boolean(true)), integers({5, 6})));
}

TEST(Translate, ATypeAsksForTheOpsetThatHasIt) {
  Model model = choice_of("Identity");
  model.graphs[0].slots[1].declared = Type::tensor(ElementType::int4, Shape{});
  model.opsets = {{"", 21}};
  for (Graph& graph : model.graphs) {
    for (Node& node : graph.nodes) node.version = 21;
  }
  const Model back = translate(translate(model, Format::openvino), Format::onnx);
  EXPECT_EQ(back.opsets.at(""), 21);
  EXPECT_EQ(back.ir_version, 10);
}

TEST(Translate, FilesAreNamedByTheFormat) {
  const std::vector<WrittenFile> files = write_model(choice_of("Neg"), "folder/model.xml");
  ASSERT_THAT(files, SizeIs(2));
  EXPECT_EQ(files[0].path, "folder/model.bin");
  EXPECT_EQ(files[1].path, "folder/model.xml");
  EXPECT_THROW(write_model(choice_of("Neg"), "model.pb"), Inexpressible);
}

/// y = OP(x) of that version, over int64 of shape [1].
Model single(const std::string& op, int version, Attributes attributes) {
  Model made;
  made.ir_version = 8;
  made.opsets = {{"", version}};
  made.graphs.resize(1);
  Graph& main = made.graphs[0];
  main.name = "main";
  main.inputs = {main.add_slot("x", Type::tensor(ElementType::int64, Shape{Dim{1, {}}}))};
  main.outputs = {main.add_slot("y", Type::tensor(ElementType::int64))};
  main.nodes = {operation(op, {0}, {1}, std::move(attributes))};
  main.nodes.front().version = version;
  return made;
}

TEST(Translate, AnAttributeOfAnotherVersionIsRefused) {
  struct Case {
    std::string op, attribute;
    int with, without;
    AttributeValue value;
  };
  const std::int64_t one = 1;
  const std::vector<Case> cases{
      {"Squeeze", "axes", 12, 13, Integers{0}},   {"Unsqueeze", "axes", 12, 13, Integers{0}},
      {"ReduceSum", "axes", 12, 13, Integers{0}}, {"ReduceSum", "noop_with_empty_axes", 13, 12, one},
      {"Reshape", "shape", 4, 5, Integers{1}},    {"Reshape", "allowzero", 14, 13, one},
      {"Slice", "axes", 9, 10, Integers{0}},      {"Slice", "starts", 9, 10, Integers{0}},
      {"Slice", "ends", 9, 10, Integers{0}},      {"Split", "split", 12, 13, Integers{1}},
      {"Split", "num_outputs", 18, 17, one},      {"Cast", "saturate", 19, 18, one},
  };
  for (const auto& [op, attribute, with, without, value] : cases) {
    for (const Format format : {Format::openvino, Format::tflite}) {
      if (op == "Split" && format == Format::tflite) continue;  // not in its table
      const auto refused = HasSubstr(fmt::format("{} with the attribute {} has no counterpart", op, attribute));
      EXPECT_THAT(refusal_of(single(op, without, {{attribute, value}}), format), refused);
      EXPECT_THAT(refusal_of(single(op, with, {{attribute, value}}), format), Not(refused));
    }
  }
}

TEST(Translate, AnAttributeThatTheOperatorRequiresIsNotMadeUp) {
  for (const Format format : {Format::openvino, Format::tflite}) {
    EXPECT_THAT(refusal_of(single("Concat", 16, {}), format), HasSubstr("Concat without axis has no value"));
    EXPECT_THAT(refusal_of(single("Cast", 16, {}), format), HasSubstr("Cast without to has no value"));
  }
}

TEST(Translate, ALoopWithoutBodyOrWithAnotherGraphBesideItIsRefused) {
  Model made = single("Loop", 16, {});
  EXPECT_THAT(refusal_of(made, Format::tflite), HasSubstr("a Loop without a body, or with further graphs"));
  made.graphs.resize(3);
  made.graphs[0].nodes.front().bodies = {{"another", 1, {}, {}}, {"body", 2, {}, {}}};
  EXPECT_THAT(refusal_of(made, Format::tflite), HasSubstr("a Loop without a body, or with further graphs"));
}

TEST(Translate, NoStepsAreMadeUpForAsManyAxesAsAFileMerelyDeclares) {
  Model made = single("Slice", 16, {});
  Graph& main = made.graphs[0];
  for (const std::string name : {"starts", "ends"})
    main.inputs.push_back(main.add_slot(name, Type::tensor(ElementType::int64, Shape{Dim{std::int64_t{1} << 25, {}}})));
  main.nodes.front().inputs = {0, 2, 3};
  EXPECT_THAT(refusal_of(made), HasSubstr("Slice along 33554432 axes has no counterpart"));
}

TEST(Translate, AnAxisInFrontOfTheFirstIsRefused) {
  Model made = single("Gather", 16, {{"axis", std::int64_t{-5}}});
  Graph& main = made.graphs[0];
  main.inputs.push_back(main.add_slot("indices", Type::tensor(ElementType::int64, Shape{Dim{}})));
  main.nodes.front().inputs = {0, 2};
  EXPECT_THAT(refusal_of(made, Format::tflite), HasSubstr("axis -5 with 1 dims has no counterpart"));
}

TEST(Translate, ASliceThatEndsBeyondAllNumbersGoesToTheEnd) {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  Model made = single("SLICE", 1, {});
  made.format = Format::tflite;
  Graph& main = made.graphs[0];
  for (const std::int64_t number : {std::int64_t{3}, most}) {
    const Value list = integers({number});
    main.constants.push_back({main.add_slot("", type_of(list)), list});
  }
  main.nodes.front().inputs = {0, 2, 3};
  const Model onnx = translate(made, Format::onnx);
  const Slot end = onnx.main().nodes.front().inputs[2];
  const auto constant = std::ranges::find(onnx.main().constants, end, &Constant::slot);
  ASSERT_NE(constant, onnx.main().constants.end());
  EXPECT_TRUE(same_bits(constant->value, integers({most})));
}

}  // namespace
}  // namespace ifcert
