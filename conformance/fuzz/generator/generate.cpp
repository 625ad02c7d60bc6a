#include "conformance/fuzz/generator/generate.hpp"

#include <algorithm>
#include <ifcert/reference.hpp>

#include "conformance/fuzz/generator/file_order.hpp"
#include "conformance/fuzz/generator/inputs.hpp"
#include "conformance/fuzz/generator/odd_names.hpp"
#include "conformance/fuzz/generator/steps.hpp"

namespace ifcert::generator {
namespace {

constexpr std::size_t most_nodes = 60;

/// The operator sets in which all operators that the generator uses have the same form and, rarely, an older one.
int any_opset(Maker& maker) {
  if (maker.settings.rare_forms && maker.random.percent(20)) return 11;
  return maker.random.any_of({13, 16, 16, 18, 18, 21});
}

/// The first IR version that has the operator set and, where there are any, functions.
std::int64_t ir_version_of(int opset) {
  return opset >= 21 ? 10 : opset >= 18 ? 8 : opset >= 16 ? 8 : 7;
}

/// The declared type of an output of the main graph, which needs one, and in ONNX its rank. Sizes that the runs vary
/// are declared by the name of their variable, or left unknown.
Type declared_output(Maker& maker, const Facts& facts) {
  Type type = type_of(facts);
  const bool needs_rank = maker.is_for(Format::onnx);
  if (!facts.has_rank() || (!needs_rank && maker.random.percent(20))) {
    if (type.is_tensor()) type.shape.reset();
    return type;
  }
  for (std::size_t i = 0; i < type.shape->size(); ++i) {
    const AxisSize extent = (*facts.extents)[i];
    Dim& dim = (*type.shape)[i];
    if (std::ranges::count(maker.symbols, extent) > 0 && maker.random.percent(50)) {
      dim.symbol = name_of_symbol(extent);
    } else if (maker.random.percent(10)) {
      dim = {};
    }
  }
  return type;
}

/// ONNX IR, Graphs: "The main graph inputs and outputs are required to have a shape, indicating the rank". A tensor
/// whose rank only a run shows becomes a list of its elements.
ScopedValue with_rank(Maker& maker, Scope& main, const ScopedValue& value) {
  if (!maker.is_for(Format::onnx) || !value.facts.is_tensor() || value.facts.has_rank()) return value;
  Facts list_of_elements = value.facts;
  list_of_elements.extents = Extents{maker.sizes.fresh()};
  list_of_elements.truth.reset();
  return add(maker, main, "Reshape", {value, list(maker, main, {-1})}, std::move(list_of_elements));
}

/// A value to return: sometimes the cond of the last If.
ScopedValue any_result(Maker& maker, Scope& main) {
  if (main.cond && maker.random.percent(20)) return *main.cond;
  return *any_value(maker, main, [](const Facts&) { return true; });
}

/// Makes the value that was added last, and up to three random ones, outputs of the main graph.
void add_outputs(Maker& maker, Scope& main) {
  const std::uint64_t count = 1 + maker.random.below(4);
  for (std::uint64_t i = 0; i < count; ++i) {
    const ScopedValue value = with_rank(maker, main, i == 0 ? main.values.back() : any_result(maker, main));
    const ScopedValue output = add_output(maker, main, value);
    const bool is_input = std::ranges::count(main.graph.inputs, output.slot) > 0;
    if (!is_input) main.graph.slots[output.slot].declared = declared_output(maker, output.facts);
  }
}

/// One run after the other in most models.
Manner any_manner(Maker& maker) {
  const std::uint64_t number = maker.random.below(20);
  return number < 2 ? Manner::held : number == 2 ? Manner::concurrent : Manner::in_turn;
}

bool is_expressible(const Model& model, Format format) {
  if (format == model.format) return true;
  try {
    translate(model, format);
    return true;
  } catch (const Inexpressible&) {
    return false;
  }
}

}  // namespace

Generated generate(Random random, const Settings& settings) {
  Maker maker{.random = random, .settings = settings};
  maker.opset = any_opset(maker);
  maker.nodes_left = most_nodes;
  maker.model.ir_version = ir_version_of(maker.opset);
  maker.model.opsets.emplace("", maker.opset);
  maker.model.graphs.emplace_back();
  if (maker.opset >= 16) {
    add_passing_functions(maker);
    add_partial_function(maker);
    add_functions(maker);
  }
  Scope main;
  main.graph.name = "main";
  const std::vector<Input> inputs = add_inputs(maker, main);
  add_steps(maker, main, 2 + maker.random.below(8));
  add_missing_calls(maker, main);
  add_if(maker, main);
  add_outputs(maker, main);
  maker.model.graphs.front() = std::move(main.graph);
  finish_functions(maker.model);
  if (maker.random.percent(40)) name_oddly(maker.model, maker.random);
  if (maker.random.percent(50)) shuffle_order(maker.model, maker.random);
  std::vector<std::vector<Value>> runs = any_runs(maker, inputs);
  return {std::move(maker.model), std::move(runs), any_manner(maker)};
}

Generated generate(std::uint64_t seed, const Settings& settings) {
  for (std::uint64_t number = 0;; ++number) {
    Generated made = generate(Random(derived_seed(seed, number)), settings);
    if (is_expressible(made.model, settings.format)) return made;
  }
}

}  // namespace ifcert::generator
