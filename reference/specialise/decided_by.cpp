// Which Ifs some inputs decide. Graph by graph: the nodes that depend on known values alone are evaluated; an If whose
// cond is known then has its decision, and what is known around a body is known in it.
#include <fmt/format.h>

#include <chrono>
#include <ifcert/specialise.hpp>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "evaluation/plan.hpp"
#include "model/function_attributes.hpp"
#include "model/node_kind.hpp"
#include "operators/operator.hpp"
#include "specialise/extract.hpp"

namespace ifcert {
namespace {

/// The limit on visited slots and nodes: a function is visited for each of its calls.
constexpr std::size_t most_visited = 20'000'000;

/// Whether a node can be evaluated by itself, found once for each graph that it enters.
class Evaluable {
 public:
  explicit Evaluable(const Model& model) : model_(model), graphs_(model.graphs.size()) {}

  bool node(const Node& node) {
    if (node_kind(node, model_.format) == NodeKind::operation &&
        (!node.domain.empty() || kernels::find_operator(model_.format, node.op, node.version) == nullptr))
      return false;
    for (const Body& body : node.bodies) {
      if (body.reference.empty() && !graph(body.graph)) return false;
    }
    return true;
  }

 private:
  bool graph(GraphIndex index) {
    if (!graphs_[index]) {
      graphs_[index] = false;
      bool all = model_.graphs[index].unevaluated.empty();
      for (const Node& each : model_.graphs[index].nodes) all = all && node(each);
      graphs_[index] = all;
    }
    return *graphs_[index];
  }

  const Model& model_;
  std::vector<std::optional<bool>> graphs_;
};

/// Whether a node refers to nothing that the call of the function around it passes.
class SelfContained {
 public:
  explicit SelfContained(const Model& model) : model_(model), graphs_(model.graphs.size()) {}

  bool node(const Node& node) {
    for (const auto& [name, value] : node.attributes) {
      if (std::holds_alternative<AttributeReference>(value)) return false;
    }
    for (const Body& body : node.bodies) {
      if (!body.reference.empty() || (is_written_in(node, body) && !graph(body.graph))) return false;
    }
    return true;
  }

 private:
  bool graph(GraphIndex index) {
    if (!graphs_[index]) {
      bool all = true;
      for (const Node& each : model_.graphs[index].nodes) all = all && node(each);
      graphs_[index] = all;
    }
    return *graphs_[index];
  }

  const Model& model_;
  std::vector<std::optional<bool>> graphs_;
};

/// The cond of an If, where it is known.
std::optional<bool> truth_of(const Value& cond) {
  const Tensor* tensor = cond.tensor();
  if (tensor == nullptr || tensor->type != ElementType::boolean || tensor->count() != 1) return std::nullopt;
  return tensor->elements<std::uint8_t>()[0] != 0;
}

bool is_known(const std::vector<bool>& known, Slot slot) {
  return slot == no_slot || known[slot];
}

class Search {
 public:
  Search(const Model& model, const RunLimits& limits)
      : model_(model), limits_(limits), functions_(functions_by_graph(model)), evaluable_(model), contained_(model) {}

  Decided decided(std::span<const Value> inputs) {
    const Graph& main = model_.main();
    std::vector<Value> known(main.slots.size());
    for (std::size_t i = 0; i < inputs.size() && i < main.inputs.size(); ++i) known[main.inputs[i]] = inputs[i];
    visit(0, std::move(known), 0);
    Decided decided;
    for (const auto& [node, taken] : taken_) {
      if (taken.size() == 1)
        decided.decisions.emplace(node, *taken.begin());
      else
        decided.open.insert(node);
    }
    return decided;
  }

 private:
  /// `known[slot]` is the value of a captured value or an input of the graph; empty where it is not known.
  void visit(GraphIndex index, std::vector<Value> known, std::size_t depth);
  std::vector<std::size_t> nodes_of_known(GraphIndex index, std::span<const Value> known);
  void evaluate(GraphIndex index, std::vector<Value>& known, std::vector<std::size_t>& nodes, bool is_certain);
  void visit_bodies(NodeIndex at, const Node& node, std::span<const Value> known, std::size_t depth);
  void visit_call(const Node& node, std::span<const Value> known, std::size_t depth);
  void enter(const Body& body, std::span<const Value> known, std::size_t depth) {
    std::vector<Value> inside(model_.graphs[body.graph].slots.size());
    for (const Capture& capture : body.captures) {
      if (capture.outer != no_slot) inside[capture.inner] = known[capture.outer];
    }
    visit(body.graph, std::move(inside), depth + 1);
  }
  RunLimits rest_of_limits() const;

  const Model& model_;
  const RunLimits& limits_;
  const std::vector<const Function*> functions_;
  const std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
  Evaluable evaluable_;
  SelfContained contained_;
  std::map<NodeIndex, std::set<bool>> taken_;
  std::size_t visited_ = 0;
};

RunLimits Search::rest_of_limits() const {
  RunLimits rest = limits_;
  rest.seconds -= std::chrono::duration<double>(std::chrono::steady_clock::now() - begun_).count();
  if (rest.seconds <= 0) throw LimitExceeded(Limit::time, fmt::format("the search took {} s", limits_.seconds));
  return rest;
}

void Search::visit(GraphIndex index, std::vector<Value> known, std::size_t depth) {
  const Graph& graph = model_.graphs[index];
  visited_ += graph.nodes.size() + graph.slots.size();
  if (visited_ > most_visited)
    throw LimitExceeded(Limit::nodes,
                        fmt::format("bodies, visited for each call, exceed {} values and nodes", most_visited));
  if (depth > nesting_limit)
    throw LimitExceeded(Limit::nodes, fmt::format("bodies and calls exceed {} levels", nesting_limit));
  std::vector<bool> is_input(graph.slots.size());
  for (const Slot slot : graph.inputs) is_input[slot] = true;
  for (const Constant& constant : graph.constants) {
    if (!is_input[constant.slot]) known[constant.slot] = constant.value;  // another value may override an input's
  }
  std::vector<std::size_t> nodes = nodes_of_known(index, known);
  evaluate(index, known, nodes, depth == 0);
  auto next = nodes.begin();
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    if (next != nodes.end() && *next == i)
      ++next;
    else
      visit_bodies({index, i}, graph.nodes[i], known, depth);
  }
}

/// The nodes that depend on known values alone, directly or through each other.
std::vector<std::size_t> Search::nodes_of_known(GraphIndex index, std::span<const Value> known) {
  const Graph& graph = model_.graphs[index];
  std::vector<bool> is_made(graph.slots.size());
  for (Slot slot = 0; slot < known.size(); ++slot) is_made[slot] = !known[slot].empty();
  const auto reads_known = [&](const Node& node) {
    for (const Slot slot : node.inputs) {
      if (!is_known(is_made, slot)) return false;
    }
    for (const Body& body : node.bodies) {
      for (const Capture& capture : body.captures) {
        if (!is_known(is_made, capture.outer)) return false;
      }
    }
    return true;
  };
  std::vector<std::size_t> nodes;
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const Node& node = graph.nodes[i];
    if (!reads_known(node) || !evaluable_.node(node) || !contained_.node(node)) continue;
    nodes.push_back(i);
    for (const Slot slot : node.outputs) {
      if (slot != no_slot) is_made[slot] = true;
    }
  }
  return nodes;
}

/// The values that the graph's other nodes read, and these nodes make.
std::vector<Slot> values_read_by_others(const Graph& graph, const std::vector<std::size_t>& nodes) {
  std::vector<bool> is_made(graph.slots.size());
  std::vector<bool> is_one(graph.nodes.size());
  for (const std::size_t i : nodes) {
    is_one[i] = true;
    for (const Slot slot : graph.nodes[i].outputs) {
      if (slot != no_slot) is_made[slot] = true;
    }
  }
  std::set<Slot> read;
  const auto note = [&](Slot slot) {
    if (slot != no_slot && is_made[slot]) read.insert(slot);
  };
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    if (is_one[i] || graph.nodes[i].bodies.empty()) continue;  // of other nodes no value is needed
    for (const Slot slot : graph.nodes[i].inputs) note(slot);
    for (const Body& body : graph.nodes[i].bodies) {
      for (const Capture& capture : body.captures) note(capture.outer);
    }
  }
  return {read.begin(), read.end()};
}

/// Evaluates these nodes, notes the branches that they take, and adds what they make to `known`. Where they cannot be
/// evaluated, no node is left in `nodes`; a run may not reach them, unless it is certain.
void Search::evaluate(GraphIndex index, std::vector<Value>& known, std::vector<std::size_t>& nodes, bool is_certain) {
  const Graph& graph = model_.graphs[index];
  const std::vector<Slot> slots = values_read_by_others(graph, nodes);
  bool has_bodies = false;
  for (const std::size_t i : nodes) has_bodies = has_bodies || !graph.nodes[i].bodies.empty();
  if (slots.empty() && !has_bodies) return;
  Extract part = extract(model_, functions_, index, known, nodes, slots);
  std::map<NodeIndex, std::set<bool>> taken;
  try {
    const Program program(std::move(part.model));
    const BranchObserver note = [&](const BranchTaken& each) { taken[part.original(each.node)].insert(each.cond); };
    std::vector<Value> values = program.run({}, note, rest_of_limits());
    for (std::size_t i = 0; i < slots.size(); ++i) known[slots[i]] = std::move(values[i]);
  } catch (const LimitExceeded&) {
    throw;
  } catch (const EvaluationError&) {
    if (is_certain) throw;
    nodes.clear();
    return;
  }
  for (const auto& [node, conds] : taken) taken_[node].insert(conds.begin(), conds.end());
}

void Search::visit_bodies(NodeIndex at, const Node& node, std::span<const Value> known, std::size_t depth) {
  if (node.call) return visit_call(node, known, depth);
  std::optional<bool> cond;
  if (is_if(node)) {
    cond = truth_of(known[node.inputs.front()]);
    for (const bool taken : {false, true}) {
      if (!cond || *cond == taken) taken_[at].insert(taken);
    }
  }
  for (std::size_t i = 0; i < node.bodies.size(); ++i) {
    if (cond && i != (*cond ? 0U : 1U)) continue;
    if (is_written_in(node, node.bodies[i])) enter(node.bodies[i], known, depth);
  }
}

/// The function may enter the graphs that the call passes, and its own default graphs.
void Search::visit_call(const Node& node, std::span<const Value> known, std::size_t depth) {
  const GraphIndex callee = node.bodies.front().graph;
  const Graph& graph = model_.graphs[callee];
  std::vector<Value> inside(graph.slots.size());
  for (std::size_t i = 0; i < node.inputs.size() && i < graph.inputs.size(); ++i) {
    if (node.inputs[i] != no_slot) inside[graph.inputs[i]] = known[node.inputs[i]];
  }
  for (const Body& body : node.bodies) {
    if (is_written_in(node, body)) enter(body, known, depth);
  }
  for (const Body& body : functions_[callee]->default_bodies)
    visit(body.graph, std::vector<Value>(model_.graphs[body.graph].slots.size()), depth + 1);
  visit(callee, std::move(inside), depth + 1);
}

}  // namespace

Decided decided_by(const Model& model, std::span<const Value> inputs, const RunLimits& limits) {
  return Search(model, limits).decided(inputs);
}

}  // namespace ifcert
