// What the message says of a name that is not visible: where it is made, if anywhere.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "formats/onnx/file_builder.hpp"

namespace ifcert::onnx {
namespace {

using namespace file_builder;
using testing::ElementsAre;

/// The findings, each as "rule: what was found".
std::vector<std::string> findings_in(const std::string& bytes) {
  std::vector<std::string> texts;
  for (const Diagnostic& finding : read(bytes).broken) texts.push_back(finding.rule + ": " + finding.found);
  return texts;
}

std::string main_with(const std::vector<std::string>& nodes) {
  return graph(
      "main",
      {nodes, {}, {value_info("cond", bool_scalar), value_info("x", float_pair)}, {value_info("y", float_pair)}});
}

/// A graph with these nodes that returns "r".
std::string body(std::string_view name, const std::vector<std::string>& nodes) {
  return graph(name, {nodes, {}, {}, {value_info("r")}});
}

std::string negates(const std::string& name) {
  return node("Neg", {name}, {"r"});
}

/// A model with an If whose branches have these nodes, and then a node that makes "late".
std::string two_branches(const std::vector<std::string>& then_nodes, const std::vector<std::string>& else_nodes) {
  return model(
      main_with({node("If", {"cond"}, {"y"},
                      {branch("then_branch", body("t", then_nodes)), branch("else_branch", body("e", else_nodes))}),
                 node("Neg", {"x"}, {"late"})}));
}

TEST(MissingName, OfALaterNodeIsSaidToBeMadeByIt) {
  EXPECT_THAT(findings_in(model(main_with({node("Neg", {"late"}, {"y"}), node("Neg", {"x"}, {"late"})}))),
              ElementsAre("onnx/model/no-cycles: \"late\" is not visible here: it is made later, by graph \"main\" / "
                          "node 1 (Neg)"));
}

TEST(MissingName, OfTwoLaterNodesIsSaidToBeMadeByTheLast) {
  EXPECT_THAT(findings_in(model(main_with(
                  {node("Neg", {"late"}, {"y"}), node("Neg", {"x"}, {"late"}), node("Abs", {"x"}, {"late"})}))),
              testing::Contains("onnx/model/no-cycles: \"late\" is not visible here: it is made later, by graph "
                                "\"main\" / node 2 (Abs)"));
}

TEST(MissingName, ThatIsLongIsCutInTheMiddle) {
  const std::string part(100, 'n');
  EXPECT_THAT(findings_in(two_branches({negates(part + std::string(100, 'm') + part)}, {negates("x")})),
              ElementsAre("onnx/model/every-use-is-defined: \"" + part + "…" + part +
                          "\" is not visible here: nothing makes it"));
}

TEST(MissingName, OfTheNodeThatReadsItIsSaidToBeItsOwn) {
  EXPECT_THAT(findings_in(model(main_with({node("Neg", {"y"}, {"y"})}))),
              ElementsAre("onnx/model/no-cycles: \"y\" is not visible here: this node itself makes it"));
}

TEST(MissingName, OfALaterNodeAroundABranchIsSaidToBeMadeThere) {
  EXPECT_THAT(findings_in(two_branches({negates("late")}, {negates("x")})),
              ElementsAre("onnx/if/definition-before-use: \"late\" is not visible here: it is made later, by graph "
                          "\"main\" / node 1 (Neg)"));
}

TEST(MissingName, OfTheIfThatHoldsTheBranchIsSaidToBeMadeByIt) {
  EXPECT_THAT(
      findings_in(two_branches({negates("x")}, {negates("y")})),
      ElementsAre("onnx/if/definition-before-use: \"y\" is not visible here: it is made by graph \"main\" / node "
                  "0 (If), which holds this graph"));
}

TEST(MissingName, OfALaterNodeBetweenTwoLevelsIsSaidToBeMadeThere) {
  const std::string inner =
      node("If", {"cond"}, {"r"},
           {branch("then_branch", body("t", {negates("mid")})), branch("else_branch", body("e", {negates("x")}))});
  EXPECT_THAT(findings_in(two_branches({inner, node("Neg", {"x"}, {"mid"})}, {negates("x")})),
              ElementsAre("onnx/if/definition-before-use: \"mid\" is not visible here: it is made later, by graph "
                          "\"main\" / node 0 (If) / then_branch / node 1 (Neg)"));
}

TEST(MissingName, OfALaterNodeAroundALoopIsSaidToBeMadeThere) {
  const std::string in_loop = graph("b", {{node("Neg", {"late"}, {"r"})},
                                          {},
                                          {value_info("i"), value_info("c"), value_info("v")},
                                          {value_info("c"), value_info("r")}});
  EXPECT_THAT(findings_in(model(main_with(
                  {node("Loop", {"", "cond", "x"}, {"y"}, {branch("body", in_loop)}), node("Neg", {"x"}, {"late"})}))),
              ElementsAre("onnx/if/definition-before-use: \"late\" is not visible here: it is made later, by graph "
                          "\"main\" / node 1 (Neg)"));
}

TEST(MissingName, OfTheOtherBranchIsSaidToBeMadeThere) {
  EXPECT_THAT(findings_in(two_branches({node("Neg", {"x"}, {"m"}), negates("m")}, {negates("m")})),
              ElementsAre("onnx/if/no-leak: \"m\" is not visible here: it is made in graph \"main\" / node 0 (If) / "
                          "then_branch, which else_branch cannot see"));
}

TEST(MissingName, OfABodyIsSaidToBeMadeThereWhereTheOuterGraphReadsIt) {
  const std::string holder = node("If", {"cond"}, {"z"},
                                  {branch("then_branch", body("t", {node("Neg", {"x"}, {"m"}), negates("m")})),
                                   branch("else_branch", body("e", {negates("x")}))});
  EXPECT_THAT(findings_in(model(main_with({holder, node("Neg", {"m"}, {"y"})}))),
              ElementsAre("onnx/if/no-leak: \"m\" is not visible here: it is made in graph \"main\" / node 0 (If) / "
                          "then_branch, which graph \"main\" cannot see"));
}

TEST(MissingName, OfAnInputOfABodyIsSaidToBeMadeThere) {
  const std::string in_loop = graph("b", {{node("Neg", {"v"}, {"r"})},
                                          {},
                                          {value_info("i"), value_info("c"), value_info("v")},
                                          {value_info("c"), value_info("r")}});
  EXPECT_THAT(findings_in(model(main_with(
                  {node("Loop", {"", "cond", "x"}, {"z"}, {branch("body", in_loop)}), node("Neg", {"v"}, {"y"})}))),
              ElementsAre("onnx/model/every-use-is-defined: \"v\" is not visible here: it is made in graph \"main\" / "
                          "node 0 (Loop) / body, which graph \"main\" cannot see"));
}

TEST(MissingName, OfTheMainGraphIsSaidToBeMadeThereWhereAFunctionReadsIt) {
  const std::string called = function("f", {{"a"}, {"b"}, {node("Add", {"a", "x"}, {"b"})}});
  EXPECT_THAT(findings_in(with_functions(model(main_with({call("f", {"x"}, {"y"})})), {called})),
              ElementsAre("onnx/model/every-use-is-defined: \"x\" is not visible here: it is made in graph \"main\", "
                          "which function \"f\" cannot see"));
}

TEST(MissingName, OfAFunctionIsSaidToBeMadeThereWhereTheMainGraphReadsIt) {
  const std::string called = function("f", {{"a"}, {"b"}, {node("Neg", {"a"}, {"m"}), node("Neg", {"m"}, {"b"})}});
  EXPECT_THAT(
      findings_in(with_functions(model(main_with({node("Neg", {"m"}, {"y"})})), {called})),
      ElementsAre("onnx/model/every-use-is-defined: \"m\" is not visible here: it is made in function \"f\", which "
                  "graph \"main\" cannot see"));
}

TEST(MissingName, ThatNothingMakesIsSaidToBeMadeNowhere) {
  EXPECT_THAT(findings_in(two_branches({negates("nobody")}, {negates("x")})),
              ElementsAre("onnx/model/every-use-is-defined: \"nobody\" is not visible here: nothing makes it"));
}

}  // namespace
}  // namespace ifcert::onnx
