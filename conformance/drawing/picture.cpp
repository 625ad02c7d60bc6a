#include "conformance/drawing/picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <variant>

#include "conformance/drawing/constant_text.hpp"
#include "conformance/drawing/graph_place.hpp"
#include "conformance/drawing/if_operands.hpp"
#include "conformance/drawing/known_types.hpp"
#include "conformance/drawing/node_counts.hpp"
#include "conformance/drawing/shortened.hpp"
#include "conformance/drawing/unreachable_subgraphs.hpp"

namespace ifcert::drawing {
namespace {

constexpr std::size_t label_columns = 26;
constexpr std::size_t note_columns = 34;
constexpr std::size_t title_columns = 300;
constexpr std::size_t notes_limit = 6;

/// A diagnostic, and the rest of its place from here on.
struct Pointer {
  std::size_t diagnostic = 0;
  std::string_view rest;
};

/// Those of the pointers that lead into `step`, each with the rest of its path.
std::vector<Pointer> followed(std::span<const Pointer> pointers, std::string_view step) {
  std::vector<Pointer> found;
  for (const Pointer& pointer : pointers) {
    if (!pointer.rest.starts_with(step)) continue;
    const std::string_view rest = pointer.rest.substr(step.size());
    if (rest.empty()) found.push_back({pointer.diagnostic, rest});
    if (rest.starts_with(" / ")) found.push_back({pointer.diagnostic, rest.substr(3)});
  }
  return found;
}

std::string broken_text(const Diagnostic& diagnostic) {
  return fmt::format("\n✗ {}: {}; expected: {}", shortened(diagnostic.rule, title_columns),
                     shortened(diagnostic.found, title_columns), shortened(diagnostic.expected, title_columns));
}

/// Goes through the graphs from the outside in, so that the deepest parts are left out first.
class Painter {
 public:
  Painter(const Model& model, const SlotTypes& types, std::span<const Diagnostic> broken, const PictureLimits& limits)
      : model_(model),
        broken_(broken),
        limits_(limits),
        counts_(model),
        types_(model, types, !broken.empty()),
        entered_(model.graphs.size()) {}

  Picture paint();

 private:
  /// A panel whose boxes are still to be made.
  struct Waiting {
    GraphIndex graph = 0;
    std::vector<Pointer> pointers;
    const Body* body = nullptr;
    std::vector<std::size_t> outer_wires;      // for each capture of the body, in the panel around it
    std::vector<std::string_view> prefixes{};  // see find_prefix: of this graph, then of those around it
  };

  void add_top(GraphIndex graph, std::string label, const std::string& place);
  void add_subgraphs();
  std::vector<Pointer> pointers_to(std::string_view place) const;
  void paint_panel(std::size_t index);
  void add_inputs(std::size_t index);
  void add_captures(std::size_t index);
  void add_constants(std::size_t index);
  void add_node(std::size_t index, std::size_t number);
  void add_operands(std::size_t index, std::size_t box, const Node& node);
  void add_bodies(std::size_t index, std::size_t box, const Node& node, std::span<const Pointer> pointers);
  void add_body(std::size_t index, std::size_t box, const Body& body, std::span<const Pointer> pointers);
  void add_outputs(std::size_t index);
  std::size_t add_box(Panel& panel, Box box);
  void add_rest(Panel& panel, std::size_t count, std::string_view what);
  std::size_t add_wire(Panel& panel, std::size_t box, Slot slot);
  bool read(Panel& panel, Slot slot, std::size_t box);
  void find_constants();
  void find_captured(const Body* body);
  bool folded(Slot slot) const { return constants_[slot].known() && !apart_[slot]; }
  void point_out();
  void find_prefix(std::size_t index);
  std::string label_of(std::string_view name) const;
  std::string type_text(Slot slot) const;
  std::string value_title(Slot slot) const;
  bool room() const { return boxes_ < limits_.boxes; }

  const Model& model_;
  std::span<const Diagnostic> broken_;
  const PictureLimits& limits_;
  NodeCounts counts_;
  KnownTypes types_;
  Picture picture_;
  std::vector<Waiting> waiting_;                              // one for each panel
  std::vector<bool> entered_;                                 // for each graph: whether it is the body of a drawn node
  std::vector<std::pair<std::size_t, std::size_t>> nearest_;  // for each diagnostic: the panel, and the box there
  std::size_t boxes_ = 0;
  std::size_t readers_ = 0;

  // Of the current panel.
  GraphIndex graph_index_ = 0;
  const Graph* graph_ = nullptr;
  std::vector<std::size_t> wire_of_;      // for each slot
  std::vector<KnownConstant> constants_;  // for each slot
  std::vector<bool> apart_;               // for each slot: has a box of its own even if it is a constant
  std::vector<bool> captured_;            // for each slot: whether its value comes from outside the body
  std::vector<Pointer> pointers_;
  std::vector<std::string_view> prefixes_;
};

std::string Painter::type_text(Slot slot) const {
  std::string text = types_.text(graph_index_, slot);
  return text == "?" ? "" : text;
}

std::string Painter::value_title(Slot slot) const {
  const std::string type = type_text(slot);
  const std::string name = shortened(graph_->slots[slot].name, title_columns);
  return shortened(type.empty() ? name : fmt::format("{}: {}", name, type), 2 * title_columns);
}

/// Exporters write whole paths into every name, so a prefix that most names of a graph have is not shown in its
/// picture.
void Painter::find_prefix(std::size_t index) {
  constexpr std::size_t sample = 200;
  std::vector<std::string_view> names;
  for (const Node& node : graph_->nodes) {
    if (!node.name.empty() && !is_constant(node) && names.size() < sample) names.push_back(node.name);
  }
  std::vector<std::string_view>& prefixes = waiting_[index].prefixes;
  if (names.size() > 1) {
    std::ranges::sort(names);
    const std::string_view usual = names[names.size() / 2];  // it has the prefix, whatever most of them begin with
    std::string_view prefix;
    for (std::size_t end = usual.find('/'); end != std::string_view::npos; end = usual.find('/', end + 1)) {
      const std::string_view longer = usual.substr(0, end + 1);
      const auto with = std::ranges::count_if(names, [&](std::string_view name) { return name.starts_with(longer); });
      if (static_cast<std::size_t>(with) * 4 < names.size() * 3) break;
      prefix = longer;
    }
    if (prefix.size() > 1) prefixes.insert(prefixes.begin(), prefix);
  }
  prefixes_ = prefixes;
}

std::string Painter::label_of(std::string_view name) const {
  for (const std::string_view prefix : prefixes_) {
    if (name.size() > prefix.size() && name.starts_with(prefix)) {
      return "…" + shortened(name.substr(prefix.size() - 1), label_columns - 1);
    }
  }
  return shortened(name, label_columns);
}

Picture Painter::paint() {
  nearest_.assign(broken_.size(), {nowhere, nowhere});
  const Graph& main = model_.main();
  add_top(0, fmt::format("{} {}", main.subgraph ? "subgraph" : "graph", shortened(main.name, label_columns)),
          place_text(main));
  for (const Function& function : model_.functions) {
    add_top(function.graph, fmt::format("function {}", shortened(function.name, label_columns)),
            fmt::format("function \"{}\"", function.name));
  }
  for (std::size_t i = 0; i < picture_.panels.size(); ++i) paint_panel(i);
  add_subgraphs();
  point_out();
  return std::move(picture_);
}

/// The primary subgraph and the subgraphs it enters come first, then those it does not enter, each with those it
/// enters.
void Painter::add_subgraphs() {
  for (const GraphIndex graph : unreachable_subgraphs(model_)) {
    if (!room()) return;
    ++boxes_;  // an empty panel also takes space
    const std::string name = shortened(model_.graphs[graph].name, label_columns);
    std::size_t next = picture_.panels.size();
    add_top(graph, name.empty() ? fmt::format("subgraph {}", graph) : fmt::format("subgraph {}", name),
            place_text(model_.graphs[graph]));
    for (; next < picture_.panels.size(); ++next) paint_panel(next);
  }
}

/// A diagnostic belongs to the innermost drawn element on the path of its place.
void Painter::point_out() {
  for (std::size_t i = 0; i < nearest_.size(); ++i) {
    const auto [panel, box] = nearest_[i];
    if (panel == nowhere) {
      picture_.elsewhere.push_back(i);
      continue;
    }
    Panel& outer = picture_.panels[panel];
    (box == nowhere ? outer.broken : outer.boxes[box].broken).push_back(i);
    (box == nowhere ? outer.title : outer.boxes[box].title) += broken_text(broken_[i]);
    std::vector<std::string>& rules = box == nowhere ? outer.rules : outer.boxes[box].rules;
    const std::string rule = shortened(broken_[i].rule, note_columns);
    if (rules.size() < notes_limit && std::ranges::find(rules, rule) == rules.end()) rules.push_back(rule);
  }
}

/// The diagnostics whose place begins with that of a graph.
std::vector<Pointer> Painter::pointers_to(std::string_view place) const {
  std::vector<Pointer> all;
  for (std::size_t i = 0; i < broken_.size(); ++i) all.push_back({i, broken_[i].place});
  return followed(all, place);
}

void Painter::add_top(GraphIndex graph, std::string label, const std::string& place) {
  Panel panel;
  panel.label = std::move(label);
  picture_.panels.push_back(std::move(panel));
  waiting_.push_back({graph, pointers_to(place), nullptr, {}});
  for (const Pointer& pointer : waiting_.back().pointers) {
    nearest_[pointer.diagnostic] = {picture_.panels.size() - 1, nowhere};
  }
}

void Painter::paint_panel(std::size_t index) {
  graph_index_ = waiting_[index].graph;
  graph_ = &model_.graphs[graph_index_];
  pointers_ = waiting_[index].pointers;
  Panel& panel = picture_.panels[index];
  panel.summary = count_text(counts_.of(graph_index_));
  if (waiting_[index].body != nullptr) {
    const std::size_t captures = waiting_[index].body->captures.size();
    panel.summary += fmt::format(", {} capture{}", captures, captures == 1 ? "" : "s");
  }
  panel.drawn = panel.depth <= limits_.depth && room();
  if (panel.drawn) {
    wire_of_.assign(graph_->slots.size(), nowhere);
    find_prefix(index);
    find_constants();
    find_captured(waiting_[index].body);
    add_inputs(index);
    add_captures(index);
    add_constants(index);
    for (std::size_t i = 0; i < graph_->nodes.size(); ++i) {
      if (!room()) {
        add_rest(picture_.panels[index], graph_->nodes.size() - i, "node");
        break;
      }
      add_node(index, i);
    }
    add_outputs(index);
  } else if (panel.owner != nowhere) {
    Panel& outer = picture_.panels[panel.owner];
    for (const std::size_t wire : waiting_[index].outer_wires) {
      if (wire == nowhere || readers_++ >= limits_.readers) continue;
      outer.wires[wire].readers.push_back({panel.owner_box, outer.boxes[panel.owner_box].in++, index, nowhere});
    }
  }
}

/// A constant that only nodes of this graph read is a line in each of them; one that a body captures, or that is an
/// output, has a box of its own.
void Painter::find_constants() {
  constants_.assign(graph_->slots.size(), {});
  apart_.assign(graph_->slots.size(), false);
  for (const Constant& constant : graph_->constants) constants_[constant.slot].constant = &constant;
  for (std::size_t i = 0; i < graph_->nodes.size(); ++i) {
    const Node& node = graph_->nodes[i];
    if (!is_constant(node)) continue;
    constants_[node.outputs[0]].node = &node;
    apart_[node.outputs[0]] = !pointers_.empty() && !followed(pointers_, describe(*graph_, i)).empty();
  }
  for (const Slot slot : graph_->inputs) apart_[slot] = true;
  for (const Slot slot : graph_->outputs) {
    if (slot != no_slot) apart_[slot] = true;
  }
  for (const Node& node : graph_->nodes) {
    for (const Body& body : node.bodies) {
      if (!body.reference.empty() || (node.call && &body == node.bodies.data())) continue;
      for (const Capture& capture : body.captures) {
        if (capture.outer != no_slot) apart_[capture.outer] = true;
      }
    }
  }
}

/// The inputs of an If's subgraph in TensorFlow Lite are the values of its operands.
void Painter::find_captured(const Body* body) {
  captured_.assign(graph_->slots.size(), false);
  if (body == nullptr) return;
  for (const Capture& capture : body->captures) {
    if (capture.inner != no_slot) captured_[capture.inner] = true;
  }
}

std::size_t Painter::add_box(Panel& panel, Box box) {
  ++boxes_;
  panel.boxes.push_back(std::move(box));
  return panel.boxes.size() - 1;
}

void Painter::add_rest(Panel& panel, std::size_t count, std::string_view what) {
  Box box;
  box.kind = Box::Kind::rest;
  box.label = fmt::format("… {} more {}{}", count, what, count == 1 ? "" : "s");
  box.title = "left out: the picture would be too large to read";
  add_box(panel, std::move(box));
}

std::size_t Painter::add_wire(Panel& panel, std::size_t box, Slot slot) {
  Wire wire;
  wire.box = box;
  wire.port = panel.boxes[box].out++;
  wire.name = shortened(graph_->slots[slot].name, title_columns);
  wire.title = value_title(slot);
  panel.wires.push_back(std::move(wire));
  wire_of_[slot] = panel.wires.size() - 1;
  return wire_of_[slot];
}

bool Painter::read(Panel& panel, Slot slot, std::size_t box) {
  if (slot == no_slot || wire_of_[slot] == nowhere || readers_ >= limits_.readers) return false;
  ++readers_;
  panel.wires[wire_of_[slot]].readers.push_back({box, panel.boxes[box].in++, nowhere, nowhere});
  return true;
}

void Painter::add_inputs(std::size_t index) {
  Panel& panel = picture_.panels[index];
  for (std::size_t i = 0; i < graph_->inputs.size(); ++i) {
    if (!room()) return add_rest(panel, graph_->inputs.size() - i, "input");
    const Slot slot = graph_->inputs[i];
    if (captured_[slot]) continue;
    Box box;
    box.kind = Box::Kind::input;
    box.label = label_of(graph_->slots[slot].name);
    if (const std::string type = type_text(slot); !type.empty()) box.notes.push_back(shortened(type, note_columns));
    if (constants_[slot].known()) box.notes.push_back(shortened("default " + constants_[slot].text(), note_columns));
    box.title = "input " + value_title(slot);
    add_wire(panel, add_box(panel, std::move(box)), slot);
  }
}

void Painter::add_captures(std::size_t index) {
  const Waiting& waiting = waiting_[index];
  if (waiting.body == nullptr) return;
  Panel& panel = picture_.panels[index];
  for (std::size_t i = 0; i < waiting.outer_wires.size(); ++i) {
    if (!room()) return add_rest(panel, waiting.outer_wires.size() - i, "capture");
    const Slot slot = waiting.body->captures[i].inner;
    if (slot == no_slot) continue;
    Box box;
    box.kind = Box::Kind::capture;
    box.label = label_of(graph_->slots[slot].name);
    box.title = "captured from the outer scope: " + value_title(slot);
    const std::size_t inner = add_box(panel, std::move(box));
    add_wire(panel, inner, slot);
    if (waiting.outer_wires[i] == nowhere || readers_++ >= limits_.readers) continue;
    Panel& outer = picture_.panels[panel.owner];
    outer.wires[waiting.outer_wires[i]].readers.push_back({panel.owner_box, 0, index, inner});
  }
}

void Painter::add_constants(std::size_t index) {
  Panel& panel = picture_.panels[index];
  for (std::size_t i = 0; i < graph_->constants.size(); ++i) {
    const Constant& constant = graph_->constants[i];
    if (folded(constant.slot) || wire_of_[constant.slot] != nowhere) continue;
    if (!room()) return add_rest(panel, graph_->constants.size() - i, "constant");
    Box box;
    box.kind = Box::Kind::constant;
    box.label = label_of(graph_->slots[constant.slot].name);
    box.notes.push_back(shortened(text_of_constant(constant.value), note_columns));
    box.title = "constant " + value_title(constant.slot);
    add_wire(panel, add_box(panel, std::move(box)), constant.slot);
  }
}

void Painter::add_node(std::size_t index, std::size_t number) {
  const Node& node = graph_->nodes[number];
  if (is_constant(node) && folded(node.outputs[0])) return;
  const std::vector<Pointer> pointers = followed(pointers_, describe(*graph_, number));
  Panel& panel = picture_.panels[index];
  Box box;
  box.label = shortened(node.op, label_columns);
  box.name = label_of(node.name.empty() && is_constant(node) ? graph_->slots[node.outputs[0]].name : node.name);
  box.title = fmt::format("{}{}{} {}", shortened(node.domain, label_columns), node.domain.empty() ? "" : ".",
                          shortened(node.op, title_columns), shortened(node.name, title_columns));
  for (const Slot slot : node.outputs) {
    if (slot != no_slot && box.title.size() < 2000) box.title += "\n→ " + value_title(slot);
  }
  if (is_constant(node)) box.notes.push_back(shortened(constants_[node.outputs[0]].text(), note_columns));
  const std::size_t at = add_box(panel, std::move(box));
  add_operands(index, at, node);
  for (const Slot slot : node.outputs) {
    if (slot == no_slot) continue;
    add_wire(panel, at, slot);
  }
  for (const Pointer& pointer : pointers) nearest_[pointer.diagnostic] = {index, at};
  add_bodies(index, at, node, pointers);  // last: it may move the panels
}

void Painter::add_operands(std::size_t index, std::size_t box, const Node& node) {
  Panel& panel = picture_.panels[index];
  std::vector<std::string>& notes = panel.boxes[box].notes;
  const std::set<Slot> handed = handed_to_bodies(node);
  std::size_t left_out = 0;
  for (std::size_t i = 0; i < node.inputs.size(); ++i) {
    const Slot slot = node.inputs[i];
    if (i > 0 && handed.contains(slot)) continue;
    if (slot == no_slot || read(panel, slot, box) || !folded(slot)) continue;
    const std::string text = constants_[slot].text();
    if (notes.size() < notes_limit)
      notes.push_back(shortened(fmt::format("{}: {}", i, text), note_columns));
    else
      ++left_out;
    if (panel.boxes[box].title.size() < 2000)
      panel.boxes[box].title += fmt::format("\n{}: {} = {}", i, shortened(graph_->slots[slot].name, title_columns),
                                            shortened(text, title_columns));
  }
  if (left_out > 0) notes.push_back(fmt::format("… {} more constants", left_out));
}

void Painter::add_bodies(std::size_t index, std::size_t box, const Node& node, std::span<const Pointer> pointers) {
  for (std::size_t i = 0; i < node.bodies.size(); ++i) {
    const Body& body = node.bodies[i];
    if (node.call && i == 0) continue;  // the function is drawn on its own
    if (!body.reference.empty()) {
      picture_.panels[index].boxes[box].notes.push_back(
          shortened(fmt::format("{}: the call's {}", body.role, body.reference), note_columns));
    } else if (picture_.panels[index].boxes[box].bodies.size() < notes_limit) {
      add_body(index, box, body, pointers);
    } else {
      picture_.panels[index].boxes[box].notes.push_back(fmt::format("… {} more bodies", node.bodies.size() - i));
      return;
    }
  }
}

void Painter::add_body(std::size_t index, std::size_t box, const Body& body, std::span<const Pointer> pointers) {
  Panel panel;
  panel.label = shortened(body.role, label_columns);
  panel.owner = index;
  panel.owner_box = box;
  panel.depth = picture_.panels[index].depth + 1;
  Waiting waiting{body.graph, followed(pointers, body.role), &body, {}, prefixes_};
  const Graph& inner = model_.graphs[body.graph];
  if (inner.subgraph) {
    const std::string place = place_text(inner);
    panel.title = shortened(place, title_columns);
    if (!entered_[body.graph]) {  // a rule that it breaks is red where it is drawn first
      entered_[body.graph] = true;
      const std::vector<Pointer> own = pointers_to(place);
      waiting.pointers.insert(waiting.pointers.end(), own.begin(), own.end());
    }
  }
  for (const Pointer& pointer : waiting.pointers) nearest_[pointer.diagnostic] = {picture_.panels.size(), nowhere};
  for (const Capture& capture : body.captures) {
    waiting.outer_wires.push_back(capture.outer == no_slot ? nowhere : wire_of_[capture.outer]);
  }
  picture_.panels[index].boxes[box].bodies.push_back(picture_.panels.size());
  picture_.panels.push_back(std::move(panel));
  waiting_.push_back(std::move(waiting));
}

void Painter::add_outputs(std::size_t index) {
  Panel& panel = picture_.panels[index];
  for (std::size_t i = 0; i < graph_->outputs.size(); ++i) {
    if (!room()) return add_rest(panel, graph_->outputs.size() - i, "output");
    const Slot slot = graph_->outputs[i];
    Box box;
    box.kind = Box::Kind::output;
    box.label = slot == no_slot ? "?" : label_of(graph_->slots[slot].name);
    if (slot != no_slot) {
      if (const std::string type = type_text(slot); !type.empty()) box.notes.push_back(shortened(type, note_columns));
      box.title = "output " + value_title(slot);
    }
    const std::size_t at = add_box(panel, std::move(box));
    if (slot != no_slot) read(panel, slot, at);
  }
}

}  // namespace

Picture picture_of(const Model& model, const SlotTypes& types, std::span<const Diagnostic> broken,
                   const PictureLimits& limits) {
  return Painter(model, types, broken, limits).paint();
}

}  // namespace ifcert::drawing
