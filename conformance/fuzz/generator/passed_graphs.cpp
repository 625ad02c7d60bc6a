// Functions whose If enters graphs that the calls pass.
#include <algorithm>

#include "conformance/fuzz/generator/carried.hpp"
#include "conformance/fuzz/generator/steps.hpp"

namespace ifcert::generator {
namespace {

/// x, and what the graphs return: of any rank.
Facts value_passed() {
  Facts facts = tensor_of(ElementType::float32, {}, {.bound = bound_of_arguments, .negative_zero = true});
  facts.extents.reset();
  facts.most = bound_of_arguments;
  return facts;
}

/// The body with that role is the graph that the call passes as `name`.
Body passed_as(const std::string& role, const std::string& name) {
  return {role, 0, {}, name};
}

/// A branch that returns a value of the graph around it.
Body branch_that_returns(Maker& maker, Scope& outer, const std::string& role, const ScopedValue& value) {
  Scope scope = inside(outer);
  add_output(maker, scope, value);
  return finished(maker, scope, role);
}

/// If(cond): the graph "a", else the graph "b" or x.
ScopedValue chosen(Maker& maker, Scope& scope, const PassingSignature& signature, const ScopedValue& cond,
                   const ScopedValue& x) {
  Body second =
      signature.passes_both ? passed_as("else_branch", "b") : branch_that_returns(maker, scope, "else_branch", x);
  return add_node(maker, scope, "If", {cond}, {x.facts}, {}, {passed_as("then_branch", "a"), std::move(second)})
      .front();
}

/// The same, in a branch of another If.
ScopedValue chosen_in_branch(Maker& maker, Scope& scope, const PassingSignature& signature, const ScopedValue& cond,
                             const ScopedValue& x) {
  Scope branch = inside(scope);
  const ScopedValue inner = chosen(maker, branch, signature, cond, x);
  add_output(maker, branch, inner);
  Body first = finished(maker, branch, "then_branch");
  Body second = branch_that_returns(maker, scope, "else_branch", x);
  const ScopedValue outer_cond = maker.random.percent(50) ? cond : scalar(maker, scope, ElementType::boolean, 1);
  return add_node(maker, scope, "If", {outer_cond}, {inner.facts}, {}, {std::move(first), std::move(second)}).front();
}

/// The same in each trip of a Loop, whose first value is x.
ScopedValue chosen_in_loop(Maker& maker, Scope& scope, const PassingSignature& signature, const ScopedValue& cond,
                           const ScopedValue& x) {
  Scope body = inside(scope);
  ++body.loops;
  add_input(maker, body, tensor_of(ElementType::int64, {}, {.bound = most_trips}));
  const ScopedValue again = add_input(maker, body, tensor_of(ElementType::boolean, {}, {.bound = 1}));
  const ScopedValue carried = add_input(maker, body, x.facts);
  const ScopedValue next = chosen(maker, body, signature, cond, carried);
  add_output(maker, body, again);
  add_output(maker, body, next);
  const ScopedValue trips = scalar(maker, scope, ElementType::int64, maker.random.between(0, 3));
  return add_node(maker, scope, "Loop", {trips, left_out, x}, {x.facts}, {}, {finished(maker, body, "body")}).front();
}

ScopedValue chosen_somewhere(Maker& maker, Scope& scope, const PassingSignature& signature, const ScopedValue& cond,
                             const ScopedValue& x) {
  const std::uint64_t number = maker.random.below(10);
  if (number < 3) return chosen_in_branch(maker, scope, signature, cond, x);
  if (number < 6 && !maker.is_for(Format::openvino)) return chosen_in_loop(maker, scope, signature, cond, x);
  return chosen(maker, scope, signature, cond, x);
}

/// A call of another function to which this one passes on the graphs that it is passed.
ScopedValue passed_on(Maker& maker, Scope& scope, const PassingSignature& callee, const ScopedValue& cond,
                      const ScopedValue& x) {
  std::vector<Body> bodies{passed_as("a", "a")};
  if (callee.passes_both) bodies.push_back(passed_as("b", "b"));
  const ScopedValue result = add_node(maker, scope, callee.name, {cond, x}, {x.facts}, {}, std::move(bodies)).front();
  make_call(scope, callee.name, callee.graph);
  return result;
}

void add_passing_function(Maker& maker, PassingSignature signature, const PassingSignature* callee) {
  Scope scope{.in_function = true};
  const ScopedValue cond = add_input(maker, scope, tensor_of(ElementType::boolean, {}, {.bound = 1}));
  const ScopedValue x = add_input(maker, scope, value_passed());
  Function function{.domain = function_domain,
                    .name = signature.name,
                    .overload = "",
                    .graph = static_cast<GraphIndex>(maker.model.graphs.size()),
                    .defaults = {},
                    .required = {"a"}};
  if (signature.passes_both) function.required.emplace_back("b");
  add_output(maker, scope,
             callee == nullptr ? chosen_somewhere(maker, scope, signature, cond, x)
                               : passed_on(maker, scope, *callee, cond, x));
  signature.graph = function.graph = static_cast<GraphIndex>(maker.model.graphs.size());
  scope.graph.name = signature.name;
  maker.model.graphs.push_back(std::move(scope.graph));
  maker.model.functions.push_back(std::move(function));
  maker.passing_functions.push_back(std::move(signature));
}

/// A graph that is passed as a branch.
Body any_branch(Maker& maker, Scope& outer, const std::string& name, Facts& returned) {
  Scope scope = inside(outer);
  add_steps(maker, scope, maker.random.below(4));
  const ScopedValue value = any_of_type(maker, scope, value_passed());
  const ScopedValue output = add(maker, scope, "Identity", {value}, value.facts);
  scope.graph.outputs.push_back(output.slot);
  // Otherwise a runtime that refuses a passed graph without the type would never show what else it does with one.
  if (maker.random.percent(90)) scope.graph.slots[output.slot].declared = Type::tensor(ElementType::float32);
  returned = value.facts;
  return finished(maker, scope, name);
}

bool is_scalar_bool(const Facts& facts) {
  return facts.is_bool() && facts.has_rank() && facts.extents->empty();
}

/// What the call passes for x.
ScopedValue any_argument(Maker& maker, Scope& scope) {
  const auto found = any_value(maker, scope, [](const Facts& facts) {
    return facts.is_number() && facts.element == ElementType::float32 && facts.numbers.bound <= bound_of_arguments &&
           facts.most <= bound_of_arguments;
  });
  return found ? *found : any_constant(maker, scope, ElementType::float32, {maker.random.between(0, 3)});
}

void call_passing(Maker& maker, Scope& scope, const PassingSignature& signature) {
  const ScopedValue x = any_argument(maker, scope);
  const auto found = any_value(maker, scope, is_scalar_bool);
  const ScopedValue cond = found ? *found : any_constant(maker, scope, ElementType::boolean, {});
  const AxisSize mark = maker.sizes.mark();
  Facts first;
  Facts second = x.facts;
  std::vector<Body> bodies{any_branch(maker, scope, "a", first)};
  if (signature.passes_both) bodies.push_back(any_branch(maker, scope, "b", second));
  Facts result = either(either(first, second, mark, maker.sizes), x.facts, mark, maker.sizes);
  add_node(maker, scope, signature.name, {cond, x}, {std::move(result)}, {}, std::move(bodies));
  make_call(scope, signature.name, signature.graph);
}

}  // namespace

void add_passing_functions(Maker& maker) {
  if (!maker.random.percent(16)) return;
  maker.model.opsets.emplace(function_domain, 1);
  PassingSignature signature{.name = "passing0", .graph = 0, .passes_both = maker.random.percent(60)};
  add_passing_function(maker, signature, nullptr);
  if (!maker.random.percent(50)) return;
  const PassingSignature callee = maker.passing_functions.front();
  signature.name = "passing1";
  add_passing_function(maker, signature, &callee);
}

bool add_passing_call(Maker& maker, Scope& scope) {
  if (maker.passing_functions.empty() || scope.depth + 1 >= deepest_body) return false;
  const PassingSignature signature = maker.passing_functions[maker.random.below(maker.passing_functions.size())];
  call_passing(maker, scope, signature);
  return true;
}

void add_missing_calls(Maker& maker, Scope& main) {
  for (const PassingSignature& signature : std::vector(maker.passing_functions)) {
    const auto calls = [&](const Node& node) { return node.call && node.op == signature.name; };
    const auto has_call = [&](const Graph& graph) { return std::ranges::any_of(graph.nodes, calls); };
    if (!has_call(main.graph) && std::ranges::none_of(maker.model.graphs, has_call))
      call_passing(maker, main, signature);
  }
}

}  // namespace ifcert::generator
