// The picture of a model: nothing overlaps, every arrow ends where it should, and names and sizes are arbitrary.
#include "conformance/drawing/drawing.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "conformance/drawing/drawn_node.hpp"
#include "conformance/drawing/layout.hpp"
#include "conformance/drawing/shortened.hpp"

namespace ifcert::drawing {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

constexpr PictureLimits everything{1000, 1000000, 1000000};

Model empty_model(std::size_t graphs) {
  Model model;
  model.graphs.resize(graphs);
  model.graphs[0].name = "main";
  return model;
}

/// Adds a branch to the model that returns its captures.
Body copying_branch(Model& model, GraphIndex index, std::string role, Slot outer) {
  Graph& branch = model.graphs[index];
  const Slot inner = branch.add_slot("captured");
  const Slot result = branch.add_slot("result");
  branch.nodes.push_back(node("Identity", {inner}, {result}));
  branch.outputs = {result};
  return {std::move(role), index, {{outer, inner}}, {}};
}

/// cond, x → If(then: x, else: x) → y
Model choice() {
  Model model = empty_model(3);
  Graph& main = model.graphs[0];
  main.inputs = {main.add_slot("cond"), main.add_slot("x")};
  Node choose = node("If", {0}, {main.add_slot("y")});
  choose.name = "choose";
  choose.bodies = {copying_branch(model, 1, "then_branch", 1), copying_branch(model, 2, "else_branch", 1)};
  main.nodes = {choose};
  main.outputs = choose.outputs;
  return model;
}

/// Ifs nested in then_branch, each of which passes the same outer value in.
Model nest(std::size_t levels) {
  Model model = empty_model(2 * levels + 1);
  GraphIndex at = 0;
  Slot x = model.graphs[0].add_slot("x");
  model.graphs[0].inputs = {x};
  for (std::size_t level = 0; level < levels; ++level) {
    const auto then_graph = static_cast<GraphIndex>(2 * level + 1);
    const Slot inner = model.graphs[then_graph].add_slot("x");
    Node choose = node("If", {x}, {model.graphs[at].add_slot("y")});
    choose.bodies = {{"then_branch", then_graph, {{x, inner}}, {}},
                     copying_branch(model, static_cast<GraphIndex>(2 * level + 2), "else_branch", x)};
    model.graphs[at].outputs = choose.outputs;
    model.graphs[at].nodes.push_back(std::move(choose));
    at = then_graph;
    x = inner;
  }
  return model;
}

Model chain(std::size_t length, std::size_t operands) {
  Model model = empty_model(1);
  Graph& main = model.graphs[0];
  main.inputs = {main.add_slot("x")};
  for (std::size_t i = 0; i < length; ++i) {
    std::vector<Slot> inputs;
    for (std::size_t o = 0; o < operands; ++o) inputs.push_back(static_cast<Slot>(i - std::min(i, o * o)));
    main.nodes.push_back(node("Sum", inputs, {main.add_slot(fmt::format("v{}", i))}));
  }
  main.outputs = {static_cast<Slot>(length)};
  return model;
}

/// A graph of nodes that read any of the values before them; some are Ifs whose branches capture values and may contain
/// Ifs.
class RandomModel {
 public:
  explicit RandomModel(unsigned seed) : random_(seed) {
    model_.graphs.resize(1);
    model_.graphs[0].inputs = {model_.graphs[0].add_slot("a"), model_.graphs[0].add_slot("b")};
    fill(0, 0);
  }
  const Model& model() const { return model_; }

 private:
  std::size_t below(std::size_t limit) { return std::uniform_int_distribution<std::size_t>(0, limit - 1)(random_); }

  void fill(GraphIndex index, int depth) {
    const std::size_t nodes = 1 + below(12);
    for (std::size_t i = 0; i < nodes; ++i) {
      const std::size_t known = model_.graphs[index].slots.size();
      std::vector<Slot> inputs;
      for (std::size_t o = below(4); o-- > 0 && known > 0;) inputs.push_back(static_cast<Slot>(below(known)));
      Node made = node(std::string(1 + below(20), 'N'), inputs, {});
      made.name = std::string(below(40), 'n');
      if (depth < 3 && below(4) == 0) {
        for (const char* role : {"then_branch", "else_branch"}) made.bodies.push_back(body(index, role, depth));
      }
      for (std::size_t o = 1 + below(2); o-- > 0;) made.outputs.push_back(model_.graphs[index].add_slot("v"));
      model_.graphs[index].nodes.push_back(std::move(made));
    }
    model_.graphs[index].outputs = {static_cast<Slot>(below(model_.graphs[index].slots.size()))};
  }

  Body body(GraphIndex outer, const char* role, int depth) {
    const auto index = static_cast<GraphIndex>(model_.graphs.size());
    Body made{role, index, {}, {}};
    model_.graphs.emplace_back();
    for (Slot slot = 0; slot < model_.graphs[outer].slots.size(); ++slot) {
      if (below(4) == 0) made.captures.push_back({slot, model_.graphs[index].add_slot("c")});
    }
    fill(index, depth + 1);
    return made;
  }

  std::mt19937 random_;
  Model model_;
};

bool apart(const Frame& a, const Frame& b) {
  constexpr double touch = 0.01;
  return a.right() <= b.x + touch || b.right() <= a.x + touch || a.bottom() <= b.y + touch || b.bottom() <= a.y + touch;
}

bool within(const Frame& inner, const Frame& outer) {
  return inner.x >= outer.x && inner.y >= outer.y && inner.right() <= outer.right() + 0.01 &&
         inner.bottom() <= outer.bottom() + 0.01;
}

class RandomLayout : public testing::TestWithParam<unsigned> {
 protected:
  RandomLayout()
      : model_(RandomModel(GetParam()).model()),
        picture_(picture_of(model_, infer_types(model_), {}, everything)),
        placed_(lay_out(picture_, 0)) {}

  Model model_;
  Picture picture_;
  Layout placed_;
};

INSTANTIATE_TEST_SUITE_P(RandomModels, RandomLayout, testing::Range(0U, 40U));

TEST_P(RandomLayout, NoBoxOverlapsAnother) {
  for (const PanelLayout& panel : placed_.panels) {
    for (std::size_t i = 0; i < panel.boxes.size(); ++i) {
      EXPECT_TRUE(within(panel.boxes[i], panel.frame));
      for (std::size_t j = 0; j < i; ++j) EXPECT_TRUE(apart(panel.boxes[i], panel.boxes[j]));
    }
  }
}

TEST_P(RandomLayout, BodiesAreSideBySideInTheirBox) {
  for (std::size_t p = 0; p < picture_.panels.size(); ++p) {
    for (std::size_t b = 0; b < picture_.panels[p].boxes.size(); ++b) {
      double right = placed_.panels[p].boxes[b].x;
      for (const std::size_t body : picture_.panels[p].boxes[b].bodies) {
        EXPECT_TRUE(within(placed_.panels[body].frame, placed_.panels[p].boxes[b]));
        EXPECT_GT(placed_.panels[body].frame.x, right);
        right = placed_.panels[body].frame.right();
      }
    }
  }
}

TEST_P(RandomLayout, EveryArrowLeavesItsBoxBelowAndEndsOnTopOfItsReader) {
  for (std::size_t p = 0; p < picture_.panels.size(); ++p) {
    for (const Wire& wire : picture_.panels[p].wires) {
      const Frame& made = placed_.panels[p].boxes[wire.box];
      const Point start = start_of(picture_, placed_, p, wire);
      EXPECT_EQ(start.y, made.bottom());
      EXPECT_TRUE(made.x < start.x && start.x < made.right());
      for (const Reader& reader : wire.readers) {
        const Frame& box = reader.inner == nowhere ? placed_.panels[p].boxes[reader.box]
                                                   : placed_.panels[reader.panel].boxes[reader.inner];
        const Point end = end_of(picture_, placed_, p, reader);
        EXPECT_EQ(end.y, box.y);
        EXPECT_TRUE(box.x < end.x && end.x < box.right());
        EXPECT_GT(end.y, start.y);
      }
    }
  }
}

TEST_P(RandomLayout, NoBendIsInsideABox) {
  for (std::size_t p = 0; p < picture_.panels.size(); ++p) {
    const Arrangement& arrangement = placed_.arrangements[p];
    for (std::size_t spot = 0; spot < arrangement.spots.size(); ++spot) {
      if (arrangement.spots[spot].box != nowhere) continue;
      for (const std::size_t other : arrangement.layers[arrangement.spots[spot].layer]) {
        if (arrangement.spots[other].box == nowhere) continue;
        const Frame& box = placed_.panels[p].boxes[other];
        const double x = placed_.panels[p].centers[spot];
        EXPECT_TRUE(x < box.x || x > box.right());
      }
    }
  }
}

TEST_P(RandomLayout, EveryReadAndEveryCaptureHasItsArrow) {
  std::size_t asked = 0;
  for (const Graph& graph : model_.graphs) {
    asked += graph.outputs.size();
    for (const Node& each : graph.nodes) {
      asked += each.inputs.size();
      for (const Body& body : each.bodies) asked += body.captures.size();
    }
  }
  std::size_t drawn = 0;
  for (std::size_t p = 0; p < picture_.panels.size(); ++p) {
    for (const Link& link : placed_.arrangements[p].links) drawn += link.reader == nowhere ? 0 : 1;
  }
  EXPECT_EQ(drawn, asked);
}

TEST_P(RandomLayout, TheSameModelHasTheSamePicture) {
  EXPECT_EQ(svg_of(model_, infer_types(model_), {}), svg_of(model_, infer_types(model_), {}));
}

TEST(Drawing, ACapturedValueReachesItsReaderThroughABoxInEachBranch) {
  const Picture picture = picture_of(choice(), infer_types(choice()), {}, {});
  ASSERT_THAT(picture.panels, SizeIs(3));
  const Wire& x = picture.panels[0].wires[1];
  ASSERT_THAT(x.readers, SizeIs(2));
  for (std::size_t i = 0; i < 2; ++i) {
    const Panel& branch = picture.panels[x.readers[i].panel];
    EXPECT_EQ(branch.label, i == 0 ? "then_branch" : "else_branch");
    EXPECT_EQ(branch.boxes[x.readers[i].inner].kind, Box::Kind::capture);
    EXPECT_EQ(branch.boxes[branch.wires[0].readers[0].box].label, "Identity");
  }
}

TEST(Drawing, ValuesThatAPortMapPassesToBodiesHaveNoArrowToTheIfItself) {
  Model model = choice();
  Graph& main = model.graphs[0];
  const Slot unused = main.add_slot("z");
  main.inputs.push_back(unused);
  main.nodes[0].inputs = {0, 1, unused};
  const Picture picture = picture_of(model, infer_types(model), {}, {});
  const auto readers = [&](std::size_t wire) { return picture.panels[0].wires[wire].readers; };
  ASSERT_THAT(readers(1), SizeIs(2));
  EXPECT_NE(readers(1)[0].inner, nowhere);
  EXPECT_NE(readers(1)[1].inner, nowhere);
  for (const std::size_t wire : {std::size_t{0}, std::size_t{2}}) {
    ASSERT_THAT(readers(wire), SizeIs(1));
    EXPECT_EQ(readers(wire)[0].inner, nowhere);
  }
}

TEST(Drawing, CapturesAreDashed) {
  EXPECT_THAT(svg_of(choice(), infer_types(choice()), {}), HasSubstr("<path class=\"d\" d=\"M"));
  EXPECT_THAT(svg_of(chain(3, 1), infer_types(chain(3, 1)), {}), Not(HasSubstr("<path class=\"d\" d=\"M")));
}

TEST(Drawing, ABrokenRuleIsRedAtTheInnermostPlaceThatIsDrawn) {
  const Model model = choice();
  const std::vector<Diagnostic> broken{
      {"rule/a", "graph \"main\" / node \"choose\" (If) / output 0", "found", "expected"},
      {"rule/b", "graph \"main\" / node \"choose\" (If) / else_branch", "found", "expected"},
      {"rule/c", "graph \"main\" / node \"choose\" (If) / then_branch / node 0 (Identity)", "found", "expected"},
      {"rule/d", "model", "found", "expected"}};
  const Picture picture = picture_of(model, {}, broken, {});
  EXPECT_THAT(picture.panels[0].boxes[2].rules, ElementsAre("rule/a"));
  EXPECT_THAT(picture.panels[2].rules, ElementsAre("rule/b"));
  EXPECT_THAT(picture.panels[1].boxes[1].rules, ElementsAre("rule/c"));
  EXPECT_THAT(picture.elsewhere, ElementsAre(3));
  const std::string svg = svg_of(model, {}, broken);
  EXPECT_THAT(svg, AllOf(HasSubstr("class=\"x\""), HasSubstr("class=\"p x\""), HasSubstr("✗ rule/d: model: found")));
  EXPECT_THAT(svg_of(model, infer_types(model), {}), AllOf(Not(HasSubstr("class=\"x\"")), Not(HasSubstr("✗"))));
}

TEST(Drawing, AConstantIsALineInItsReadersAndABoxWhereABodyCapturesIt) {
  Model model = choice();
  Graph& main = model.graphs[0];
  const std::vector<float> two{1, 2};
  const Slot k = main.add_slot("k");
  main.constants = {{k, make_tensor<float>(ElementType::float32, {2}, two)}};
  main.nodes.push_back(node("Neg", {k}, {main.add_slot("z")}));
  const auto kinds = [&] {
    std::vector<std::string> labels;
    const Picture picture = picture_of(model, infer_types(model), {}, {});
    for (const Box& box : picture.panels[0].boxes) labels.push_back(box.label);
    return labels;
  };
  EXPECT_THAT(kinds(), ElementsAre("cond", "x", "If", "Neg", "y"));
  EXPECT_THAT(svg_of(model, infer_types(model), {}), HasSubstr(">0: float32[2] [1, 2]</text>"));
  main.nodes[0].bodies[0].captures.push_back({k, model.graphs[1].add_slot("k")});
  EXPECT_THAT(kinds(), ElementsAre("cond", "x", "k", "If", "Neg", "y"));
}

TEST(Drawing, ThePrefixOfMostNamesOfAGraphIsLeftOut) {
  Model model = chain(3, 1);
  for (const char* name : {"encoder/rnn/a", "encoder/rnn/b", "encoder/rnn/c"}) {
    static std::size_t i = 0;
    model.graphs[0].nodes[i++ % 3].name = name;
  }
  EXPECT_THAT(svg_of(model, infer_types(model), {}), AllOf(HasSubstr(">…/b</text>"), HasSubstr("Sum encoder/rnn/b")));
}

TEST(Drawing, NoNameIsMarkup) {
  const std::string evil = "</title></svg><script>x()</script>\"'&\x01\n\xFF\xEF\xBF\xBE]]>";
  Model model = choice();
  model.graphs[0].name = evil;
  for (Graph& graph : model.graphs) {
    for (SlotInfo& slot : graph.slots) slot.name = evil;
    for (Node& each : graph.nodes) each.name = each.op = each.domain = evil;
  }
  model.graphs[0].nodes[0].bodies[0].role = evil;
  const std::vector<Diagnostic> broken{{evil, evil, evil, evil}};
  const std::string svg = svg_of(model, {}, broken);
  for (const char* part : {"<script", "</svg><", "\x01", "\xFF", "\xEF\xBF\xBE", "]]>"})
    EXPECT_THAT(svg, Not(HasSubstr(part)));
  EXPECT_EQ(svg.find("</svg>"), svg.size() - 7);
  const std::string page = page_of(model, {}, broken, evil);
  EXPECT_THAT(page, AllOf(Not(HasSubstr("<script>x()")), Not(HasSubstr("</title></svg>"))));
}

TEST(Drawing, ALongNameIsShownByItsBeginningAndEnd) {
  EXPECT_EQ(shortened("abcdefghij", 10), "abcdefghij");
  EXPECT_EQ(shortened("abcdefghijk", 10), "ab…efghijk");
  EXPECT_EQ(shortened("äöüäöüäöüäö", 10), "äö…öüäöüäö");
  EXPECT_EQ(shortened("a\nb", 20), "a<U+000A>b");
  std::string huge;
  huge.resize(10'000'000, 'x');
  EXPECT_EQ(columns(shortened(huge, 20)), 20);
}

TEST(Drawing, AThousandNestedLevelsAreDrawnToTheLimitAndTheRestSummarized) {
  const Model model = nest(1000);
  const std::string svg = svg_of(model, infer_types(model), {});
  EXPECT_THAT(svg, HasSubstr(">… 1974 nodes, 1 capture</text>"));
  EXPECT_LT(svg.size(), 100'000);
  EXPECT_LT(page_of(model, infer_types(model), {}, "nest").size(), 1'000'000);
}

TEST(Drawing, ABrokenRuleBelowTheLimitIsRedWhereTheDrawingEnds) {
  std::string place = "graph \"main\"";
  for (int i = 0; i < 15; ++i) place += " / node 0 (If) / then_branch";
  const std::vector<Diagnostic> broken{{"rule/a", place, "found", "expected"}};
  const Picture picture = picture_of(nest(20), {}, broken, {});
  EXPECT_THAT(picture.elsewhere, IsEmpty());
  EXPECT_TRUE(std::ranges::any_of(
      picture.panels, [](const Panel& panel) { return !panel.drawn && panel.depth == 13 && !panel.rules.empty(); }));
}

TEST(Drawing, HugeGraphsAreCutWithASummaryOfTheRest) {
  for (const std::size_t operands : {1U, 4U, 60U}) {
    const std::string svg = svg_of(chain(20'000, operands), infer_types(chain(20'000, operands)), {});
    EXPECT_THAT(svg, HasSubstr(">… 16001 more nodes</text>"));
    EXPECT_LT(svg.size(), 8'000'000);
  }
}

TEST(Drawing, ManyInputsOperandsCapturesAndOutputsAreCutToo) {
  constexpr std::size_t many = 20'000;
  Model model = choice();
  Graph& main = model.graphs[0];
  Node sum = node("Sum", {}, {});
  for (std::size_t i = 0; i < many; ++i) {
    const Slot slot = main.add_slot("v");
    main.inputs.push_back(slot);
    sum.inputs.push_back(slot);
    main.outputs.push_back(slot);
    main.nodes[0].bodies[0].captures.push_back({slot, model.graphs[1].add_slot("v")});
  }
  main.nodes.push_back(sum);
  EXPECT_THAT(svg_of(model, infer_types(model), {}), HasSubstr(" more inputs</text>"));
  EXPECT_LT(svg_of(model, infer_types(model), {}).size(), 8'000'000);
}

TEST(Drawing, ARecursiveBodyIsDrawnOnce) {
  Model model = choice();
  Node again = model.graphs[0].nodes[0];
  again.bodies[0].captures.clear();
  again.bodies[1].captures.clear();
  again.inputs.clear();
  again.outputs.clear();
  model.graphs[1].nodes.push_back(again);
  EXPECT_LT(svg_of(model, infer_types(model), {}).size(), 8'000'000);
}

TEST(Drawing, AGraphWithoutAnythingIsAPanel) {
  EXPECT_THAT(svg_of(empty_model(1), infer_types(empty_model(1)), {}), HasSubstr(">graph main</text>"));
}

}  // namespace
}  // namespace ifcert::drawing
