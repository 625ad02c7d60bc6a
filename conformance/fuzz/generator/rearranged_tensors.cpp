// Operators that move elements, or make new ones, without calculating.
#include <algorithm>
#include <cstdlib>
#include <limits>

#include "conformance/fuzz/generator/steps.hpp"

namespace ifcert::generator {
namespace {

/// Outside ONNX strings are only passed on and gathered; other types without arithmetic are only passed on and
/// reshaped everywhere.
bool moves_freely(const Maker& maker, const Facts& facts) {
  using enum ElementType;
  if (!facts.is_tensor()) return false;
  if (facts.element == string) return maker.is_for(Format::onnx);
  return facts.element == float32 || facts.element == int64 || facts.element == int32 || facts.element == boolean;
}

std::optional<ScopedValue> any_moved(Maker& maker, Scope& scope, std::size_t least_rank) {
  return any_value(maker, scope, [&](const Facts& facts) {
    return moves_freely(maker, facts) && facts.has_rank() && facts.extents->size() >= least_rank;
  });
}

Attributes axis_attribute(Maker& maker, std::size_t axis, std::size_t rank) {
  const auto number = static_cast<std::int64_t>(axis);
  return {{"axis", maker.random.percent(50) ? number : number - static_cast<std::int64_t>(rank)}};
}

Facts moved(const Facts& facts, Extents extents) {
  Facts result = facts;
  result.most = count_of(extents).value_or(facts.most);
  result.extents = std::move(extents);
  if (!result.is_single()) result.truth.reset();
  return result;
}

}  // namespace

bool add_identity(Maker& maker, Scope& scope) {
  const auto x = any_value(maker, scope, [](const Facts&) { return true; });
  if (!x) return false;
  add(maker, scope, "Identity", {*x}, x->facts);
  return true;
}

bool add_concat(Maker& maker, Scope& scope) {
  const auto x = any_moved(maker, scope, 1);
  if (!x) return false;
  const Extents& extents = *x->facts.extents;
  const std::size_t axis = maker.random.below(extents.size());
  const auto y = any_value(maker, scope, [&](const Facts& facts) {
    if (!moves_freely(maker, facts) || facts.element != x->facts.element || !facts.has_rank() ||
        facts.extents->size() != extents.size())
      return false;
    for (std::size_t i = 0; i < extents.size(); ++i) {
      if (i != axis && extents[i] != (*facts.extents)[i]) return false;
    }
    return true;
  });
  if (!y || x->facts.most + y->facts.most > most_elements) return false;
  const AxisSize other = (*y->facts.extents)[axis];
  Facts result = x->facts;
  result.numbers = either(x->facts.numbers, y->facts.numbers);
  result.most = x->facts.most + y->facts.most;
  result.truth.reset();
  (*result.extents)[axis] = extents[axis] < 0 || other < 0 ? maker.sizes.fresh() : extents[axis] + other;
  add(maker, scope, "Concat", {*x, *y}, result, axis_attribute(maker, axis, extents.size()));
  return true;
}

bool add_transpose(Maker& maker, Scope& scope) {
  const auto x = any_moved(maker, scope, 2);
  if (!x) return false;
  const Extents& extents = *x->facts.extents;
  std::vector<std::int64_t> order(extents.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<std::int64_t>(order.size() - 1 - i);
  Attributes attributes;
  if (maker.random.percent(50)) {
    std::swap(order[0], order[maker.random.below(order.size())]);
    attributes.emplace("perm", order);
  }
  Extents swapped;
  for (const std::int64_t axis : order) swapped.push_back(extents[static_cast<std::size_t>(axis)]);
  add(maker, scope, "Transpose", {*x}, moved(x->facts, std::move(swapped)), std::move(attributes));
  return true;
}

/// To a list, to a column, or to itself with a 0 for a dim that stays.
bool add_reshape(Maker& maker, Scope& scope) {
  const auto x = any_value(maker, scope, [&](const Facts& facts) {
    return facts.is_tensor() && (facts.element != ElementType::string || maker.is_for(Format::onnx));
  });
  if (!x) return false;
  const std::optional<std::int64_t> count = x->facts.has_rank() ? count_of(*x->facts.extents) : std::nullopt;
  const AxisSize all = count ? *count : maker.sizes.fresh();
  if (x->facts.has_rank() && !x->facts.extents->empty() && maker.random.percent(30)) {
    std::vector<std::int64_t> shape;
    for (const AxisSize extent : *x->facts.extents)
      shape.push_back(extent < 0 || maker.random.percent(50) ? 0 : extent);
    add(maker, scope, "Reshape", {*x, list(maker, scope, shape)}, moved(x->facts, *x->facts.extents));
    return true;
  }
  const bool is_column = maker.random.percent(40);
  const ScopedValue shape =
      list(maker, scope, is_column ? std::vector<std::int64_t>{-1, 1} : std::vector<std::int64_t>{-1});
  Attributes attributes;
  if (maker.opset >= 14 && maker.wants_rare_form(25)) attributes.emplace("allowzero", std::int64_t{1});
  add(maker, scope, "Reshape", {*x, shape}, moved(x->facts, is_column ? Extents{all, 1} : Extents{all}),
      std::move(attributes));
  return true;
}

/// Adds an axis of one element, and sometimes removes it again.
bool add_unsqueeze(Maker& maker, Scope& scope) {
  const auto x = any_moved(maker, scope, 0);
  if (!x) return false;
  Extents wider = *x->facts.extents;
  const std::size_t at = maker.random.below(wider.size() + 1);
  wider.insert(wider.begin() + static_cast<std::ptrdiff_t>(at), 1);
  const auto from_end = static_cast<std::int64_t>(at) - static_cast<std::int64_t>(wider.size());
  const std::int64_t axis = maker.random.percent(50) ? static_cast<std::int64_t>(at) : from_end;
  const Axes axes = axes_for_opset(maker, scope, axis);
  const ScopedValue made = add_with_axes(maker, scope, "Unsqueeze", *x, axes, moved(x->facts, std::move(wider)));
  if (maker.random.percent(40)) add_with_axes(maker, scope, "Squeeze", made, axes, x->facts);
  return true;
}

/// From the front, from the end, and beyond both.
bool add_slice(Maker& maker, Scope& scope) {
  const auto x = any_moved(maker, scope, 1);
  if (!x) return false;
  const std::size_t axis = maker.random.below(x->facts.extents->size());
  const AxisSize extent = (*x->facts.extents)[axis];
  const std::int64_t start = maker.random.between(-2, 2);
  const std::int64_t end =
      maker.random.percent(25) ? std::numeric_limits<std::int64_t>::max() : maker.random.between(-2, 4);
  Extents extents = *x->facts.extents;
  const auto within = [&](std::int64_t number) {
    return std::clamp<std::int64_t>(number < 0 ? number + extent : number, 0, extent);
  };
  extents[axis] = extent < 0 ? maker.sizes.fresh() : std::max<std::int64_t>(within(end) - within(start), 0);
  const bool leaves_axes_out = axis == 0 && maker.wants_rare_form(40);
  std::vector<ScopedValue> axes;
  if (!leaves_axes_out) axes.push_back(list(maker, scope, {static_cast<std::int64_t>(axis)}));
  std::vector<ScopedValue> operands{*x, list(maker, scope, {start}), list(maker, scope, {end})};
  operands.insert(operands.end(), axes.begin(), axes.end());
  if (!leaves_axes_out && maker.wants_rare_form(60)) operands.push_back(list(maker, scope, {1}));
  add(maker, scope, "Slice", operands, moved(x->facts, std::move(extents)));
  return true;
}

/// Halves along an axis of an even size.
bool add_split(Maker& maker, Scope& scope) {
  const auto is_even = [](AxisSize extent) { return extent > 0 && extent % 2 == 0; };
  const auto x = any_value(maker, scope, [&](const Facts& facts) {
    return moves_freely(maker, facts) && facts.has_rank() && std::ranges::any_of(*facts.extents, is_even);
  });
  if (!x) return false;
  Extents extents = *x->facts.extents;
  const auto axis = static_cast<std::size_t>(std::ranges::find_if(extents, is_even) - extents.begin());
  extents[axis] /= 2;
  Attributes attributes = axis_attribute(maker, axis, extents.size());
  if (maker.opset >= 18) attributes.emplace("num_outputs", std::int64_t{2});
  const Facts half = moved(x->facts, std::move(extents));
  add_node(maker, scope, "Split", {*x}, {half, half}, std::move(attributes));
  return true;
}

/// In a branch that never runs the index may be one that would fail.
bool add_gather(Maker& maker, Scope& scope) {
  const auto x = any_value(maker, scope, [&](const Facts& facts) {
    const bool is_moved = moves_freely(maker, facts) || (facts.is_tensor() && facts.element == ElementType::string);
    return is_moved && facts.has_rank() && !facts.extents->empty();
  });
  if (!x || x->facts.most * 2 > most_elements) return false;
  Extents extents = *x->facts.extents;
  const std::size_t axis = maker.random.below(extents.size());
  const bool fails = scope.never_runs && extents[axis] < 0;
  if (extents[axis] == 0 || (extents[axis] < 0 && !fails)) return false;
  const bool is_list = maker.random.percent(50);
  std::vector<std::int64_t> indices(is_list ? 2 : 1);
  for (std::int64_t& index : indices)
    index = fails ? 2 * most_elements : maker.random.between(-extents[axis], extents[axis] - 1);
  const ElementType type = !fails && maker.wants_rare_form(50) ? ElementType::int32 : ElementType::int64;
  const ScopedValue held = constant(maker, scope, tensor_value(type, is_list ? Dims{2} : Dims{}, indices),
                                    {.bound = std::max(std::abs(indices.front()), std::abs(indices.back()))});
  const auto attributes = axis_attribute(maker, axis, extents.size());
  if (is_list) {
    extents[axis] = 2;
  } else {
    extents.erase(extents.begin() + static_cast<std::ptrdiff_t>(axis));
  }
  Facts wider = x->facts;
  wider.most *= 2;
  add(maker, scope, "Gather", {*x, held}, moved(wider, std::move(extents)), attributes);
  return true;
}

bool add_shape(Maker& maker, Scope& scope) {
  const auto x = any_value(
      maker, scope, [&](const Facts& facts) { return facts.is_tensor() && facts.element != ElementType::string; });
  if (!x) return false;
  if (maker.is_for(Format::onnx) && maker.random.percent(40)) {
    add(maker, scope, "Size", {*x}, tensor_of(ElementType::int64, {}, {.bound = most_elements}));
    return true;
  }
  const AxisSize rank = x->facts.extents ? static_cast<AxisSize>(x->facts.extents->size()) : maker.sizes.fresh();
  Facts result = tensor_of(ElementType::int64, {rank}, {.bound = most_elements});
  result.most = std::max<std::int64_t>(rank, 8);
  add(maker, scope, "Shape", {*x}, result);
  return true;
}

/// A tensor of the shape of another value.
bool add_fill(Maker& maker, Scope& scope) {
  const auto x = any_value(
      maker, scope, [&](const Facts& facts) { return facts.has_rank() && facts.element != ElementType::string; });
  if (!x) return false;
  Facts shape =
      tensor_of(ElementType::int64, {static_cast<AxisSize>(x->facts.extents->size())}, {.bound = most_elements});
  const ScopedValue dims = add(maker, scope, "Shape", {*x}, shape);
  const ElementType element = any_element(maker);
  Facts result = x->facts;
  result.element = element;
  result.truth.reset();
  if (maker.random.percent(50)) {
    const ScopedValue one = any_constant(maker, scope, element, {});
    result.numbers = one.facts.numbers;
    add(maker, scope, "Expand", {one, dims}, result);
    return true;
  }
  const std::int64_t number = maker.random.between(0, 1);
  result.numbers = {.bound = 1};
  add(maker, scope, "ConstantOfShape", {dims}, result, {{"value", tensor_value(element, {1}, {&number, 1})}});
  return true;
}

bool add_constant(Maker& maker, Scope& scope) {
  const Dims dims = any_dims(maker);
  any_constant(maker, scope, maker.random.percent(10) ? ElementType::string : any_element(maker), dims);
  return true;
}

}  // namespace ifcert::generator
