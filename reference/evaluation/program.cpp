// Program: prepares a model (looks up operators, folds constants, infers the types that loops need), and checks the
// inputs of a run.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <unordered_map>
#include <utility>

#include "evaluation/folding.hpp"
#include "evaluation/run.hpp"
#include "function_attributes.hpp"
#include "inference/inference.hpp"
#include "node_kind.hpp"

namespace ifcert {
namespace {

using kernels::Operator;

/// The plan of an ONNX loop. Fails unless the loop has exactly one body, which is in the node itself.
NodePlan loop_plan(const Node& node, NodePlan::Kind kind, const Place& place) {
  if (node.bodies.size() != 1)
    fail(place, fmt::format("{} needs exactly one body; the node has {}", node.op, node.bodies.size()));
  if (!node.bodies[0].reference.empty())
    fail(place, fmt::format("the reference evaluates {} only if its body is in the node itself; a body that a function "
                            "call passes is not supported",
                            node.op));
  return {.kind = kind};
}

/// Whether an attribute is a sparse tensor, of which the reader keeps only the type.
bool has_sparse_attribute(const Node& node) {
  return std::ranges::any_of(node.attributes, [](const auto& entry) {
    const Type* type = std::get_if<Type>(&entry.second);
    return type != nullptr && type->kind == Type::Kind::sparse_tensor;
  });
}

/// Finds an operator by its name: the reference's own if there is one, otherwise a custom operator.
NodePlan operator_plan(const Node& node, Format format, const CustomOperators& custom, const Place& place) {
  const Operator* op = node.domain.empty() ? kernels::find_operator(format, node.op, node.version) : nullptr;
  if (op != nullptr) return {NodePlan::Kind::kernel, op};
  const std::string name = node.domain.empty() ? node.op : node.domain + "." + node.op;
  if (const auto found = custom.find(name); found != custom.end())
    return {NodePlan::Kind::custom, nullptr, &found->second};
  const std::string_view version_word = format == Format::tflite ? "version" : "opset";
  fail(place, fmt::format("the reference has no operator {} ({} {})", name, version_word, node.version), name);
}

NodePlan plan_of(const Node& node, Format format, const CustomOperators& custom, const Place& place) {
  switch (node_kind(node, format)) {
    case NodeKind::call:
      return {NodePlan::Kind::call};
    case NodeKind::if_:
      if (node.bodies.size() != 2) fail(place, "If needs two branches");
      return {NodePlan::Kind::if_};
    case NodeKind::while_:
      if (node.bodies.size() != 2) fail(place, "While needs two subgraphs");
      return {NodePlan::Kind::while_};
    case NodeKind::loop:
      return loop_plan(node, NodePlan::Kind::loop, place);
    case NodeKind::scan:
      return loop_plan(node, NodePlan::Kind::scan, place);
    case NodeKind::sequence_map:
      return loop_plan(node, NodePlan::Kind::sequence_map, place);
    case NodeKind::operation:
      break;
  }
  if (has_sparse_attribute(node)) fail(place, "the reference does not evaluate sparse tensors", "sparse " + node.op);
  return operator_plan(node, format, custom, place);
}

/// Plans the nodes of a graph and of the bodies in it, but not those of the functions that it calls. A graph that is
/// the body of several nodes is planned once.
void plan_graph(const Model& model, const CustomOperators& custom, GraphIndex index, const Place& place,
                std::vector<std::vector<NodePlan>>& plans) {
  const Graph& graph = model.graphs[index];
  if (!plans[index].empty()) return;
  if (!graph.unevaluated.empty()) {
    const std::string& name = graph.slots[graph.unevaluated.front()].name;
    if (model.format != Format::tflite)
      fail(place.named("sparse_initializer", name), "the reference does not evaluate sparse tensors",
           "sparse_initializer");
    fail(place.named("tensor", name),
         "the reference does not evaluate variables, resources, or constants in sparse form or in other files",
         "variable, resource or sparse constant");
  }
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const Node& node = graph.nodes[i];
    const Place here = place_of(graph, i, place);
    plans[index].push_back(plan_of(node, model.format, custom, here));
    for (const Body& body : node.bodies) {
      // Two kinds of body are planned elsewhere. The graph that a body only names (body.reference) is planned where it
      // is written, in the call node that passes it or in the function's default_bodies. A call's bodies[0] is the
      // function's own graph, which prepare() plans.
      const bool own = body.reference.empty() && !(node.call && &body == node.bodies.data());
      if (own) plan_graph(model, custom, body.graph, here.word(body.role), plans);
    }
  }
}

/// Sets last_read in the plans of a graph's nodes.
void find_last_reads(const Graph& graph, std::vector<NodePlan>& plans) {
  constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
  std::vector<std::size_t> last(graph.slots.size(), none);
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    for (const Slot slot : graph.nodes[i].inputs) {
      if (slot != no_slot) last[slot] = i;
    }
    for (const Body& body : graph.nodes[i].bodies) {
      for (const Capture& capture : body.captures) last[capture.outer] = i;
    }
  }
  for (const Slot slot : graph.outputs) last[slot] = none;
  for (const Node& node : graph.nodes) {
    for (const Slot slot : node.outputs) {
      if (slot != no_slot && last[slot] != none) plans[last[slot]].last_read.push_back(slot);
    }
  }
}

/// The number of bytes that folding may copy, in all graphs of a model together.
constexpr std::size_t folding_budget = std::size_t{64} << 20;

/// Folds constants in the graphs of a model.
struct Folding {
  const Model& model;
  std::vector<std::vector<NodePlan>>& plans;
  std::vector<std::vector<Constant>>& constants;
  std::size_t budget = folding_budget;

  /// Folds a graph and the bodies in it. `captured` is as in fold_constants().
  void fold(GraphIndex index, std::vector<Value> captured) {
    const Graph& graph = model.graphs[index];
    std::vector<const Operator*> operators;
    for (const NodePlan& plan : plans[index]) operators.push_back(plan.op);
    Folded folded = fold_constants(graph, operators, std::move(captured), budget);
    constants[index] = std::move(folded.constants);
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
      if (folded.nodes[i]) plans[index][i].kind = NodePlan::Kind::folded;
      for (const Body& body : graph.nodes[i].bodies) {
        // As in plan_graph(): neither a reference nor the graph of a called function.
        const bool own = body.reference.empty() && !(graph.nodes[i].call && &body == graph.nodes[i].bodies.data());
        if (!own) continue;
        std::vector<Value> inner(model.graphs[body.graph].slots.size());
        for (const Capture& capture : body.captures) inner[capture.inner] = folded.known[capture.outer];
        fold(body.graph, std::move(inner));
      }
    }
  }
};

/// Fails unless the value has the input's declared type.
void check_input(const Graph& graph, std::size_t i, const Value& value) {
  const SlotInfo& info = graph.slots[graph.inputs[i]];
  const Place place{.kind = Place::Kind::named, .what = "input", .name = info.name};
  const Type type = type_of(value);
  const auto refuse = [&] {
    fail(place, fmt::format("{} is given; {} is required", to_string(type), to_string(info.declared)));
  };
  const bool has_any_element = info.declared.is_tensor() && info.declared.element == ElementType::undefined;
  const bool is_declared_kind = has_any_element ? type.is_tensor() : kind_text(type) == kind_text(info.declared);
  if (info.declared.known() && !is_declared_kind) refuse();
  if (!info.declared.is_tensor() || !info.declared.shape) return;
  const bool fits = std::ranges::equal(*info.declared.shape, *type.shape, [](const Dim& declared, const Dim& dim) {
    return !declared.known() || declared == dim;
  });
  if (!fits) refuse();
}

/// The values that dimension variables have in a run.
using Dimensions = std::unordered_map<std::string_view, std::int64_t>;

// "if the graph has two inputs X and Y each with shape ["N"], then at runtime the values passed in for X and Y MUST be
// tensors of rank 1 with the same dimension" (IR document, Static tensor shapes)
void check_shared_dims(const Graph& graph, std::size_t i, const Value& value, Dimensions& known) {
  const SlotInfo& info = graph.slots[graph.inputs[i]];
  const Tensor* tensor = value.tensor();
  if (tensor == nullptr || !info.declared.is_tensor() || !info.declared.shape) return;
  for (std::size_t axis = 0; axis < tensor->dims.size(); ++axis) {
    const std::string& symbol = (*info.declared.shape)[axis].symbol;
    if (symbol.empty()) continue;
    const auto [found, first] = known.try_emplace(symbol, tensor->dims[axis]);
    if (first || found->second == tensor->dims[axis]) continue;
    fail({.kind = Place::Kind::named, .what = "input", .name = info.name},
         fmt::format("{} is {} here and {} elsewhere", symbol, tensor->dims[axis], found->second));
  }
}

/// Evaluates the main graph. A bad_alloc from outside with_place() (a frame, a list of operands, a custom operator) has
/// no place yet; it becomes OutOfMemory at the main graph.
std::vector<Value> evaluate_main(Run& run, Frame frame, const Place& place) {
  try {
    return run.evaluate(0, std::move(frame), nullptr, place);
  } catch (const OutOfMemory&) {
    throw;
  } catch (const std::bad_alloc& error) {
    fail(place, error);
  }
}

/// Prepares everything except trip_types.
std::unique_ptr<Prepared> prepare(Model model, CustomOperators operators) {
  auto prepared = std::make_unique<Prepared>();
  prepared->operators = std::move(operators);
  prepared->model = std::move(model);
  const Model& whole = prepared->model;
  prepared->plans.resize(whole.graphs.size());
  plan_graph(whole, prepared->operators, 0, place_of(whole.main()), prepared->plans);
  for (const Function& function : whole.functions) {
    const Place place{.kind = Place::Kind::named, .what = "function", .name = function.name};
    plan_graph(whole, prepared->operators, function.graph, place, prepared->plans);
    for (const Body& body : function.default_bodies)
      plan_graph(whole, prepared->operators, body.graph, place.word(body.role), prepared->plans);
  }
  for (std::size_t i = 0; i < whole.graphs.size(); ++i) {
    if (!prepared->plans[i].empty()) find_last_reads(whole.graphs[i], prepared->plans[i]);
  }
  prepared->folded.resize(whole.graphs.size());
  // Not for TensorFlow Lite, where several nodes may enter one subgraph with different captures.
  if (whole.format != Format::tflite)
    Folding{whole, prepared->plans, prepared->folded}.fold(0, std::vector<Value>(whole.main().slots.size()));
  prepared->functions = functions_by_graph(whole);
  return prepared;
}

}  // namespace

Program::Program(Model model, CustomOperators operators) {
  auto prepared = prepare(std::move(model), std::move(operators));
  Findings ignored;
  if (has_loops(prepared->model)) prepared->trip_types = inference::infer(prepared->model, ignored).trip_types;
  prepared_ = std::move(prepared);
}

Program::Program(Model model, TripTypes trip_types, CustomOperators operators) {
  auto prepared = prepare(std::move(model), std::move(operators));
  prepared->trip_types = std::move(trip_types);
  prepared_ = std::move(prepared);
}

Program::~Program() = default;
Program::Program(Program&&) noexcept = default;
Program& Program::operator=(Program&&) noexcept = default;

const Model& Program::model() const {
  return prepared_->model;
}

std::vector<Value> Program::run(std::span<const Value> inputs, const BranchObserver& observer,
                                const RunLimits& limits) const {
  const Graph& main = prepared_->model.main();
  if (inputs.size() != main.inputs.size()) {
    throw EvaluationError(fmt::format("{} inputs are given; the model has {}", inputs.size(), main.inputs.size()));
  }
  Frame frame(main.slots.size());
  std::vector<bool> has_default(main.slots.size());
  for (const Constant& constant : main.constants) has_default[constant.slot] = true;
  Dimensions dimensions;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i].empty() && has_default[main.inputs[i]]) continue;
    if (inputs[i].empty())
      throw EvaluationError(fmt::format("input \"{}\" is not given", main.slots[main.inputs[i]].name));
    const std::string& name = main.slots[main.inputs[i]].name;
    expect_bytes_fit({.kind = Place::Kind::named, .what = "input", .name = name}, inputs[i]);
    check_input(main, i, inputs[i]);
    check_shared_dims(main, i, inputs[i], dimensions);
    frame[main.inputs[i]] = inputs[i];
  }
  Run run(*prepared_, observer, limits);
  std::vector<Value> outputs = evaluate_main(run, std::move(frame), place_of(main));
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (outputs[i].empty()) throw EvaluationError(fmt::format("output {} has no value", i));
  }
  return outputs;
}

}  // namespace ifcert
