// Program: prepares a model (looks up operators, folds constants, infers the types that loops need), and checks the
// inputs of a run.
#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <utility>
#include <variant>

#include "check/inference/inference.hpp"
#include "evaluation/failure.hpp"
#include "evaluation/folding.hpp"
#include "evaluation/run.hpp"
#include "model/function_attributes.hpp"
#include "model/node_kind.hpp"

namespace ifcert {
namespace {

/// Whether the value has the declared dims, as far as they are known. The shape in a sequence's type is that of all its
/// tensors. (The onnx package's own tests of SequenceMap feed tensors of different lengths where a dim is a variable.)
/// Sentence: ir-sequence-shape.
/// Rule: onnx/model/sequence-shape-is-of-all.
bool has_declared_shape(const Type& declared, const Value& value) {
  if (const Sequence* sequence = value.sequence(); sequence != nullptr && !declared.item.empty()) {
    return std::ranges::all_of(sequence->items,
                               [&](const Value& item) { return has_declared_shape(declared.item.front(), item); });
  }
  if (const Optional* optional = value.optional(); optional != nullptr && !declared.item.empty())
    return has_declared_shape(declared.item.front(), optional->value);
  const Tensor* tensor = value.tensor();
  if (tensor == nullptr || !declared.is_tensor() || !declared.shape) return true;
  return std::ranges::equal(*declared.shape, tensor->dims,
                            [](const Dim& dim, std::int64_t length) { return !dim.known() || dim.value == length; });
}

/// Fails unless the value has the input's declared type.
/// Rule: tflite/file/declared-type-agrees.
void check_input(const Place& place, const Type& declared, const Value& value) {
  const Type type = type_of(value);
  const bool element_is_open = declared.is_tensor() && declared.element == ElementType::undefined;
  const bool is_declared_kind = element_is_open ? type.is_tensor() : kind_text(type) == kind_text(declared);
  if ((declared.known() && !is_declared_kind) || !has_declared_shape(declared, value))
    fail(place, fmt::format("{} is given; {} is required", to_string(type), to_string(declared)));
}

/// The values that dimension variables have in a run.
using Dimensions = std::unordered_map<std::string_view, std::int64_t>;

// Sentence: ir-dimension-variables-of-inputs.
// Rule: onnx/model/shared-dims-agree.
void check_shared_dims(const Place& place, const Type& declared, const Value& value, Dimensions& known) {
  if (const Optional* optional = value.optional(); optional != nullptr && !declared.item.empty())
    check_shared_dims(place, declared.item.front(), optional->value, known);
  const Tensor* tensor = value.tensor();
  if (tensor == nullptr || !declared.is_tensor() || !declared.shape) return;
  for (std::size_t axis = 0; axis < tensor->dims.size(); ++axis) {
    const std::string& symbol = (*declared.shape)[axis].symbol;
    if (symbol.empty()) continue;
    const auto [found, first] = known.try_emplace(symbol, tensor->dims[axis]);
    if (first || found->second == tensor->dims[axis]) continue;
    fail(place, fmt::format("{} is {} here and {} elsewhere", symbol, tensor->dims[axis], found->second));
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

/// The tensors that the model holds as initializers, as values of Constants, and as results of folded nodes.
std::unordered_set<const Tensor*> tensors_held(const Prepared& prepared) {
  std::unordered_set<const Tensor*> held;
  for (const Graph& graph : prepared.model.graphs) {
    for (const Constant& constant : graph.constants) held.insert(constant.value.tensor());
    for (const Node& node : graph.nodes) {
      const auto value = node.attributes.find("value");
      const Value* tensor = value == node.attributes.end() ? nullptr : std::get_if<Value>(&value->second);
      if (tensor != nullptr) held.insert(tensor->tensor());
    }
  }
  for (const std::vector<Constant>& folded : prepared.folded) {
    for (const Constant& constant : folded) held.insert(constant.value.tensor());
  }
  return held;
}

/// Reads the bytes of a constant that are still in a file.
void read_bytes(const Value& value) {
  if (const Tensor* tensor = value.tensor()) tensor->data.bytes();
  if (const SparseTensor* sparse = value.sparse()) {
    sparse->values.data.bytes();
    sparse->indices.data.bytes();
  }
}

/// Reads all weights of a model, so that a change of their file changes no run.
void read_weights(const Model& model) {
  for (const Graph& graph : model.graphs) {
    for (const Constant& constant : graph.constants) read_bytes(constant.value);
    for (const Node& node : graph.nodes) {
      for (const auto& [name, attribute] : node.attributes) {
        if (const Value* value = std::get_if<Value>(&attribute)) read_bytes(*value);
      }
    }
  }
}

/// Prepares everything except trip_types.
std::unique_ptr<Prepared> prepare(Model model, CustomOperators operators, Delegate delegate) {
  auto prepared = std::make_unique<Prepared>();
  prepared->operators = std::move(operators);
  prepared->delegate = std::move(delegate);
  prepared->model = std::move(model);
  prepared->plans = plan_nodes(prepared->model, prepared->operators, bool(prepared->delegate));
  read_weights(prepared->model);
  prepared->folded = fold_constants(prepared->model, prepared->plans);
  prepared->functions = functions_by_graph(prepared->model);
  if (prepared->delegate) prepared->constants = tensors_held(*prepared);
  return prepared;
}

}  // namespace

Program::Program(Model model, CustomOperators operators, Delegate delegate) {
  auto prepared = prepare(std::move(model), std::move(operators), std::move(delegate));
  Findings ignored;
  if (has_loops(prepared->model)) prepared->trip_types = inference::infer(prepared->model, ignored).trip_types;
  prepared_ = std::move(prepared);
}

Program::Program(Model model, TripTypes trip_types, CustomOperators operators, Delegate delegate) {
  auto prepared = prepare(std::move(model), std::move(operators), std::move(delegate));
  prepared->trip_types = std::move(trip_types);
  prepared_ = std::move(prepared);
}

Program::~Program() = default;
Program::Program(Program&&) noexcept = default;
Program& Program::operator=(Program&&) noexcept = default;

const Model& Program::model() const {
  return prepared_->model;
}

// Rules: onnx/if/no-state-between-runs, onnx/if/concurrent-runs, openvino/if/no-state-between-runs,
// tflite/subgraph/primary-order.
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
    const SlotInfo& info = main.slots[main.inputs[i]];
    const Place place{.kind = Place::Kind::named, .what = "input", .name = info.name};
    expect_bytes_fit(place, inputs[i]);
    check_input(place, info.declared, inputs[i]);
    check_shared_dims(place, info.declared, inputs[i], dimensions);
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
