// The picture of a model whose subgraphs may be entered by several nodes, or by none.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/drawing/drawing.hpp"
#include "conformance/drawing/drawn_node.hpp"
#include "conformance/drawing/layout.hpp"

namespace ifcert::drawing {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

/// A subgraph of TensorFlow Lite that takes cond and x and returns y.
void add_subgraph(Model& model, std::string name) {
  Graph& graph = model.graphs.emplace_back();
  graph.subgraph = static_cast<std::uint32_t>(model.graphs.size() - 1);
  graph.name = std::move(name);
  graph.inputs = {graph.add_slot("cond"), graph.add_slot("x")};
  graph.outputs = {graph.add_slot("y")};
}

/// Adds an If on its inputs to the subgraph; both branches take both inputs.
void add_if(Model& model, GraphIndex at, GraphIndex then_graph, GraphIndex else_graph) {
  Node choose = node("If", {0, 0, 1}, {2});
  for (const auto& [role, graph] : {std::pair("then_subgraph", then_graph), std::pair("else_subgraph", else_graph)})
    choose.bodies.push_back({role, graph, {{0, 0}, {1, 1}}, {}});
  model.graphs[at].nodes.push_back(std::move(choose));
}

/// Subgraphs each of which enters the next one twice.
Model shared_subgraphs(std::size_t levels) {
  Model model;
  model.format = Format::tflite;
  for (std::size_t i = 0; i <= levels; ++i) add_subgraph(model, fmt::format("level {}", i));
  for (GraphIndex i = 0; i < levels; ++i) add_if(model, i, i + 1, i + 1);
  model.graphs.back().nodes.push_back(node("NEG", {1}, {2}));
  return model;
}

std::size_t count(std::string_view text, std::string_view part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

TEST(Drawing, AnIfOfTensorFlowLitePassesItsOperandsToBothSubgraphs) {
  const Model model = shared_subgraphs(1);
  const Picture picture = picture_of(model, infer_types(model), {}, {});
  ASSERT_THAT(picture.panels, SizeIs(3));
  EXPECT_EQ(picture.panels[0].label, "subgraph level 0");
  for (std::size_t i = 1; i < 3; ++i) {
    const Panel& body = picture.panels[i];
    EXPECT_EQ(body.label, i == 1 ? "then_subgraph" : "else_subgraph");
    EXPECT_EQ(body.title, "subgraph 1 \"level 1\"");
    std::vector<Box::Kind> kinds;
    for (const Box& box : body.boxes) kinds.push_back(box.kind);
    EXPECT_THAT(kinds, ElementsAre(Box::Kind::capture, Box::Kind::capture, Box::Kind::node, Box::Kind::output));
  }
  EXPECT_THAT(picture.panels[0].wires[0].readers, SizeIs(3));  // the If reads it too
  EXPECT_THAT(picture.panels[0].wires[1].readers, SizeIs(2));
  const std::string dot = dot_of(model, infer_types(model), {});
  EXPECT_EQ(count(dot, "style=dashed"), 2);  // x, to the NEG of each
  EXPECT_THAT(dot,
              AllOf(HasSubstr("label=\"then_subgraph\\nsubgraph 1"), HasSubstr("label=\"else_subgraph\\nsubgraph 1")));
}

TEST(Drawing, SubgraphsThatShareOthersAreDrawnUpToTheLimit) {
  const Model model = shared_subgraphs(40);
  EXPECT_LT(svg_of(model, infer_types(model), {}).size(), 8'000'000);
  EXPECT_LT(page_of(model, infer_types(model), {}, "shared").size(), 20'000'000);
  EXPECT_THAT(svg_of(shared_subgraphs(200), infer_types(shared_subgraphs(200)), {}),
              HasSubstr("… more than 999999999 nodes, 2 captures"));
  const std::string dot = dot_of(model, infer_types(model), {});
  EXPECT_LT(dot.size(), 8'000'000);
  EXPECT_GT(count(dot, "label=\"NEG\""), 1);
  EXPECT_THAT(dot, HasSubstr("… drawn elsewhere"));
}

TEST(Drawing, ASubgraphThatNothingEntersIsBesideThePrimary) {
  Model model = shared_subgraphs(1);
  add_subgraph(model, "second signature");
  add_subgraph(model, "");
  add_if(model, 2, 1, 1);
  const Picture picture = picture_of(model, infer_types(model), {}, {});
  std::vector<std::string> tops;
  for (const Panel& panel : picture.panels) {
    if (panel.owner == nowhere) tops.push_back(panel.label);
  }
  EXPECT_THAT(tops, ElementsAre("subgraph level 0", "subgraph second signature", "subgraph 3"));
  EXPECT_THAT(picture.panels, SizeIs(7));
  EXPECT_THAT(dot_of(model, infer_types(model), {}),
              AllOf(HasSubstr("label=\"subgraph 2 "), HasSubstr("label=\"subgraph 3\"")));
}

TEST(Drawing, ManySubgraphsThatNothingEntersAreCut) {
  Model model = shared_subgraphs(1);
  for (std::size_t i = 0; i < 20'000; ++i) model.graphs.emplace_back().subgraph = static_cast<std::uint32_t>(i + 2);
  EXPECT_LT(picture_of(model, infer_types(model), {}, {}).panels.size(), 5'000);
}

TEST(Drawing, ARuleThatASubgraphBreaksIsRedWhereTheSubgraphIsDrawnFirst) {
  const Model model = shared_subgraphs(2);
  const std::vector<Diagnostic> broken{
      {"rule/a", "subgraph 0 \"level 0\" / operator 0 (If) / else_subgraph", "found", "expected"},
      {"rule/b", "subgraph 1 \"level 1\" / operator 0 (If)", "found", "expected"},
      {"rule/c", "subgraph 2 \"level 2\" / operator 0 (NEG) / operand 0", "found", "expected"}};
  const Picture picture = picture_of(model, {}, broken, {});
  EXPECT_THAT(picture.elsewhere, IsEmpty());
  EXPECT_THAT(picture.panels[2].rules, ElementsAre("rule/a"));
  EXPECT_THAT(picture.panels[1].boxes[2].rules, ElementsAre("rule/b"));
  EXPECT_THAT(picture.panels[3].boxes[2].rules, ElementsAre("rule/c"));
  EXPECT_EQ(count(dot_of(model, {}, broken), "color=red, penwidth=2"), 1U + 2U + 4U);
}

}  // namespace
}  // namespace ifcert::drawing
