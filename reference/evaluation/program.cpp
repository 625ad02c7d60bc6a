// Program: prepares a model (looks up operators, folds constants, infers the types that loops need), and checks the
// inputs of a run.
#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "evaluation/failure.hpp"
#include "evaluation/folding.hpp"
#include "evaluation/run.hpp"
#include "function_attributes.hpp"
#include "inference/inference.hpp"
#include "node_kind.hpp"

namespace ifcert {
namespace {

/// Fails unless the value has the input's declared type.
void check_input(const Graph& graph, std::size_t i, const Value& value) {
  const SlotInfo& info = graph.slots[graph.inputs[i]];
  const Place place{.kind = Place::Kind::named, .what = "input", .name = info.name};
  const Type type = type_of(value);
  const auto refuse = [&] {
    fail(place, fmt::format("{} is given; {} is required", to_string(type), to_string(info.declared)));
  };
  const bool element_is_open = info.declared.is_tensor() && info.declared.element == ElementType::undefined;
  const bool is_declared_kind = element_is_open ? type.is_tensor() : kind_text(type) == kind_text(info.declared);
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
  prepared->plans = plan_nodes(prepared->model, prepared->operators);
  prepared->folded = fold_constants(prepared->model, prepared->plans);
  prepared->functions = functions_by_graph(prepared->model);
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
