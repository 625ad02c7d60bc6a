// What an ONNX file looks like without an If; conformance/certify/without_ifs_test.cpp holds that it computes the same.
#include <gmock/gmock.h>

#include <algorithm>
#include <ifcert/reference.hpp>
#include <ifcert/specialise.hpp>

#include "formats/onnx/file_builder.hpp"

namespace ifcert::specialised_onnx {
namespace {

using namespace onnx::file_builder;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const std::vector<std::string> x_and_c{value_info("x", float_pair), value_info("c", bool_scalar)};
const std::vector<std::string> y{value_info("y", float_pair)};

std::string if_node(const std::string& output, const std::string& then_graph, const std::string& else_graph) {
  return node("If", {"c"}, {output}, {branch("then_branch", then_graph), branch("else_branch", else_graph)});
}

std::string returning(const std::string& name, const Parts& parts) {
  Parts all = parts;
  all.outputs = {value_info(name)};
  return graph("of_" + name, all);
}

/// The model with every If replaced by its then-branch.
Specialised with_then(const std::string& bytes) {
  const Reading reading = read(bytes);
  EXPECT_THAT(errors_in(check(reading)), IsEmpty());
  Decisions decisions;
  for (const auto& [node, place] : places_of_ifs(reading.model)) decisions.emplace(node, true);
  return specialised(reading.model, std::as_bytes(std::span(bytes)), decisions);
}

/// "Op(inputs) -> outputs" of each node of a graph.
std::vector<std::string> nodes_of(const Graph& graph) {
  std::vector<std::string> all;
  const auto names = [&](const std::vector<Slot>& slots) {
    std::string text;
    for (const Slot slot : slots) text += (text.empty() ? "" : " ") + graph.slots[slot].name;
    return text;
  };
  for (const Node& node : graph.nodes) all.push_back(node.op + "(" + names(node.inputs) + ") " + names(node.outputs));
  return all;
}

std::vector<std::string> main_nodes(const Specialised& made) {
  return nodes_of(made.reading.model.main());
}

const std::string kept = returning("k", {{node("Identity", {"x"}, {"k"})}, {}, {}, {}});

TEST(WithoutIf, TheValueThatABranchReturnsHasTheNameOfTheIfsOutput) {
  const std::string negates = returning("n", {{node("Abs", {"x"}, {"a"}), node("Neg", {"a"}, {"n"})}, {}, {}, {}});
  EXPECT_THAT(main_nodes(with_then(model(graph("main", {{if_node("y", negates, kept)}, {}, x_and_c, y})))),
              ElementsAre("Abs(x) a", "Neg(a) y"));
}

TEST(WithoutIf, ACapturedOrRepeatedValueIsCopied) {
  const std::string captured = returning("x", {});
  EXPECT_THAT(main_nodes(with_then(model(graph("main", {{if_node("y", captured, kept)}, {}, x_and_c, y})))),
              ElementsAre("Identity(x) y"));
  const std::string twice = graph("twice", {{node("Neg", {"x"}, {"n"})}, {}, {}, {value_info("n"), value_info("n")}});
  const std::string two = graph("two", {{node("Abs", {"x"}, {"m"})}, {}, {}, {value_info("m"), value_info("x")}});
  const std::string both = node("If", {"c"}, {"y", "z"}, {branch("then_branch", twice), branch("else_branch", two)});
  EXPECT_THAT(main_nodes(with_then(model(
                  graph("main", {{both}, {}, x_and_c, {value_info("y", float_pair), value_info("z", float_pair)}})))),
              ElementsAre("Neg(x) y", "Identity(y) z"));
}

TEST(WithoutIf, ANameIsChangedOnlyWhereAnotherValueHasIt) {
  const std::string first = returning("n", {{node("Abs", {"x"}, {"t"}), node("Neg", {"t"}, {"n"})}, {}, {}, {}});
  const std::string second = returning("n", {{node("Abs", {"u"}, {"t"}), node("Neg", {"t"}, {"n"})}, {}, {}, {}});
  EXPECT_THAT(main_nodes(with_then(
                  model(graph("main", {{if_node("u", first, kept), if_node("y", second, kept)}, {}, x_and_c, y})))),
              ElementsAre("Abs(x) t", "Neg(t) u", "Abs(u) t_1", "Neg(t_1) y"));
}

TEST(WithoutIf, AGraphThatStaysMayHaveTheNameOfTheOutput) {
  const std::string inner = if_node("n", returning("y", {{node("Neg", {"x"}, {"y"})}, {}, {}, {}}), kept);
  const std::string outer = returning("n", {{inner}, {}, {}, {}});
  const std::string bytes = model(graph("main", {{if_node("y", outer, kept)}, {}, x_and_c, y}));
  const Reading reading = read(bytes);
  const Specialised made = specialised(reading.model, std::as_bytes(std::span(bytes)), {{{0, 0}, true}});
  EXPECT_THAT(main_nodes(made), ElementsAre("If(c) n", "Identity(n) y"));
}

TEST(WithoutIf, AnInitializerKeepsItsEncoding) {
  const std::string adds = returning("s", {{node("Add", {"x", "w"}, {"s"})}, {float_tensor("w", {2}, {3, 4})}, {}, {}});
  const Specialised made = with_then(model(graph("main", {{if_node("y", adds, kept)}, {}, x_and_c, y})));
  EXPECT_THAT(main_nodes(made), ElementsAre("Add(x w) y"));
  EXPECT_THAT(*made.bytes, HasSubstr(float_tensor("w", {2}, {3, 4}).substr(0, 14))) << "float_data, not raw_data";
}

TEST(WithoutIf, WhereInitializersAreInputsOneOfABranchBecomesAConstant) {
  const std::string adds = returning(
      "s", {{node("Add", {"x", "w"}, {"s"})}, {float_tensor("w", {2}, {3, 4})}, {value_info("w", float_pair)}, {}});
  const Specialised made = with_then(model(graph("main", {{if_node("y", adds, kept)}, {}, x_and_c, y}), 8, 3));
  EXPECT_THAT(main_nodes(made), ElementsAre("Constant() w", "Add(x w) y"));
  EXPECT_EQ(made.reading.model.main().inputs.size(), 2U);
}

TEST(WithoutIf, AFunctionHasNoInitializers) {
  const std::string adds = returning("s", {{node("Add", {"x", "w"}, {"s"})}, {float_tensor("w", {2}, {3, 4})}, {}, {}});
  const std::string choose = function("Choose", {{"x", "c"}, {"y"}, {if_node("y", adds, kept)}});
  const Specialised made =
      with_then(with_functions(model(graph("main", {{call("Choose", {"x", "c"}, {"y"})}, {}, x_and_c, y})), {choose}));
  EXPECT_THAT(nodes_of(made.reading.model.graphs[made.reading.model.functions.front().graph]),
              ElementsAre("Constant() w", "Add(x w) y"));
}

TEST(WithoutIf, TypesOfABranchAreKept) {
  const std::string negates = graph("n", {{node("Abs", {"x"}, {"a"}), node("Neg", {"a"}, {"n"})},
                                          {},
                                          {},
                                          {value_info("n", float_pair)},
                                          {value_info("a", float_pair)}});
  const Specialised made =
      with_then(model(graph("main", {{if_node("n2", negates, kept), node("Abs", {"n2"}, {"y"})}, {}, x_and_c, y})));
  for (const SlotInfo& slot : made.reading.model.main().slots) EXPECT_TRUE(slot.declared.known()) << slot.name;
}

TEST(WithoutIf, ABranchThatACallPassesIsRefused) {
  const std::string chosen =
      node("If", {"c"}, {"y"}, {reference_attribute("then_branch", 5, "then"), branch("else_branch", kept)});
  const std::string choose = function("Choose", {{"x", "c"}, {"y"}, {chosen}, {"then"}});
  const std::string negates = returning("n", {{node("Neg", {"x"}, {"n"})}, {}, {}, {}});
  const std::string bytes = with_functions(
      model(graph("main", {{call("Choose", {"x", "c"}, {"y"}, {branch("then", negates)})}, {}, x_and_c, y})), {choose});
  EXPECT_THROW(with_then(bytes), Inexpressible);
}

}  // namespace
}  // namespace ifcert::specialised_onnx
