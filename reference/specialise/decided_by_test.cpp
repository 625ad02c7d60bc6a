#include <gmock/gmock.h>

#include <ifcert/reference.hpp>
#include <ifcert/specialise.hpp>

#include "formats/onnx/file_builder.hpp"

namespace ifcert::decided_tests {
namespace {

using namespace onnx::file_builder;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

const std::vector<std::string> inputs{value_info("x", float_pair), value_info("c", bool_scalar),
                                      value_info("d", bool_scalar)};

std::string branch_graph(const std::string& op, const std::string& input) {
  return graph(op, {{node(op, {input}, {op})}, {}, {}, {value_info(op)}});
}

std::string if_node(const std::string& cond, const std::string& output, const std::string& then_graph,
                    const std::string& else_graph) {
  return node("If", {cond}, {output}, {branch("then_branch", then_graph), branch("else_branch", else_graph)});
}

Reading read_main(const std::vector<std::string>& nodes, const std::vector<std::string>& functions = {}) {
  return read(with_functions(model(graph("main", {nodes, {}, inputs, {value_info("y", float_pair)}})), functions));
}

Value truth(bool value) {
  const std::uint8_t byte = value ? 1 : 0;
  return make_tensor<std::uint8_t>(ElementType::boolean, {}, {&byte, 1});
}

const std::string negated = branch_graph("Neg", "x");
const std::string kept = branch_graph("Identity", "x");

TEST(DecidedBy, AnInputThatIsTheCond) {
  const Model model = read_main({if_node("c", "y", negated, kept)}).model;
  EXPECT_THAT(decided_by(model, {{Value{}, truth(false), Value{}}}).decisions,
              ElementsAre(Pair(NodeIndex{0, 0}, false)));
  const Decided none = decided_by(model, {{Value{}, Value{}, truth(true)}});
  EXPECT_THAT(none.decisions, IsEmpty());
  EXPECT_THAT(none.open, ElementsAre(NodeIndex{0, 0}));
}

TEST(DecidedBy, WhatIsComputedFromTheInputAlone) {
  const Model model = read_main({node("Not", {"c"}, {"other"}), node("And", {"other", "d"}, {"both"}),
                                 if_node("both", "first", negated, kept), if_node("other", "y", negated, kept)})
                          .model;
  const Decided decided = decided_by(model, {{Value{}, truth(false), Value{}}});
  EXPECT_THAT(decided.decisions, ElementsAre(Pair(NodeIndex{0, 3}, true)));
  EXPECT_THAT(decided.open, ElementsAre(NodeIndex{0, 2}));
}

TEST(DecidedBy, AnIfInATakenBranchAndNoneInTheOther) {
  const std::string inner = graph("inner", {{if_node("d", "z", negated, kept)}, {}, {}, {value_info("z")}});
  const Model model = read_main({if_node("c", "y", inner, kept)}).model;
  const GraphIndex then_graph = model.main().nodes[0].bodies[0].graph;
  EXPECT_THAT(decided_by(model, {{Value{}, truth(true), truth(false)}}).decisions,
              ElementsAre(Pair(NodeIndex{0, 0}, true), Pair(NodeIndex{then_graph, 0}, false)));
  const Decided other = decided_by(model, {{Value{}, truth(false), Value{}}});
  EXPECT_THAT(other.decisions, ElementsAre(Pair(NodeIndex{0, 0}, false)));
  EXPECT_THAT(other.open, IsEmpty()) << "the inner If is in a branch that is not taken";
}

TEST(DecidedBy, AnIfInAFunctionWhoseCallsAgree) {
  const std::string choose = function("Choose", {{"x", "c"}, {"y"}, {if_node("c", "y", negated, kept)}});
  const auto calls = [&](const std::string& first, const std::string& second) {
    return read_main({call("Choose", {"x", first}, {"once"}), call("Choose", {"once", second}, {"y"})}, {choose}).model;
  };
  const Model same = calls("c", "c");
  const NodeIndex inside{same.functions.front().graph, 0};
  EXPECT_THAT(decided_by(same, {{Value{}, truth(true), Value{}}}).decisions, ElementsAre(Pair(inside, true)));
  const Decided differ = decided_by(calls("c", "d"), {{Value{}, truth(true), truth(false)}});
  EXPECT_THAT(differ.decisions, IsEmpty());
  EXPECT_THAT(differ.open, ElementsAre(inside));
}

TEST(DecidedBy, NothingWhereABodyThatMayNotRunCannotBeEvaluated) {
  const std::string text = graph("text", {{node("Neg", {"c"}, {"n"})}, {}, {}, {value_info("n")}});
  const Model model = read_main({if_node("d", "y", text, kept)}).model;
  EXPECT_THAT(decided_by(model, {{Value{}, truth(true), Value{}}}).open, ElementsAre(NodeIndex{0, 0}));
}

}  // namespace
}  // namespace ifcert::decided_tests
