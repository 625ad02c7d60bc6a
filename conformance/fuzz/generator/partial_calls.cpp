// A function of which the calls leave out all, some, or none of the optional operands and attributes.
#include <algorithm>
#include <limits>

#include "conformance/fuzz/generator/steps.hpp"

namespace ifcert::generator {
namespace {

Facts list_facts(std::int64_t bound) {
  return tensor_of(ElementType::int64, {1}, {.bound = bound});
}

/// x with two axes; the operands that a call may leave out.
struct Operands {
  ScopedValue cond, x, axes, steps;
};

Operands add_operands(Maker& maker, Scope& scope) {
  Operands operands;
  operands.cond = add_input(maker, scope, tensor_of(ElementType::boolean, {}, {.bound = 1}));
  Facts x = tensor_of(ElementType::int64, {maker.sizes.fresh(), maker.sizes.fresh()}, {.bound = bound_of_arguments});
  operands.x = add_input(maker, scope, x);
  operands.axes = add_input(maker, scope, list_facts(1));
  operands.steps = add_input(maker, scope, list_facts(2));
  return operands;
}

/// If(cond): a part of the list, else the list.
ScopedValue part_of(Maker& maker, Scope& scope, const Operands& operands) {
  Facts facts = operands.x.facts;
  facts.extents = Extents{maker.sizes.fresh()};
  const ScopedValue flat = add(maker, scope, "Reshape", {operands.x, list(maker, scope, {-1})}, facts);
  Scope then_branch = inside(scope);
  const ScopedValue start = list(maker, then_branch, {0});
  const ScopedValue end = list(maker, then_branch, {std::numeric_limits<std::int64_t>::max()});
  Facts part = facts;
  part.extents = Extents{maker.sizes.fresh()};
  add_output(maker, then_branch,
             add(maker, then_branch, "Slice", {flat, start, end, operands.axes, operands.steps}, part));
  Scope else_branch = inside(scope);
  add_output(maker, else_branch, flat);
  std::vector<Body> bodies{finished(maker, then_branch, "then_branch"), finished(maker, else_branch, "else_branch")};
  return add_node(maker, scope, "If", {operands.cond}, {part}, {}, std::move(bodies)).front();
}

ScopedValue any_matrix(Maker& maker, Scope& scope) {
  const auto found = any_value(maker, scope, [](const Facts& facts) {
    return facts.is_number() && facts.element == ElementType::int64 && facts.has_rank() && facts.extents->size() == 2 &&
           facts.numbers.bound <= bound_of_arguments && facts.most <= bound_of_arguments;
  });
  if (found) return *found;
  const std::int64_t rows = maker.random.between(0, 3);
  return any_constant(maker, scope, ElementType::int64, {rows, maker.random.between(1, 3)});
}

/// The sum that a call returns, by what it passes.
Facts sum_of(const ScopedValue& x, bool passes_axes, bool keeps) {
  Facts facts = x.facts;
  facts.numbers.bound *= facts.most;
  if (!passes_axes) {
    facts.extents = Extents(keeps ? 2 : 0, 1);
    facts.most = 1;
  } else if (keeps) {
    facts.extents->front() = 1;
  } else {
    facts.extents->erase(facts.extents->begin());
  }
  return facts;
}

void call_partial(Maker& maker, Scope& scope, const PartialSignature& signature) {
  const auto found = any_value(
      maker, scope, [](const Facts& facts) { return facts.is_bool() && facts.has_rank() && facts.extents->empty(); });
  const ScopedValue cond = found ? *found : any_constant(maker, scope, ElementType::boolean, {});
  const ScopedValue x = any_matrix(maker, scope);
  std::vector<ScopedValue> operands{cond, x};
  const std::uint64_t passed = maker.random.below(3);  // of the optional operands
  if (passed > 0) operands.push_back(list(maker, scope, {0}));
  if (passed > 1) operands.push_back(list(maker, scope, {maker.random.between(1, 2)}));
  Attributes attributes;
  const std::uint64_t keeps = maker.random.below(3);
  if (keeps < 2) attributes.emplace("keepdims", static_cast<std::int64_t>(keeps));
  Facts part = x.facts;
  part.extents = Extents{maker.sizes.fresh()};
  add_node(maker, scope, signature.name, operands, {part, sum_of(x, passed > 0, keeps != 0)}, std::move(attributes));
  make_call(scope, signature.name, signature.graph);
}

}  // namespace

/// If(cond): Slice(x, axes, steps), and ReduceSum(x, axes) with the call's `keepdims`.
void add_partial_function(Maker& maker) {
  if (!maker.random.percent(25)) return;
  maker.model.opsets.emplace(function_domain, 1);
  PartialSignature signature{.name = "partial", .graph = 0};
  Function function{.domain = function_domain,
                    .name = signature.name,
                    .overload = "",
                    .graph = 0,
                    .defaults = {},
                    .required = {"keepdims"}};
  Scope scope{.in_function = true};
  const Operands operands = add_operands(maker, scope);
  const ScopedValue part = part_of(maker, scope, operands);
  const ScopedValue sum = add(maker, scope, "ReduceSum", {operands.x, operands.axes}, operands.x.facts,
                              {{"keepdims", AttributeReference{"keepdims"}}});
  add_output(maker, scope, part);
  add_output(maker, scope, sum);
  signature.graph = function.graph = static_cast<GraphIndex>(maker.model.graphs.size());
  scope.graph.name = signature.name;
  maker.model.graphs.push_back(std::move(scope.graph));
  maker.model.functions.push_back(std::move(function));
  maker.partial_functions.push_back(std::move(signature));
}

void finish_partial_function(Model& model) {
  const auto function = std::ranges::find(model.functions, "partial", &Function::name);
  if (function == model.functions.end()) return;
  Node* last = nullptr;
  for (Graph& graph : model.graphs) {
    for (Node& node : graph.nodes) {
      if (!node.call || node.op != function->name) continue;
      if (node.attributes.contains("keepdims")) return;
      last = &node;
    }
  }
  constexpr std::int64_t default_of_operator = 1;
  if (last != nullptr) {
    last->attributes.emplace("keepdims", default_of_operator);
  } else {
    function->required.clear();
    function->defaults.emplace("keepdims", default_of_operator);
  }
}

/// Mostly the same function is called twice, with other operands.
bool add_partial_call(Maker& maker, Scope& scope) {
  if (maker.partial_functions.empty()) return false;
  const PartialSignature signature = maker.partial_functions.front();
  call_partial(maker, scope, signature);
  if (maker.random.percent(70)) call_partial(maker, scope, signature);
  return true;
}

}  // namespace ifcert::generator
