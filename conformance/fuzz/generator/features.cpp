#include "conformance/fuzz/generator/features.hpp"

#include <algorithm>
#include <ifcert/reference.hpp>
#include <map>
#include <set>
#include <string>

#include "conformance/fuzz/generator/facts.hpp"
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

/// The origin of a value. `folded`: computed from constants only.
enum class Origin : std::uint8_t { computed, input, default_input, initializer, constant, folded, if_output, presence };

struct Seen {
  Origin origin = Origin::computed;
  std::size_t levels = 0;  // graphs between the value's and this one, plus one; 0 for a graph's own values
  std::size_t conds = 0;   // Ifs of which it is the cond
};

/// The bodies that enclose a graph.
struct Nesting {
  std::size_t ifs = 0;
  std::size_t loops = 0;  // of all kinds
  std::set<NodeKind> kinds = {};
  bool in_function = false;
};

bool is_constant(Origin origin) {
  return origin == Origin::initializer || origin == Origin::constant || origin == Origin::folded;
}

class Walk {
 public:
  explicit Walk(const Generated& generated) : model_(generated.model), types_(infer_types(generated.model)) {
    walk(0, {}, {});
    for (const Function& function : model_.functions) walk(function.graph, {.in_function = true}, {});
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

  void walk(GraphIndex index, const Nesting& nesting, std::map<Slot, Seen> seen);
  void see_node(GraphIndex index, const Node& node, const Nesting& nesting, std::map<Slot, Seen>& seen);
  void see_if(GraphIndex index, const Node& node, const Nesting& nesting, std::map<Slot, Seen>& seen);
  void see_cond(GraphIndex index, Slot slot, Seen& seen);
  void see_branches(const Node& node);
  void see_outputs(GraphIndex index, const Node& node);
  void see_loop(NodeKind kind, const Node& node, const Nesting& nesting, const std::map<Slot, Seen>& seen);
  void see_call(const Node& node, const Nesting& nesting);
  void see_capture(const Seen& captured);
  void see_runs(const Generated& generated);
  void see_taken_branches(const Generated& generated);
  static Origin origin_of(const Node& node, std::map<Slot, Seen>& seen);

  const Model& model_;
  std::vector<std::vector<Type>> types_;
  Features features_;
};

void Walk::walk(GraphIndex index, const Nesting& nesting, std::map<Slot, Seen> seen) {
  const Graph& graph = model_.graphs[index];
  for (const Slot slot : graph.inputs) seen[slot].origin = Origin::input;
  for (const Constant& constant : graph.constants) {
    Origin& origin = seen[constant.slot].origin;
    origin = origin == Origin::input ? Origin::default_input : Origin::initializer;
  }
  for (const Node& node : graph.nodes) see_node(index, node, nesting, seen);
  for (const Slot slot : graph.outputs) {
    if (nesting.ifs == 0 && nesting.loops == 0) break;
    see<"branch returns an outer value">(seen[slot].levels > 0);
    see<"branch returns an initializer or Constant">(seen[slot].levels == 0 && is_constant(seen[slot].origin));
  }
}

Origin Walk::origin_of(const Node& node, std::map<Slot, Seen>& seen) {
  if (is_if(node)) return Origin::if_output;
  if (node.op == "Constant") return Origin::constant;
  if (node.op == "OptionalHasElement") return Origin::presence;
  if (!node.bodies.empty() || node.inputs.empty()) return Origin::computed;
  const auto from_constant = [&](Slot slot) { return slot == no_slot || is_constant(seen[slot].origin); };
  return std::ranges::all_of(node.inputs, from_constant) ? Origin::folded : Origin::computed;
}

void Walk::see_node(GraphIndex index, const Node& node, const Nesting& nesting, std::map<Slot, Seen>& seen) {
  for (const Slot slot : node.inputs) {
    if (slot != no_slot) see_capture(seen[slot]);
  }
  const NodeKind kind = node_kind(node, Format::onnx);
  if (kind == NodeKind::if_) see_if(index, node, nesting, seen);
  if (is_loop(kind)) see_loop(kind, node, nesting, seen);
  if (kind == NodeKind::call) see_call(node, nesting);
  const Origin origin = origin_of(node, seen);
  for (const Slot slot : node.outputs) seen[slot].origin = origin;
  // An Identity of an outer value, as the output of a branch, is the certainly legal way to return one.
  if (node.op == "Identity" && seen[node.inputs[0]].levels > 0)
    seen[node.outputs[0]].levels = seen[node.inputs[0]].levels;
  if (kind == NodeKind::call || kind == NodeKind::operation) return;
  Nesting inside = nesting;
  ++(kind == NodeKind::if_ ? inside.ifs : inside.loops);
  inside.kinds.insert(kind);
  for (const Body& body : node.bodies) {
    std::map<Slot, Seen> captured;
    for (const Capture& capture : body.captures) {
      Seen value = seen[capture.outer];
      ++value.levels;
      captured.emplace(capture.inner, value);
    }
    walk(body.graph, inside, std::move(captured));
  }
}

void Walk::see_capture(const Seen& captured) {
  if (captured.levels == 0) return;
  see<"capture of the graph around">(captured.levels == 1);
  see<"capture through one graph">(captured.levels == 2);
  see<"capture through two graphs or more">(captured.levels > 2);
  see<"capture of an input">(captured.origin == Origin::input || captured.origin == Origin::default_input);
  see<"capture of an initializer">(captured.origin == Origin::initializer);
  see<"capture of the output of an If">(captured.origin == Origin::if_output);
}

void Walk::see_cond(GraphIndex index, Slot slot, Seen& seen) {
  see<"cond is fed">(seen.origin == Origin::input);
  see<"cond is an overridable initializer">(seen.origin == Origin::default_input);
  see<"cond is constant">(seen.origin == Origin::constant || seen.origin == Origin::initializer);
  see<"cond is computed from constants">(seen.origin == Origin::folded);
  see<"cond is computed from values">(seen.origin == Origin::computed);
  see<"cond is the output of an If">(seen.origin == Origin::if_output);
  see<"OptionalHasElement as cond">(seen.origin == Origin::presence);
  const std::optional<Shape>& shape = types_[index][slot].shape;
  see<"cond has an axis">(shape && !shape->empty());
  see<"one cond for several Ifs">(++seen.conds > 1);
}

void Walk::see_if(GraphIndex index, const Node& node, const Nesting& nesting, std::map<Slot, Seen>& seen) {
  see<"If in a branch of If">(nesting.ifs > 0);
  see<"If in a branch, three deep">(nesting.ifs > 1);
  see<"If in a Loop">(nesting.kinds.contains(NodeKind::loop));
  see<"If in a Scan">(nesting.kinds.contains(NodeKind::scan));
  see<"If in a SequenceMap">(nesting.kinds.contains(NodeKind::sequence_map));
  see<"If in a function">(nesting.in_function);
  see_cond(index, node.inputs[0], seen[node.inputs[0]]);
  see_branches(node);
  see_outputs(index, node);
}

bool cannot_run(const Graph& branch, const Node& node) {
  if (node.op != "Gather") return false;
  const auto is_beyond = [](const Value& value) {
    return value.tensor()->type == ElementType::int64 && value.tensor()->elements<std::int64_t>()[0] > most_elements;
  };
  for (const Constant& constant : branch.constants) {
    if (constant.slot == node.inputs[1] && is_beyond(constant.value)) return true;
  }
  return std::ranges::any_of(branch.nodes, [&](const Node& other) {
    const auto value = other.attributes.find("value");
    return other.op == "Constant" && other.outputs[0] == node.inputs[1] && value != other.attributes.end() &&
           is_beyond(std::get<Value>(value->second));
  });
}

void Walk::see_branches(const Node& node) {
  const Graph& first = model_.graphs[node.bodies[0].graph];
  const Graph& second = model_.graphs[node.bodies[1].graph];
  std::set<std::string_view> names;
  for (const Node& each : first.nodes) names.insert(first.slots[each.outputs[0]].name);
  for (const Node& each : second.nodes)
    see<"siblings share a name">(names.contains(second.slots[each.outputs[0]].name));
  for (const Graph* branch : {&first, &second}) {
    see<"branch with an initializer">(!branch->constants.empty());
    for (const Node& each : branch->nodes) {
      see<"branch with a Constant">(each.op == "Constant");
      see<"branch cannot run">(cannot_run(*branch, each));
    }
  }
  for (std::size_t i = 0; i < first.outputs.size(); ++i) {
    const Type& a = types_[node.bodies[0].graph][first.outputs[i]];
    const Type& b = types_[node.bodies[1].graph][second.outputs[i]];
    if (!a.is_tensor() || !b.is_tensor() || !a.shape || !b.shape || a.shape == b.shape) continue;
    see<"branches of different shapes">(a.shape->size() == b.shape->size());
    see<"branches of different ranks">(a.shape->size() != b.shape->size());
  }
}

void Walk::see_outputs(GraphIndex index, const Node& node) {
  using enum ElementType;
  const Graph& graph = model_.graphs[index];
  see<"several outputs of an If">(node.outputs.size() > 1);
  for (const Slot slot : node.outputs) {
    const Type& type = types_[index][slot];
    see<"sequence out of an If">(type.kind == Type::Kind::sequence);
    see<"optional out of an If">(type.kind == Type::Kind::optional);
    see<"strings out of an If">(type.is_tensor() && type.element == string);
    const bool has_arithmetic = type.element == float32 || type.element == int32 || type.element == int64 ||
                                type.element == boolean || type.element == string;
    see<"bits of another type out of an If">(type.is_tensor() && !has_arithmetic);
    const bool is_used =
        std::ranges::count(graph.outputs, slot) > 0 || std::ranges::any_of(graph.nodes, [&](const Node& other) {
          return std::ranges::count(other.inputs, slot) > 0 || std::ranges::any_of(other.bodies, [&](const Body& body) {
                   return std::ranges::count(body.captures, slot, &Capture::outer) > 0;
                 });
        });
    see<"output of an If without a use">(!is_used);
  }
}

void Walk::see_loop(NodeKind kind, const Node& node, const Nesting& nesting, const std::map<Slot, Seen>& seen) {
  see<"Loop">(kind == NodeKind::loop);
  see<"Scan">(kind == NodeKind::scan);
  see<"SequenceMap">(kind == NodeKind::sequence_map);
  see<"loop in a branch">(nesting.ifs > 0);
  see<"loop in a loop">(nesting.loops > 0);
  const GraphIndex index = node.bodies[0].graph;
  const Graph& body = model_.graphs[index];
  if (kind == NodeKind::sequence_map) return;
  const std::size_t carried = kind == NodeKind::loop ? node.inputs.size() - 2 : node.inputs.size() - 1;
  see<"scan output">(node.outputs.size() > carried);
  if (kind != NodeKind::loop) return;
  see<"trip count is left out">(node.inputs[0] == no_slot);
  see<"trip count is fed">(node.inputs[0] != no_slot && seen.at(node.inputs[0]).origin == Origin::input);
  for (std::size_t i = 0; i < carried; ++i) {
    const bool is_sequence = types_[index][body.outputs[i + 1]].kind == Type::Kind::sequence;
    see<"sequence carried by a Loop">(is_sequence);
    const bool grows = std::ranges::any_of(body.nodes, [&](const Node& each) {
      return each.op == "Concat" && each.outputs[0] == body.outputs[i + 1] && each.inputs[0] == body.inputs[i + 2];
    });
    see<"loop changes a shape">(grows);
  }
}

void Walk::see_call(const Node& node, const Nesting& nesting) {
  see<"call of a function">();
  see<"call in a branch">(nesting.ifs > 0);
  see<"attribute passed by a call">(node.attributes.contains("k"));
  for (const Function& function : model_.functions)
    see<"attribute with a default">(function.graph == node.bodies[0].graph && !function.defaults.empty());
}

void Walk::see_runs(const Generated& generated) {
  const Graph& main = model_.main();
  for (const std::vector<Value>& run : generated.runs) {
    for (std::size_t i = 0; i < run.size(); ++i) {
      const bool has_default = std::ranges::count(main.constants, main.inputs[i], &Constant::slot) > 0;
      see<"input with a default">(has_default);
      see<"run that overrides a default">(has_default && !run[i].empty());
      see<"run that keeps a default">(run[i].empty());
      see<"run without elements">(!run[i].empty() && run[i].tensor()->count() == 0);
    }
  }
  for (const Slot slot : main.inputs) {
    const Shape& shape = *main.slots[slot].declared.shape;
    see<"size that runs vary">(!std::ranges::all_of(shape, &Dim::known));
  }
}

/// An If in a loop counts by its first trip.
void Walk::see_taken_branches(const Generated& generated) {
  const Program program(generated.model);
  std::map<std::string, bool> before;
  for (const std::vector<Value>& run : generated.runs) {
    std::set<std::string> entered;
    program.run(run, [&](const BranchTaken& taken) {
      if (!entered.insert(taken.place).second) return;
      see<"cond differs between runs">(before.emplace(taken.place, taken.cond).first->second != taken.cond);
    });
  }
}

}  // namespace

Features features_of(const Generated& generated) {
  return Walk(generated).features();
}

}  // namespace ifcert::generator
