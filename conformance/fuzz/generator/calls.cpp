// Functions of the model, and calls of them.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "conformance/fuzz/generator/steps.hpp"

namespace ifcert::generator {
namespace {

/// An input of a function: its rank is known, each size only in a call.
Facts any_parameter(Maker& maker) {
  using enum ElementType;
  const ElementType element = maker.random.any_of({float32, float32, int64, boolean});
  Extents extents(maker.random.below(3));
  for (AxisSize& extent : extents) extent = maker.sizes.fresh();
  Facts facts = tensor_of(element, std::move(extents), {.bound = element == boolean ? 1 : bound_of_arguments});
  facts.numbers.negative_zero = element == float32;
  facts.most = 256;
  return facts;
}

/// A Constant with the number that the call passes as the attribute "k".
void add_attribute(Maker& maker, Scope& scope, Function& function, Signature& signature) {
  signature.has_attribute = maker.has_attribute = true;
  signature.passes_attribute = maker.random.percent(50);
  if (signature.passes_attribute) {
    function.required.emplace_back("k");
  } else {
    function.defaults.emplace("k", std::int64_t{2});
  }
  add(maker, scope, "Constant", {}, tensor_of(ElementType::int64, {}, {.bound = 8}),
      {{"value_int", AttributeReference{"k"}}});
}

void add_function(Maker& maker) {
  Signature signature;
  signature.name = fmt::format("f{}", maker.functions.size());
  Function function{
      .domain = function_domain, .name = signature.name, .overload = "", .graph = 0, .defaults = {}, .required = {}};
  Scope scope{.in_function = true};
  for (std::uint64_t i = 0; i <= maker.random.below(3); ++i) {
    signature.inputs.push_back(any_parameter(maker));
    add_input(maker, scope, signature.inputs.back());
  }
  if (maker.random.percent(60)) add_attribute(maker, scope, function, signature);
  add_steps(maker, scope, 2 + maker.random.below(4));
  if (maker.random.percent(60)) add_if(maker, scope);
  if (maker.random.percent(25)) add_call(maker, scope);
  maker.has_attribute = false;
  signature.has_unused_input = maker.wants_rare_form(40);
  if (signature.has_unused_input) scope.graph.inputs.push_back(scope.graph.add_slot("unused", {}));
  for (std::uint64_t i = 0; i <= maker.random.below(2); ++i) {
    const ScopedValue output = add_output(
        maker, scope, scope.values[scope.values.size() - 1 - std::min<std::size_t>(i, scope.values.size() - 1)]);
    signature.outputs.push_back(output.facts);
  }
  signature.graph = function.graph = static_cast<GraphIndex>(maker.model.graphs.size());
  scope.graph.name = signature.name;
  maker.model.graphs.push_back(std::move(scope.graph));
  maker.model.functions.push_back(std::move(function));
  maker.functions.push_back(std::move(signature));
}

bool fits(const Facts& value, const Facts& parameter) {
  return value.has_rank() && value.element == parameter.element && !value.numbers.opaque &&
         value.extents->size() == parameter.extents->size() && value.numbers.bound <= parameter.numbers.bound &&
         value.most <= parameter.most;
}

/// An argument for that parameter: a visible value that fits, or a constant of the parameter's rank.
ScopedValue argument(Maker& maker, Scope& scope, const Facts& parameter) {
  const auto found = any_value(maker, scope, [&](const Facts& facts) { return fits(facts, parameter); });
  if (found && maker.random.percent(85)) return *found;
  return any_constant(maker, scope, parameter.element, Dims(parameter.extents->size(), maker.random.between(1, 3)));
}

/// The knowledge about an output of a call: the parameters' sizes become those of the arguments, other sizes are new.
Facts result_of(Maker& maker, const Facts& output, const std::map<AxisSize, AxisSize>& sizes) {
  Facts facts = output;
  if (!facts.extents) return facts;
  for (AxisSize& extent : *facts.extents) {
    if (extent >= 0) continue;
    const auto passed = sizes.find(extent);
    extent = passed == sizes.end() ? maker.sizes.fresh() : passed->second;
  }
  return facts;
}

}  // namespace

void add_functions(Maker& maker) {
  if (maker.random.percent(55)) return;
  maker.model.opsets.emplace(function_domain, 1);
  for (std::uint64_t count = 1 + maker.random.below(2); count > 0; --count) add_function(maker);
}

void finish_functions(Model& model) {
  finish_partial_function(model);
  const auto is_called = [&](const Function& function) {
    return std::ranges::any_of(model.graphs, [&](const Graph& graph) {
      return std::ranges::any_of(
          graph.nodes, [&](const Node& node) { return node.call && node.bodies.front().graph == function.graph; });
    });
  };
  for (Function& function : model.functions) {
    if (std::ranges::count(function.required, "k") == 0 || is_called(function)) continue;
    function.required.clear();
    function.defaults.emplace("k", std::int64_t{2});
  }
}

bool add_call(Maker& maker, Scope& scope) {
  if (maker.functions.empty()) return false;
  const Signature& signature = maker.functions[maker.random.below(maker.functions.size())];
  std::vector<ScopedValue> arguments;
  std::map<AxisSize, AxisSize> sizes;
  for (const Facts& parameter : signature.inputs) {
    arguments.push_back(argument(maker, scope, parameter));
    for (std::size_t i = 0; i < parameter.extents->size(); ++i)
      sizes[(*parameter.extents)[i]] = (*arguments.back().facts.extents)[i];
  }
  std::vector<Facts> results;
  for (const Facts& output : signature.outputs) results.push_back(result_of(maker, output, sizes));
  Attributes attributes;
  if (signature.passes_attribute || (signature.has_attribute && maker.random.percent(50))) {
    if (scope.in_function && maker.has_attribute && maker.wants_rare_form(80)) {
      attributes.emplace("k", AttributeReference{"k"});
    } else {
      attributes.emplace("k", maker.random.between(-8, 8));
    }
  }
  add_node(maker, scope, signature.name, arguments, std::move(results), std::move(attributes));
  make_call(scope, signature.name, signature.graph);
  return true;
}

}  // namespace ifcert::generator
