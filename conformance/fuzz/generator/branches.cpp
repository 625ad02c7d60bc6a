// If: its cond, its branches, and what is known of its outputs.
#include <algorithm>

#include "conformance/fuzz/generator/edge_values.hpp"
#include "conformance/fuzz/generator/steps.hpp"

namespace ifcert::generator {
namespace {

/// A shape of one element: cond may have any of these, in IR only a scalar or a list.
Dims dims_of_cond(Maker& maker) {
  if (maker.is_for(Format::openvino)) return maker.random.any_of({Dims{}, Dims{1}});
  return maker.random.any_of({Dims{}, Dims{}, Dims{1}, Dims{1, 1}});
}

bool may_be_cond(const Maker& maker, const Facts& facts) {
  return facts.is_bool() && facts.is_single() && (!maker.is_for(Format::openvino) || facts.extents->size() <= 1);
}

/// A cond that is computed from constants, so that a runtime may fold it.
ScopedValue folded_cond(Maker& maker, Scope& scope) {
  const ScopedValue start = any_constant(maker, scope, ElementType::boolean, dims_of_cond(maker));
  Facts facts = start.facts;
  if (maker.random.percent(50)) {
    facts.truth = !*facts.truth;
    return add(maker, scope, "Not", {start}, facts);
  }
  const bool other = maker.random.percent(50);
  const ScopedValue second = scalar(maker, scope, ElementType::boolean, other ? 1 : 0);
  facts.truth = *facts.truth != other;
  return add(maker, scope, "Xor", {start, second}, facts);
}

/// A cond that is computed from a value: its sum, or the number of its elements, compared with a constant.
std::optional<ScopedValue> computed_cond(Maker& maker, Scope& scope) {
  const auto x = any_value(maker, scope, [](const Facts& facts) {
    return facts.is_number() && facts.has_rank() && !facts.numbers.negative_zero &&
           bound_of_product(facts.numbers.bound, facts.most) <= largest_number;
  });
  if (!x) return std::nullopt;
  const bool of_shape = maker.is_for(Format::onnx) && maker.random.percent(40);
  const ElementType element = of_shape ? ElementType::int64 : x->facts.element;
  const Facts single =
      tensor_of(element, {}, {.bound = std::max(x->facts.numbers.bound * x->facts.most, most_elements)});
  const ScopedValue number = of_shape ? add(maker, scope, "Size", {*x}, single)
                                      : add(maker, scope, "ReduceSum", {*x}, single, {{"keepdims", std::int64_t{0}}});
  const ScopedValue limit = scalar(maker, scope, element, maker.random.between(0, 4));
  return add(maker, scope, maker.random.any_of({"Less", "Greater", "Equal"}), {number, limit},
             tensor_of(ElementType::boolean, {}, {.bound = 1}));
}

/// A cond that a loop around this graph passes from trip to trip.
std::optional<ScopedValue> carried_cond(Maker& maker, Scope& scope) {
  if (scope.loops == 0 || !maker.random.percent(25)) return std::nullopt;
  std::vector<ScopedValue> found = visible(scope, [&](const Facts& facts) { return may_be_cond(maker, facts); });
  std::erase_if(found, [](const ScopedValue& value) {
    const bool is_formal = std::ranges::count(value.home->graph.inputs, value.slot) > 0;
    return value.home->loops == 0 || !is_formal;
  });
  if (found.empty()) return std::nullopt;
  return found[maker.random.below(found.size())];
}

struct Branch {
  Body body;
  std::vector<Facts> outputs;
};

/// A value for an output of the second branch: of the kind and element type that the first one returns.
ScopedValue similar(Maker& maker, Scope& scope, const Facts& first) {
  const bool same_shape = first.has_rank() && maker.random.percent(60);
  const auto found = any_value(maker, scope, [&](const Facts& facts) {
    return facts.kind == first.kind && facts.element == first.element &&
           (!same_shape || facts.extents == first.extents);
  });
  return found && maker.random.percent(90) ? *found : any_of_type(maker, scope, first);
}

/// A value for an output of the first branch: sometimes one that is an output already, a cond, or one of a type without
/// arithmetic.
ScopedValue any_returned(Maker& maker, Scope& scope, const std::vector<ScopedValue>& already) {
  if (!already.empty() && maker.random.percent(15)) return already.back();
  if (scope.cond && maker.random.percent(20)) return *scope.cond;
  const auto moved = any_value(maker, scope, [](const Facts& facts) {
    return facts.is_tensor() && facts.numbers.opaque && !facts.numbers.edge;
  });
  if (moved && maker.random.percent(15)) return *moved;
  const auto any = any_value(maker, scope, [](const Facts&) { return true; });
  return any ? *any : any_constant(maker, scope);
}

Branch make_branch(Maker& maker, Scope& outer, const std::string& role, const Branch* first, bool never_runs) {
  Scope scope = inside(outer);
  scope.never_runs = scope.never_runs || never_runs;
  add_steps(maker, scope, maker.random.below(5));
  Branch branch;
  std::vector<ScopedValue> returned;
  const std::size_t count = first == nullptr ? 1 + maker.random.below(3) : first->outputs.size();
  for (std::size_t i = 0; i < count; ++i) {
    const ScopedValue value =
        first == nullptr ? any_returned(maker, scope, returned) : similar(maker, scope, first->outputs[i]);
    add_output(maker, scope, value);
    returned.push_back(value);
    branch.outputs.push_back(value.facts);
  }
  branch.body = finished(maker, scope, role);
  return branch;
}

}  // namespace

ScopedValue any_cond(Maker& maker, Scope& scope) {
  const auto optional = any_value(maker, scope, [](const Facts& facts) { return facts.kind == Type::Kind::optional; });
  if (optional && maker.random.percent(20))
    return add(maker, scope, "OptionalHasElement", {*optional}, tensor_of(ElementType::boolean, {}, {.bound = 1}));
  if (const auto carried = carried_cond(maker, scope)) return *carried;
  if (maker.random.percent(10)) {
    const ScopedValue edge = edge_comparison(maker, scope);
    if (may_be_cond(maker, edge.facts)) return edge;
  }
  const std::uint64_t kind = maker.random.below(10);
  if (kind == 0) return any_constant(maker, scope, ElementType::boolean, dims_of_cond(maker));
  if (kind == 1) return folded_cond(maker, scope);
  if (kind < 5) {
    if (auto computed = computed_cond(maker, scope)) return *computed;
  }
  const auto found = any_value(maker, scope, [&](const Facts& facts) { return may_be_cond(maker, facts); });
  return found ? *found : any_constant(maker, scope, ElementType::boolean, dims_of_cond(maker));
}

ScopedValue any_of_type(Maker& maker, Scope& scope, const Facts& type, std::int64_t bound) {
  const auto found = any_value(maker, scope, [&](const Facts& facts) {
    return facts.kind == type.kind && facts.element == type.element && facts.numbers.bound <= bound;
  });
  if (found && maker.random.percent(60)) return *found;
  const Facts item = tensor_of(type.element, {}, type.numbers);
  if (type.kind == Type::Kind::optional) {
    Facts facts = type;
    facts.present = false;
    return add(maker, scope, "Optional", {}, facts, {{"type", Type::tensor(type.element)}});
  }
  using enum ElementType;
  const bool has_constants = !type.numbers.opaque || type.element == string || type.element == float32 ||
                             type.element == int64 || type.element == int32;
  if (!has_constants) {
    return *any_value(maker, scope,
                      [&](const Facts& facts) { return facts.is_tensor() && facts.element == type.element; });
  }
  ScopedValue constant = any_constant(maker, scope, type.element, any_dims(maker));
  if (type.kind != Type::Kind::sequence) return constant;
  Facts facts = constant.facts;
  facts.kind = Type::Kind::sequence;
  facts.extents.reset();
  facts.truth.reset();
  facts.length = 1;
  return add(maker, scope, "SequenceConstruct", {constant}, facts);
}

bool add_if(Maker& maker, Scope& scope) {
  if (scope.depth >= deepest_body) return false;
  const ScopedValue cond = any_cond(maker, scope);
  const std::optional<bool> truth = cond.facts.truth;
  const AxisSize mark = maker.sizes.mark();
  const Branch then_branch = make_branch(maker, scope, "then_branch", nullptr, truth == false);
  const Branch else_branch = make_branch(maker, scope, "else_branch", &then_branch, truth == true);
  std::vector<Facts> outputs;
  for (std::size_t i = 0; i < then_branch.outputs.size(); ++i)
    outputs.push_back(either(then_branch.outputs[i], else_branch.outputs[i], mark, maker.sizes));
  add_node(maker, scope, "If", {cond}, outputs, {}, {then_branch.body, else_branch.body});
  scope.cond = cond;
  return true;
}

}  // namespace ifcert::generator
