// If: its cond, its branches, and what is known of its outputs.
#include <algorithm>

#include "conformance/fuzz/generator/steps.hpp"

namespace ifcert::generator {
namespace {

constexpr std::size_t deepest = 4;

/// A shape of one element: cond may have any of these, in IR only a scalar or a list.
Dims dims_of_cond(Maker& maker) {
  if (maker.is_for(Format::openvino)) return maker.random.any_of({Dims{}, Dims{1}});
  return maker.random.any_of({Dims{}, Dims{}, Dims{1}, Dims{1, 1}});
}

bool may_be_cond(const Maker& maker, const Known& known) {
  return known.is_bool() && known.is_single() && (!maker.is_for(Format::openvino) || known.extents->size() <= 1);
}

/// A cond that is computed from constants, so that a runtime may fold it.
ScopedValue folded_cond(Maker& maker, Scope& scope) {
  const ScopedValue start = any_constant(maker, scope, ElementType::boolean, dims_of_cond(maker));
  Known known = start.known;
  if (maker.random.percent(50)) {
    known.truth = !*known.truth;
    return add(maker, scope, "Not", {start}, known);
  }
  const bool other = maker.random.percent(50);
  const ScopedValue second = scalar(maker, scope, ElementType::boolean, other ? 1 : 0);
  known.truth = *known.truth != other;
  return add(maker, scope, "Xor", {start, second}, known);
}

/// A cond that is computed from a value: its sum, or the number of its elements, compared with a constant.
std::optional<ScopedValue> computed_cond(Maker& maker, Scope& scope) {
  const auto x = any_value(maker, scope, [](const Known& known) {
    return known.is_number() && known.has_rank() && !known.numbers.negative_zero &&
           bound_of_product(known.numbers.bound, known.most) <= largest_number;
  });
  if (!x) return std::nullopt;
  const bool of_shape = maker.is_for(Format::onnx) && maker.random.percent(40);
  const ElementType element = of_shape ? ElementType::int64 : x->known.element;
  const Known single =
      tensor_of(element, {}, {.bound = std::max(x->known.numbers.bound * x->known.most, most_elements)});
  const ScopedValue number = of_shape ? add(maker, scope, "Size", {*x}, single)
                                      : add(maker, scope, "ReduceSum", {*x}, single, {{"keepdims", std::int64_t{0}}});
  const ScopedValue limit = scalar(maker, scope, element, maker.random.between(0, 4));
  return add(maker, scope, maker.random.any_of({"Less", "Greater", "Equal"}), {number, limit},
             tensor_of(ElementType::boolean, {}, {.bound = 1}));
}

struct Branch {
  Body body;
  std::vector<Known> outputs;
};

/// A value for an output of the second branch: of the kind and element type that the first one returns.
ScopedValue similar(Maker& maker, Scope& scope, const Known& first) {
  const bool same_shape = first.has_rank() && maker.random.percent(60);
  const auto found = any_value(maker, scope, [&](const Known& known) {
    return known.kind == first.kind && known.element == first.element &&
           (!same_shape || known.extents == first.extents);
  });
  return found && maker.random.percent(90) ? *found : any_of_type(maker, scope, first);
}

Branch make_branch(Maker& maker, Scope& outer, const std::string& role, const Branch* first, bool never_runs) {
  Scope scope = inside(outer);
  scope.never_runs = scope.never_runs || never_runs;
  add_steps(maker, scope, maker.random.below(5));
  Branch branch;
  const std::size_t count = first == nullptr ? 1 + maker.random.below(3) : first->outputs.size();
  for (std::size_t i = 0; i < count; ++i) {
    const auto any = any_value(maker, scope, [](const Known&) { return true; });
    const ScopedValue value =
        first == nullptr ? (any ? *any : any_constant(maker, scope)) : similar(maker, scope, first->outputs[i]);
    add_output(maker, scope, value);
    branch.outputs.push_back(value.known);
  }
  branch.body = finished(maker, scope, role);
  return branch;
}

}  // namespace

ScopedValue any_cond(Maker& maker, Scope& scope) {
  const auto optional = any_value(maker, scope, [](const Known& known) { return known.kind == Type::Kind::optional; });
  if (optional && maker.random.percent(20))
    return add(maker, scope, "OptionalHasElement", {*optional}, tensor_of(ElementType::boolean, {}, {.bound = 1}));
  const std::uint64_t kind = maker.random.below(10);
  if (kind == 0) return any_constant(maker, scope, ElementType::boolean, dims_of_cond(maker));
  if (kind == 1) return folded_cond(maker, scope);
  if (kind < 5) {
    if (auto computed = computed_cond(maker, scope)) return *computed;
  }
  const auto found = any_value(maker, scope, [&](const Known& known) { return may_be_cond(maker, known); });
  return found ? *found : any_constant(maker, scope, ElementType::boolean, dims_of_cond(maker));
}

ScopedValue any_of_type(Maker& maker, Scope& scope, const Known& type, std::int64_t bound) {
  const auto found = any_value(maker, scope, [&](const Known& known) {
    return known.kind == type.kind && known.element == type.element && known.numbers.bound <= bound;
  });
  if (found && maker.random.percent(60)) return *found;
  const Known item = tensor_of(type.element, {}, type.numbers);
  if (type.kind == Type::Kind::optional) {
    Known known = type;
    known.present = false;
    return add(maker, scope, "Optional", {}, known, {{"type", Type::tensor(type.element)}});
  }
  const bool has_constants =
      type.element == ElementType::string || !type.numbers.opaque || type.element == ElementType::float32;
  if (!has_constants) {
    return *any_value(maker, scope,
                      [&](const Known& known) { return known.is_tensor() && known.element == type.element; });
  }
  ScopedValue constant = any_constant(maker, scope, type.element, any_dims(maker));
  if (type.kind != Type::Kind::sequence) return constant;
  Known known = constant.known;
  known.kind = Type::Kind::sequence;
  known.extents.reset();
  known.truth.reset();
  known.length = 1;
  return add(maker, scope, "SequenceConstruct", {constant}, known);
}

bool add_if(Maker& maker, Scope& scope) {
  if (scope.depth >= deepest) return false;
  const ScopedValue cond = any_cond(maker, scope);
  const std::optional<bool> truth = cond.known.truth;
  const AxisSize mark = maker.sizes.mark();
  const Branch then_branch = make_branch(maker, scope, "then_branch", nullptr, truth == false);
  const Branch else_branch = make_branch(maker, scope, "else_branch", &then_branch, truth == true);
  std::vector<Known> outputs;
  for (std::size_t i = 0; i < then_branch.outputs.size(); ++i)
    outputs.push_back(either(then_branch.outputs[i], else_branch.outputs[i], mark, maker.sizes));
  add_node(maker, scope, "If", {cond}, outputs, {}, {then_branch.body, else_branch.body});
  return true;
}

}  // namespace ifcert::generator
