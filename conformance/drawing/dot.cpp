#include <fmt/format.h>

#include <algorithm>
#include <ifcert/message.hpp>
#include <initializer_list>
#include <map>
#include <set>
#include <vector>

#include "conformance/drawing/drawing.hpp"
#include "conformance/drawing/graph_place.hpp"
#include "conformance/drawing/if_operands.hpp"
#include "conformance/drawing/known_types.hpp"
#include "conformance/drawing/shortened.hpp"
#include "conformance/drawing/unreachable_subgraphs.hpp"

namespace ifcert::drawing {
namespace {

/// Once the picture has this many boxes, a graph that was drawn before is not drawn again: subgraphs of TensorFlow Lite
/// that share others would multiply beyond what can be drawn.
constexpr std::size_t repeated_boxes = 4000;

/// The same limit, on the number of captures.
constexpr std::size_t repeated_captures = 10'000;

/// The limit for names, which are written at each of their edges.
constexpr std::size_t longest_name = 200;

std::string short_name(const std::string& name) {
  return name.size() <= longest_name ? name : shortened(name, longest_name);
}

/// A label's lines, each a text from the model.
std::string lines(std::initializer_list<std::string_view> words) {
  std::string text;
  for (const std::string_view line : words) text += printable(line) + "\n";
  text.pop_back();
  return text;
}

/// `text` is the result of lines().
std::string dot_string(std::string_view text) {
  std::string out = "\"";
  for (const char letter : text) {
    if (letter == '"' || letter == '\\') out += '\\';
    if (letter == '\n')
      out += "\\n";
    else
      out += letter;
  }
  return out + "\"";
}

/// Draws one graph inside another; every value is drawn from the place where it is produced.
class Drawing {
 public:
  Drawing(const Model& model, const SlotTypes& types, std::span<const Diagnostic> broken)
      : model_(model), broken_(broken), types_(model, types, !broken.empty()), drawn_(model.graphs.size()) {}

  std::string draw() {
    text_ =
        "digraph model {\n  rankdir=TB; compound=true; fontname=\"sans-serif\";\n"
        "  node [shape=box, style=\"rounded,filled\", fillcolor=white, fontname=\"sans-serif\", fontsize=11];\n"
        "  edge [fontname=\"sans-serif\", fontsize=9, color=gray40];\n";
    for (const Diagnostic& diagnostic : broken_) {
      text_ += fmt::format("  broken{} [label={}, color=red, fontcolor=red, shape=note];\n", notes_++,
                           dot_string(lines({diagnostic.rule, diagnostic.place, diagnostic.found})));
    }
    draw_graph(0, lines({model_.main().subgraph ? place_text(model_.main()) : "graph " + model_.main().name}),
               place_text(model_.main()), {});
    for (const Function& function : model_.functions) {
      draw_graph(function.graph, lines({"function " + function.name}), fmt::format("function \"{}\"", function.name),
                 {});
    }
    for (const GraphIndex graph : unreachable_subgraphs(model_)) {
      const std::string place = place_text(model_.graphs[graph]);
      draw_graph(graph, lines({place}), place, {});
    }
    return text_ + edges_ + "}\n";
  }

 private:
  /// The picture's node that produces a value, whether the current graph captures it, and the wire's type text: for
  /// results of bodies only, because elsewhere a box shows the type.
  struct Source {
    std::string node;
    bool captured = false;
    std::string type{};
  };
  using Sources = std::map<Slot, Source>;

  void draw_graph(GraphIndex index, const std::string& title, const std::string& place, Sources sources);
  void draw_node(GraphIndex index, std::size_t number, const std::string& place, Sources& sources);
  std::string add(const std::string& label, const std::string& attributes);
  void edge(const Source& from, const std::string& to, const std::string& label);
  bool is_broken(const std::string& place) const {
    return std::ranges::any_of(broken_, [&](const Diagnostic& diagnostic) {
      return diagnostic.place == place || diagnostic.place.starts_with(place + " / ");
    });
  }

  const Model& model_;
  std::span<const Diagnostic> broken_;
  KnownTypes types_;
  std::vector<bool> drawn_;  // for each graph
  std::string text_;
  std::string edges_;
  std::size_t nodes_ = 0;
  std::size_t captures_ = 0;
  std::size_t clusters_ = 0;
  std::size_t notes_ = 0;
};

std::string Drawing::add(const std::string& label, const std::string& attributes) {
  std::string name = fmt::format("n{}", nodes_++);
  text_ += fmt::format("  {} [label={}{}];\n", name, dot_string(label), attributes);
  return name;
}

/// Edges are written after all clusters: an edge inside a cluster would draw its outer end into it.
void Drawing::edge(const Source& from, const std::string& to, const std::string& label) {
  edges_ += fmt::format("  {} -> {} [label={}{}];\n", from.node, to, dot_string(label),
                        from.captured ? ", style=dashed, color=\"#1a73e8\"" : "");
}

void Drawing::draw_graph(GraphIndex index, const std::string& title, const std::string& place, Sources sources) {
  const Graph& graph = model_.graphs[index];
  text_ += fmt::format("  subgraph cluster{} {{\n  label={}; style=\"rounded\"; color=gray60;\n", clusters_++,
                       dot_string(title));
  if (drawn_[index] && (nodes_ >= repeated_boxes || captures_ >= repeated_captures)) {
    add("… drawn elsewhere", ", style=dashed");
    text_ += "  }\n";
    return;
  }
  drawn_[index] = true;
  for (const Slot slot : graph.inputs) {
    if (sources.contains(slot)) continue;  // an operand of TensorFlow Lite's If
    const SlotInfo& info = graph.slots[slot];
    sources[slot] = {
        add(lines({short_name(info.name), types_.text(index, slot)}), ", shape=ellipse, fillcolor=\"#e8f0fe\"")};
  }
  for (const Constant& constant : graph.constants) {
    if (sources.contains(constant.slot)) continue;
    sources[constant.slot] = {
        add(lines({short_name(graph.slots[constant.slot].name), to_string(type_of(constant.value))}),
            ", shape=box, style=filled, fillcolor=\"#f1f3f4\"")};
  }
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) draw_node(index, i, place, sources);
  for (const Slot slot : graph.outputs) {
    const std::string name = add(lines({short_name(graph.slots[slot].name), types_.text(index, slot)}),
                                 ", shape=ellipse, fillcolor=\"#e6f4ea\"");
    if (sources.contains(slot)) edge(sources[slot], name, "");
  }
  text_ += "  }\n";
}

void Drawing::draw_node(GraphIndex index, std::size_t number, const std::string& place, Sources& sources) {
  const Graph& graph = model_.graphs[index];
  const Node& node = graph.nodes[number];
  const std::string here = fmt::format("{} / {}", place, describe(graph, number));
  const std::string color = is_broken(here) ? ", color=red, penwidth=2" : "";
  const std::string name = add(node.name.empty() ? lines({node.op}) : lines({node.op, short_name(node.name)}), color);
  const std::set<Slot> handed = handed_to_bodies(node);
  for (std::size_t i = 0; i < node.inputs.size(); ++i) {
    const Slot slot = node.inputs[i];
    if (slot == no_slot || !sources.contains(slot) || (i > 0 && handed.contains(slot))) continue;
    const Source& from = sources[slot];
    edge(from, name,
         from.type.empty() ? lines({short_name(graph.slots[slot].name)})
                           : lines({short_name(graph.slots[slot].name), from.type}));
  }
  for (const Body& body : node.bodies) {
    if (!body.reference.empty() || (node.call && &body == node.bodies.data())) continue;  // drawn elsewhere
    Sources inside;
    captures_ += body.captures.size();
    for (const Capture& capture : body.captures) {
      if (sources.contains(capture.outer))
        inside[capture.inner] = {sources[capture.outer].node, true, sources[capture.outer].type};
    }
    const std::size_t cluster = clusters_;
    const std::size_t before = nodes_;
    const Graph& drawn = model_.graphs[body.graph];
    if (drawn.subgraph)
      draw_graph(body.graph, lines({body.role, place_text(drawn)}), place_text(drawn), std::move(inside));
    else
      draw_graph(body.graph, lines({body.role}), fmt::format("{} / {}", here, body.role), std::move(inside));
    // From the body's last value to the node, so that bodies are above the node that returns their outputs.
    if (nodes_ > before)
      edges_ += fmt::format("  n{} -> {} [style=dotted, ltail=cluster{}];\n", nodes_ - 1, name, cluster);
  }
  for (const Slot slot : node.outputs) {
    if (slot != no_slot) sources[slot] = {name, false, node.bodies.empty() ? "" : types_.text(index, slot)};
  }
}

}  // namespace

std::string dot_of(const Model& model, const SlotTypes& types, std::span<const Diagnostic> broken) {
  return Drawing(model, types, broken).draw();
}

}  // namespace ifcert::drawing
