#include "conformance/fuzz/generator/features.hpp"

#include <algorithm>
#include <ifcert/reference.hpp>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "conformance/fuzz/generator/feature_parts.hpp"
#include "model/node_kind.hpp"

namespace ifcert::generator {
namespace {

consteval std::size_t number_of(std::string_view name) {
  return static_cast<std::size_t>(std::ranges::find(feature_names, name) - feature_names.begin());
}

template <std::size_t n>
struct Name {
  consteval Name(const char (&text)[n]) { std::copy_n(text, n, letters); }
  char letters[n];
};

/// The origin of a value. `folded`: computed from constants only; `parameter`: an input of a function; `carried`: an
/// input of the body of a loop.
enum class Origin : std::uint8_t {
  computed,
  input,
  default_input,
  initializer,
  constant,
  folded,
  if_output,
  presence,
  parameter,
  carried
};

struct Seen {
  Origin origin = Origin::computed;
  const Value* value = nullptr;  // of a constant
  bool compares_edges = false;   // it is a comparison with an edge value
  std::size_t levels = 0;        // graphs between the value's and this one, plus one; 0 for a graph's own values
  std::size_t conds = 0;         // Ifs of which it is the cond
  bool into_passed = false;      // captured by a graph that a call passes
};

/// The values of a graph that have been seen, the captured ones too.
using Values = std::map<Slot, Seen>;

/// The bodies that enclose a graph.
struct Nesting {
  std::size_t ifs = 0;
  std::size_t loops = 0;  // of all kinds
  std::set<NodeKind> kinds = {};
  bool in_function = false;
  bool in_passed = false;      // in a graph that a call passes
  bool without_trips = false;  // in a loop that makes none
  bool constant_cond = false;  // in a branch of an If with a constant cond

  bool is_body() const { return ifs + loops > 0 || in_passed; }
};

bool is_constant(Origin origin) {
  return origin == Origin::initializer || origin == Origin::constant || origin == Origin::folded;
}

/// Whether a bool is known to be that, or a number to be that.
bool is_known(const Seen& seen, std::int64_t number) {
  const Tensor* tensor = seen.value == nullptr ? nullptr : seen.value->tensor();
  if (tensor == nullptr || tensor->count() != 1) return false;
  if (tensor->type == ElementType::boolean) return tensor->elements<std::uint8_t>()[0] == number;
  return tensor->type == ElementType::int64 && tensor->elements<std::int64_t>()[0] == number;
}

/// The attributes and graphs without a default that a call leaves out.
std::size_t left_out_attributes(const Function& function, const Node& call) {
  return static_cast<std::size_t>(std::ranges::count_if(function.required, [&](const std::string& name) {
    return !call.attributes.contains(name) && std::ranges::count(call.bodies, name, &Body::role) == 0;
  }));
}

class Walk {
 public:
  explicit Walk(const Generated& generated) : model_(generated.model), types_(infer_types(generated.model)) {
    walk(0, {}, {});
    for (const Function& function : model_.functions) walk(function.graph, {.in_function = true}, {});
    see_names();
    see_order();
    see_runs(generated);
    see_taken_branches(generated);
  }

  Features features() const { return features_; }

 private:
  template <Name name>
  void see(bool is_there = true) {
    constexpr std::size_t number = number_of(name.letters);
    static_assert(number < feature_names.size(), "the feature is not listed");
    if (is_there) features_.set(number);
  }

  void walk(GraphIndex index, const Nesting& nesting, Values seen);
  void see_returned(const Graph& graph, Values& seen);
  void see_node(GraphIndex index, const Node& node, const Nesting& nesting, Values& seen);
  void see_bodies(const Node& node, NodeKind kind, const Nesting& nesting, Values& seen);
  void see_if(GraphIndex index, const Node& node, const Nesting& nesting, Values& seen);
  void see_cond(GraphIndex index, Slot slot, Seen& seen);
  void see_branches(const Node& node);
  void see_difference(const Graph& first, const Graph& second);
  void see_outputs(GraphIndex index, const Node& node);
  void see_readers(const Graph& graph, Slot slot);
  void see_reader(const Node& node, Slot slot);
  void see_loop(NodeKind kind, const Node& node, const Nesting& nesting, Values& seen);
  void see_trips(const Node& node, Values& seen);
  void see_call(const Node& node, const Nesting& nesting);
  void see_operands(const Node& node);
  void see_capture(const Seen& captured);
  void see_names();
  void see_order();
  void see_runs(const Generated& generated);
  void see_fed(const Generated& generated, const std::vector<Value>& run);
  void see_taken_branches(const Generated& generated);
  bool has_if(GraphIndex index) const;
  const Function& function_of(const Node& call) const;
  static Seen made_by(const Node& node, Values& seen);

  const Model& model_;
  std::vector<std::vector<Type>> types_;
  std::map<GraphIndex, std::size_t> operands_;  // of the last call of each function
  Features features_;
};

void Walk::walk(GraphIndex index, const Nesting& nesting, Values seen) {
  const Graph& graph = model_.graphs[index];
  const bool is_function = nesting.in_function && !nesting.is_body();
  for (const Slot slot : graph.inputs)
    seen[slot].origin = nesting.is_body() ? Origin::carried : is_function ? Origin::parameter : Origin::input;
  for (const Constant& constant : graph.constants) {
    Seen& value = seen[constant.slot];
    const bool is_default = value.origin == Origin::input;
    value.origin = is_default ? Origin::default_input : Origin::initializer;
    value.value = is_default ? nullptr : &constant.value;
    see<"shapes: no elements">(constant.value.tensor()->count() == 0);
  }
  for (const Node& node : graph.nodes) see_node(index, node, nesting, seen);
  if (nesting.is_body()) see_returned(graph, seen);
}

/// An Identity of an outer value, as the output of a branch, is the certainly legal way to return one.
void Walk::see_returned(const Graph& graph, Values& seen) {
  std::set<Slot> sources;
  see<"returned: several values">(graph.outputs.size() > 1);
  for (const Slot slot : graph.outputs) {
    const Slot source = source_of(graph, slot);
    const Seen& value = seen[source];
    see<"returned: one value twice">(!sources.insert(source).second);
    see<"returned: an outer value">(value.levels > 0);
    if (value.levels > 0) continue;
    see<"returned: a computed value">(value.origin == Origin::computed);
    see<"returned: its own initializer">(value.origin == Origin::initializer);
    see<"returned: its own Constant">(value.origin == Origin::constant);
    see<"returned: output of another If">(value.origin == Origin::if_output);
  }
}

Seen Walk::made_by(const Node& node, Values& seen) {
  if (is_if(node)) return {.origin = Origin::if_output};
  if (node.op == "OptionalHasElement") return {.origin = Origin::presence};
  if (node.op == "Constant") {
    const auto value = node.attributes.find("value");
    const bool has_value = value != node.attributes.end();
    return {.origin = Origin::constant, .value = has_value ? std::get_if<Value>(&value->second) : nullptr};
  }
  if (!node.bodies.empty() || node.inputs.empty()) return {};
  const auto from_constant = [&](Slot slot) { return slot == no_slot || is_constant(seen[slot].origin); };
  const bool compares = node.op == "Less" || node.op == "Greater" || node.op == "Equal";
  const auto is_edge = [&](Slot slot) { return seen[slot].value != nullptr && has_edge(*seen[slot].value); };
  return {.origin = std::ranges::all_of(node.inputs, from_constant) ? Origin::folded : Origin::computed,
          .compares_edges = compares && std::ranges::any_of(node.inputs, is_edge)};
}

void Walk::see_node(GraphIndex index, const Node& node, const Nesting& nesting, Values& seen) {
  for (const Slot slot : node.inputs) {
    if (slot != no_slot) see_capture(seen[slot]);
  }
  see<"trips: a node that would fail">(would_fail(model_.graphs[index], node));
  const NodeKind kind = node_kind(node, Format::onnx);
  if (kind == NodeKind::if_) see_if(index, node, nesting, seen);
  if (is_loop(kind)) see_loop(kind, node, nesting, seen);
  if (kind == NodeKind::call) see_call(node, nesting);
  const Seen made = made_by(node, seen);
  for (const Slot slot : node.outputs) seen[slot] = made;
  if (kind != NodeKind::operation) see_bodies(node, kind, nesting, seen);
}

void Walk::see_bodies(const Node& node, NodeKind kind, const Nesting& nesting, Values& seen) {
  Nesting inside = nesting;
  if (kind == NodeKind::if_) ++inside.ifs;
  if (is_loop(kind)) ++inside.loops;
  inside.in_passed = nesting.in_passed || kind == NodeKind::call;
  inside.kinds.insert(kind);
  if (kind == NodeKind::loop) {
    inside.without_trips = nesting.without_trips || (node.inputs[0] != no_slot && is_known(seen[node.inputs[0]], 0)) ||
                           (node.inputs[1] != no_slot && is_known(seen[node.inputs[1]], 0));
  }
  if (kind == NodeKind::if_) inside.constant_cond = nesting.constant_cond || seen[node.inputs[0]].value != nullptr;
  for (std::size_t i = kind == NodeKind::call ? 1 : 0; i < node.bodies.size(); ++i) {
    const Body& body = node.bodies[i];
    if (!body.reference.empty()) continue;
    Values captured;
    for (const Capture& capture : body.captures) {
      Seen value = seen[capture.outer];
      ++value.levels;
      value.into_passed = value.into_passed || kind == NodeKind::call;
      captured.emplace(capture.inner, value);
    }
    walk(body.graph, inside, std::move(captured));
  }
}

void Walk::see_capture(const Seen& captured) {
  if (captured.levels == 0) return;
  see<"capture: of the graph around">(captured.levels == 1);
  see<"capture: through one graph">(captured.levels == 2);
  see<"capture: through two graphs">(captured.levels == 3);
  see<"capture: through three graphs or more">(captured.levels > 3);
  see<"capture: into a passed graph">(captured.into_passed);
  see<"capture: of an input">(captured.origin == Origin::input || captured.origin == Origin::default_input);
  see<"capture: of an initializer">(captured.origin == Origin::initializer);
  see<"capture: of the output of an If">(captured.origin == Origin::if_output);
}

void Walk::see_cond(GraphIndex index, Slot slot, Seen& seen) {
  see<"cond: fed">(seen.origin == Origin::input);
  see<"cond: an initializer">(seen.origin == Origin::initializer);
  see<"cond: an overridable initializer">(seen.origin == Origin::default_input);
  see<"cond: a Constant">(seen.origin == Origin::constant);
  see<"cond: computed from constants">(seen.origin == Origin::folded);
  see<"cond: computed from values">(seen.origin == Origin::computed);
  see<"cond: edge values compared">(seen.compares_edges);
  see<"cond: output of an If">(seen.origin == Origin::if_output);
  see<"cond: OptionalHasElement">(seen.origin == Origin::presence);
  see<"cond: captured">(seen.levels > 0);
  see<"cond: carried by a loop">(seen.origin == Origin::carried);
  see<"cond: an input of a function">(seen.origin == Origin::parameter);
  const Graph& graph = model_.graphs[index];
  const auto is_cond = [&](Slot output) { return source_of(graph, output) == source_of(graph, slot); };
  see<"cond: a graph output as well">(std::ranges::any_of(graph.outputs, is_cond));
  const std::optional<Shape>& shape = types_[index][slot].shape;
  see<"shapes: cond has an axis">(shape && !shape->empty());
  see<"cond: of several Ifs">(++seen.conds > 1);
}

void Walk::see_if(GraphIndex index, const Node& node, const Nesting& nesting, Values& seen) {
  see<"place: a branch">(nesting.ifs > 0);
  see<"place: a branch, three deep">(nesting.ifs > 1);
  see<"place: Loop">(nesting.kinds.contains(NodeKind::loop));
  see<"place: Scan">(nesting.kinds.contains(NodeKind::scan));
  see<"place: SequenceMap">(nesting.kinds.contains(NodeKind::sequence_map));
  see<"place: a function">(nesting.in_function);
  see<"place: a graph passed by a call">(nesting.in_passed);
  see<"place: a loop without trips">(nesting.without_trips);
  see<"place: a branch of a constant cond">(nesting.constant_cond);
  see_cond(index, node.inputs[0], seen[node.inputs[0]]);
  const bool is_passed_branches = !node.bodies[0].reference.empty();
  see<"call: passes branches into a loop">(is_passed_branches && nesting.loops > 0);
  if (!is_passed_branches) see_branches(node);
  see_outputs(index, node);
}

void Walk::see_branches(const Node& node) {
  const Graph& first = model_.graphs[node.bodies[0].graph];
  const Graph& second = model_.graphs[node.bodies[1].graph];
  std::set<std::string_view> values;
  std::set<std::string_view> nodes;
  for (const Node& each : first.nodes) {
    values.insert(first.slots[each.outputs[0]].name);
    nodes.insert(each.name);
  }
  for (const Node& each : second.nodes) {
    see<"identity: siblings share a value's name">(values.contains(second.slots[each.outputs[0]].name));
    see<"identity: siblings share a node's name">(!each.name.empty() && nodes.contains(each.name));
  }
  see<"identity: graphs share a name">(first.name == second.name);
  see_difference(first, second);
  for (std::size_t i = 0; i < first.outputs.size(); ++i) {
    const Type& a = types_[node.bodies[0].graph][first.outputs[i]];
    const Type& b = types_[node.bodies[1].graph][second.outputs[i]];
    if (!a.is_tensor() || !b.is_tensor() || !a.shape || !b.shape || a.shape == b.shape) continue;
    see<"shapes: other lengths">(a.shape->size() == b.shape->size());
    see<"shapes: other ranks">(a.shape->size() != b.shape->size());
  }
}

void Walk::see_difference(const Graph& first, const Graph& second) {
  const std::optional<Difference> difference = only_difference(first, second);
  see<"identity: siblings differ in bytes alone">(difference == Difference::bytes);
  see<"identity: siblings differ in shape alone">(difference == Difference::shape);
  see<"identity: siblings differ in type alone">(difference == Difference::type);
  see<"identity: siblings differ in an attribute alone">(difference == Difference::attribute);
  see<"identity: siblings differ in a name alone">(difference == Difference::name);
}

void Walk::see_outputs(GraphIndex index, const Node& node) {
  using enum ElementType;
  for (const Slot slot : node.outputs) {
    const Type& type = types_[index][slot];
    see<"types: sequence">(type.kind == Type::Kind::sequence);
    see<"types: optional">(type.kind == Type::Kind::optional);
    see<"types: strings">(type.is_tensor() && type.element == string);
    const bool has_arithmetic = type.element == float32 || type.element == int32 || type.element == int64 ||
                                type.element == boolean || type.element == string || type.element == undefined;
    see<"types: bits without arithmetic">(type.is_tensor() && !has_arithmetic);
    see_readers(model_.graphs[index], slot);
  }
}

void Walk::see_readers(const Graph& graph, Slot slot) {
  const bool is_output = std::ranges::count(graph.outputs, slot) > 0;
  see<"reads: an output of the graph">(is_output);
  bool is_read = is_output;
  for (const Node& node : graph.nodes) {
    const bool captures = std::ranges::any_of(
        node.bodies, [&](const Body& body) { return std::ranges::count(body.captures, slot, &Capture::outer) > 0; });
    if (!captures && std::ranges::count(node.inputs, slot) == 0) continue;
    is_read = true;
    see_reader(node, slot);
    if (!captures) continue;
    const NodeKind kind = node_kind(node, Format::onnx);
    see<"reads: a branch">(kind == NodeKind::if_);
    see<"reads: the body of a loop">(is_loop(kind));
  }
  see<"reads: nothing">(!is_read);
}

void Walk::see_reader(const Node& node, Slot slot) {
  const auto at = std::ranges::find(node.inputs, slot);
  if (at == node.inputs.end()) return;
  const NodeKind kind = node_kind(node, Format::onnx);
  see<"reads: an operator">(kind == NodeKind::operation);
  see<"reads: cond of an If">(kind == NodeKind::if_);
  see<"reads: a loop, to carry it">(kind == NodeKind::scan ||
                                    (kind == NodeKind::loop && std::distance(node.inputs.begin(), at) > 1));
  see<"reads: a call">(kind == NodeKind::call);
}

void Walk::see_loop(NodeKind kind, const Node& node, const Nesting& nesting, Values& seen) {
  see<"loops: Loop">(kind == NodeKind::loop);
  see<"loops: Scan">(kind == NodeKind::scan);
  see<"loops: SequenceMap">(kind == NodeKind::sequence_map);
  see<"loops: in a branch">(nesting.ifs > 0);
  see<"loops: in a loop">(nesting.loops > 0);
  if (kind == NodeKind::sequence_map) return;
  const std::size_t carried = kind == NodeKind::loop ? node.inputs.size() - 2 : node.inputs.size() - 1;
  see<"loops: scan output">(node.outputs.size() > carried);
  if (kind != NodeKind::loop) return;
  see_trips(node, seen);
  if (!node.bodies[0].reference.empty()) return;
  const GraphIndex index = node.bodies[0].graph;
  const Graph& body = model_.graphs[index];
  for (std::size_t i = 0; i < carried; ++i) {
    const bool is_sequence = types_[index][body.outputs[i + 1]].kind == Type::Kind::sequence;
    see<"loops: a carried sequence">(is_sequence);
    const bool grows = std::ranges::any_of(body.nodes, [&](const Node& each) {
      return each.op == "Concat" && each.outputs[0] == source_of(body, body.outputs[i + 1]) &&
             each.inputs[0] == body.inputs[i + 2];
    });
    see<"loops: a carried shape grows">(grows);
  }
}

void Walk::see_trips(const Node& node, Values& seen) {
  const Slot start = node.inputs[1];
  see<"trips: cond is false at first">(start != no_slot && is_known(seen[start], 0));
  see<"trips: count is left out">(node.inputs[0] == no_slot);
  if (node.inputs[0] == no_slot) return;
  const Seen& count = seen[node.inputs[0]];
  see<"trips: count is fed">(count.origin == Origin::input);
  see<"trips: none">(is_known(count, 0));
  see<"trips: some">(is_known(count, 1) || is_known(count, 2) || is_known(count, 3));
}

const Function& Walk::function_of(const Node& call) const {
  return *std::ranges::find(model_.functions, call.bodies[0].graph, &Function::graph);
}

void Walk::see_call(const Node& node, const Nesting& nesting) {
  const Function& function = function_of(node);
  see<"call: of a function">();
  see<"call: in a branch">(nesting.ifs > 0);
  see<"call: in a loop">(nesting.loops > 0);
  see<"call: within a function">(nesting.in_function);
  see<"place: a function called in a branch">(nesting.ifs > 0 && has_if(function.graph));
  see<"call: passes an attribute">(!node.attributes.empty());
  see<"call: leaves out an attribute">(left_out_attributes(function, node) > 0);
  see<"call: of a function with a default">(!function.defaults.empty());
  const bool passes_on = std::ranges::any_of(node.bodies, [](const Body& body) { return !body.reference.empty(); });
  see<"call: passes on a graph">(passes_on);
  see<"call: passes branches">(!passes_on && node.bodies.size() > 1);
  if (node.op == "partial") see_operands(node);
}

/// A call of the function that has optional operands, which come last.
void Walk::see_operands(const Node& node) {
  constexpr std::size_t optional = 2;
  const std::size_t all = model_.graphs[node.bodies[0].graph].inputs.size();
  const std::size_t passed = node.inputs.size();
  see<"call: passes all operands">(passed == all);
  see<"call: leaves out some operands">(passed == all - 1);
  see<"call: leaves out all optional operands">(passed == all - optional);
  const auto [before, is_first] = operands_.emplace(node.bodies[0].graph, passed);
  see<"call: twice with other operands">(before->second != passed);
}

bool Walk::has_if(GraphIndex index) const {
  return std::ranges::any_of(model_.graphs[index].nodes, [](const Node& node) { return is_if(node); });
}

void Walk::see_names() {
  constexpr std::size_t long_name = 300;
  for (const Graph& graph : model_.graphs) {
    const auto see_name = [&](const std::string& name) {
      see<"identity: names with punctuation">(name.find_first_of("/:.-^@") != std::string::npos);
      see<"identity: long names">(name.size() >= long_name);
    };
    see_name(graph.name);
    for (const SlotInfo& slot : graph.slots) see_name(slot.name);
    for (const Node& node : graph.nodes) see_name(node.name);
  }
}

void Walk::see_order() {
  for (const Graph& graph : model_.graphs)
    see<"order: initializers shuffled">(!std::ranges::is_sorted(graph.constants, {}, &Constant::slot));
  for (std::size_t i = 0; i < model_.functions.size(); ++i) {
    for (const Node& node : model_.graphs[model_.functions[i].graph].nodes) {
      if (!node.call) continue;
      see<"order: a function before one that it calls">(&function_of(node) > &model_.functions[i]);
    }
  }
}

void Walk::see_fed(const Generated& generated, const std::vector<Value>& run) {
  const Graph& main = model_.main();
  for (std::size_t i = 0; i < run.size(); ++i) {
    const bool has_default = std::ranges::count(main.constants, main.inputs[i], &Constant::slot) > 0;
    see<"runs: override a default">(has_default && !run[i].empty());
    see<"runs: keep a default">(run[i].empty());
    const Value& first = generated.runs.front()[i];
    if (run[i].empty() || run[i].tensor() == nullptr) continue;
    see<"runs: feed no elements">(run[i].tensor()->count() == 0);
    see<"runs: feed edge values">(has_edge(run[i]));
    see<"runs: feed other shapes">(first.tensor() != nullptr && first.tensor()->dims != run[i].tensor()->dims);
  }
}

void Walk::see_runs(const Generated& generated) {
  for (const std::vector<Value>& run : generated.runs) see_fed(generated, run);
  see<"runs: hold results">(generated.manner == Manner::held);
  see<"runs: at once">(generated.manner == Manner::concurrent);
}

/// An If in a loop counts by its first trip.
void Walk::see_taken_branches(const Generated& generated) {
  const Program program(generated.model);
  std::map<std::string, bool> before;
  for (const std::vector<Value>& run : generated.runs) {
    std::set<std::string> entered;
    program.run(run, [&](const BranchTaken& taken) {
      if (!entered.insert(taken.place).second) return;
      see<"runs: flip a cond">(before.emplace(taken.place, taken.cond).first->second != taken.cond);
    });
  }
}

}  // namespace

Features features_of(const Generated& generated) {
  return Walk(generated).features();
}

}  // namespace ifcert::generator
