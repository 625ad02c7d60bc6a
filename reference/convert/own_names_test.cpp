#include "convert/own_names.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ifcert/reference.hpp>
#include <set>

#include "model/test_parts.hpp"

namespace ifcert::translation {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const Type list = Type::tensor(ElementType::int64, Shape{Dim{}});

std::vector<std::string> names_in(const Graph& graph) {
  std::vector<std::string> names;
  for (const SlotInfo& slot : graph.slots) names.push_back(slot.name);
  return names;
}

std::vector<std::string> names_of(const Graph& graph, const std::vector<Slot>& slots) {
  std::vector<std::string> names;
  for (const Slot slot : slots) names.push_back(graph.slots[slot].name);
  return names;
}

/// Slots 0 and 1 are inputs, the last one is an output of these names.
Model model_with(const std::vector<std::string>& names) {
  Model made;
  Graph& main = made.graphs.emplace_back();
  main.name = "main";
  for (const std::string& name : names) main.add_slot(name, list);
  main.inputs = {0, 1};
  main.outputs = {static_cast<Slot>(names.size() - 1)};
  return made;
}

TEST(OwnNames, AValueInsideGivesWayToAnInputAndToALaterOutput) {
  EXPECT_THAT(names_in(with_own_names(model_with({"a", "b", "y", "a", "t", "t", "", "", "y"})).main()),
              ElementsAre("a", "b", "y_1", "a_1", "t", "t_1", "", "", "y"));
}

TEST(OwnNames, ANewNameIsNoOtherValuesName) {
  EXPECT_THAT(names_in(with_own_names(model_with({"a", "b", "y", "y_1", "y_2", "y"})).main()),
              ElementsAre("a", "b", "y_3", "y_1", "y_2", "y"));
}

TEST(OwnNames, ACaptureKeepsTheNameAroundItsBodyAndOtherValuesOfTheBodyDoNot) {
  Model made = model_with({"a", "b", "t", "y"});
  Graph& body = made.graphs.emplace_back();
  for (const char* name : {"a", "t", "b", "y", "own"}) body.add_slot(name);
  Node choose = operation("If", {0}, {3});
  choose.bodies = {{"then_branch", 1, {{0, 0}, {2, 1}}, {}}};
  made.graphs.front().nodes.push_back(choose);
  EXPECT_THAT(names_in(with_own_names(made).graphs[1]), ElementsAre("a", "t", "b_1", "y_1", "own"));
}

TEST(OwnNames, BodiesHaveNamesThatNoOtherGraphHas) {
  Model made = model_with({"a", "b", "t", "y"});
  for (int i = 0; i < 2; ++i) made.graphs.emplace_back().add_slot("t");
  made = with_own_names(std::move(made));
  EXPECT_EQ(made.graphs[1].slots.front().name, "t_1");
  EXPECT_EQ(made.graphs[2].slots.front().name, "t_2");
}

TEST(OwnNames, NodesOfAGraphHaveNamesOfTheirOwn) {
  Model made = model_with({"a", "b", "y"});
  Graph& main = made.graphs.front();
  for (const char* name : {"n", "", "n", "n_1", ""}) {
    main.nodes.push_back(operation("Neg", {0}, {2}));
    main.nodes.back().name = name;
  }
  const Model named = with_own_names(made);
  std::vector<std::string> names;
  for (const Node& node : named.main().nodes) names.push_back(node.name);
  EXPECT_THAT(names, ElementsAre("n", "", "n_2", "n_1", ""));
}

TEST(OwnNames, OneNameForTwoInputsOrOutputsIsRefusedWithItsPlace) {
  const auto refusal_of = [](const std::vector<std::string>& names) {
    try {
      with_own_names(model_with(names));
    } catch (const Inexpressible& error) {
      return std::string(error.what());
    }
    return std::string("nothing was refused");
  };
  EXPECT_THAT(refusal_of({"a", "a", "y"}), HasSubstr("graph \"main\" / input 1: another input or output"));
  EXPECT_THAT(refusal_of({"a", "b", "b"}), HasSubstr("output 0: another input or output, of another value, is also"));
  EXPECT_THAT(refusal_of({"", "", ""}), HasSubstr("nothing was refused"));
}

/// The function F(r) { q = r + r, x = -q } called for `r`, in a main graph with the outputs q = -x and r, in this
/// order.
Model caller() {
  Model made;
  made.ir_version = 8;
  made.opsets = {{"", 16}, {"f", 1}};
  made.graphs.resize(2);
  Graph& main = made.graphs[0];
  main.name = "main";
  main.inputs = {main.add_slot("x", list)};
  main.outputs = {main.add_slot("q"), main.add_slot("r")};
  Node call = operation("F", {0}, {2});
  call.domain = "f";
  call.version = 1;
  call.call = true;
  call.bodies = {{"", 1, {}, {}}};
  main.nodes = {call, operation("Neg", {0}, {1})};
  Graph& function = made.graphs[1];
  function.inputs = {function.add_slot("r")};
  function.add_slot("q");
  function.outputs = {function.add_slot("x")};
  function.nodes = {operation("Add", {0, 0}, {1}), operation("Neg", {1}, {2})};
  made.functions.push_back({"f", "F", "", 1, {}, {}});
  return made;
}

/// The model in the other format, written and read again.
Model written_as(const Model& model, Format format) {
  const Model made = translate(model, format);
  if (format == Format::openvino) {
    const openvino::Files files = openvino::write(made);
    const auto bin = std::make_shared<std::string>(files.bin);
    return openvino::read_bytes(std::as_bytes(std::span(files.xml)), bin, std::as_bytes(std::span(*bin))).model;
  }
  const bool is_onnx = format == Format::onnx;
  const auto bytes =
      std::make_shared<std::string>(is_onnx ? onnx::write(made) : tflite::write(made, tflite::Identifier::tflite));
  const auto span = std::as_bytes(std::span(*bytes));
  return is_onnx ? onnx::read_bytes(bytes, span).model : tflite::read_bytes(bytes, span).model;
}

/// The names of inputs, then of outputs, and that each value is still where it was.
void expect_ports(const Model& model, const Model& written) {
  const Graph& before = model.main();
  const Graph& after = written.main();
  EXPECT_EQ(names_of(after, after.inputs), names_of(before, before.inputs));
  EXPECT_EQ(names_of(after, after.outputs), names_of(before, before.outputs));
  const std::vector<Value> inputs{integers({3, -4})};
  const std::vector<Value> expected = Program(model).run(inputs);
  const std::vector<Value> given = Program(written).run(inputs);
  ASSERT_EQ(given.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_TRUE(same_bits(given[i], expected[i])) << i;
}

TEST(NamesOfPorts, AreKeptWhenAFunctionHasThemForOtherValues) {
  const Model model = caller();
  for (const Format format : {Format::openvino, Format::tflite}) {
    const Model there = translate(model, format);
    std::set<std::string> names;
    for (const SlotInfo& slot : there.main().slots) EXPECT_TRUE(slot.name.empty() || names.insert(slot.name).second);
    EXPECT_EQ(there.main().nodes.size(), 3U);  // and none of them is a copy
    expect_ports(model, written_as(model, format));
    expect_ports(model, written_as(written_as(model, format), Format::onnx));
  }
  expect_ports(model, written_as(model, Format::onnx));
}

/// -x as two outputs, one of them through an Identity; x as an output, also by another name; and a constant.
Model passing() {
  Model made;
  made.ir_version = 8;
  made.opsets = {{"", 16}};
  Graph& main = made.graphs.emplace_back();
  main.name = "main";
  main.inputs = {main.add_slot("x", list)};
  main.outputs = {main.add_slot("same"), main.add_slot("minus,"), main.inputs.front(), main.add_slot("x as well"),
                  main.add_slot("k", list)};
  main.constants.push_back({4, integers({7})});
  main.nodes = {operation("Neg", {0}, {2}), operation("Identity", {2}, {1}), operation("Identity", {0}, {3})};
  return made;
}

TEST(NamesOfPorts, AreKeptWhereAValueIsSeveralOutputsOrNotComputed) {
  const Model model = passing();
  for (const Format format : {Format::openvino, Format::tflite, Format::onnx}) {
    const Model there = written_as(model, format);
    expect_ports(model, there);
    for (const Format further : {Format::openvino, Format::tflite, Format::onnx})
      expect_ports(model, written_as(there, further));
  }
}

TEST(NamesOfPorts, OfAnOutputThatIsListedTwiceAreKept) {
  Model model = passing();
  model.graphs.front().outputs = {2, 2, 0, 0};
  for (const Format format : {Format::openvino, Format::tflite, Format::onnx}) {
    const Model there = written_as(model, format);
    expect_ports(model, there);
    for (const Format further : {Format::openvino, Format::tflite, Format::onnx})
      expect_ports(model, written_as(there, further));
  }
}

}  // namespace
}  // namespace ifcert::translation
