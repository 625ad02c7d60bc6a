// Operators that calculate. Every result is an integer that float32 holds exactly, or a bool.
#include <algorithm>
#include <string>

#include "conformance/fuzz/generator/steps.hpp"

namespace ifcert::generator {
namespace {

bool is_number(const Facts& facts) {
  return facts.is_number();
}

bool is_float(const Facts& facts) {
  return facts.element == ElementType::float32;
}

/// The shape of a value with which `x` can be combined: the same one, or a scalar.
bool fits_pairwise(const Facts& x, const Facts& y) {
  const bool is_scalar = y.has_rank() && y.extents->empty();
  return y.is_tensor() && !y.numbers.opaque && y.element == x.element &&
         (is_scalar || (x.has_rank() && y.extents == x.extents));
}

/// The second operand: another value, or a new scalar.
ScopedValue partner_of(Maker& maker, Scope& scope, const ScopedValue& x) {
  if (!maker.random.percent(25)) {
    const auto other = any_value(maker, scope, [&](const Facts& facts) { return fits_pairwise(x.facts, facts); });
    if (other) return *other;
  }
  return any_constant(maker, scope, x.facts.element, {});
}

Facts bools_like(const Facts& facts) {
  Facts result = facts;
  result.element = ElementType::boolean;
  result.numbers = {.bound = 1};
  result.truth.reset();
  return result;
}

std::vector<ScopedValue> either_order(Maker& maker, const ScopedValue& x, const ScopedValue& y) {
  return maker.random.percent(50) ? std::vector{x, y} : std::vector{y, x};
}

/// -0 + 0 is 0, so a sum is -0 only if both operands are; 0 - 0 is 0, -0 - 0 is -0. A product may be -0 whenever one
/// operand is negative.
Numbers numbers_of(const std::string& op, const ScopedValue& x, const ScopedValue& y) {
  const Numbers& a = x.facts.numbers;
  const Numbers& b = y.facts.numbers;
  if (op == "Mul") return {.bound = bound_of_product(a.bound, b.bound), .negative_zero = is_float(x.facts)};
  return {.bound = bound_of_sum(a.bound, b.bound), .negative_zero = a.negative_zero || b.negative_zero};
}

}  // namespace

bool add_pairwise(Maker& maker, Scope& scope) {
  const auto x = any_value(maker, scope, is_number);
  if (!x) return false;
  const ScopedValue y = partner_of(maker, scope, *x);
  const std::string op = maker.random.any_of({"Add", "Sub", "Mul"});
  Facts result = x->facts;
  result.numbers = numbers_of(op, *x, y);
  if (result.numbers.bound > largest_number) return false;
  add(maker, scope, op, either_order(maker, *x, y), result);
  return true;
}

bool add_comparison(Maker& maker, Scope& scope) {
  const auto x = any_value(maker, scope, is_number);
  if (!x) return false;
  const ScopedValue y = partner_of(maker, scope, *x);
  const std::string op = maker.random.any_of({"Less", "Greater", "Equal"});
  add(maker, scope, op, either_order(maker, *x, y), bools_like(x->facts));
  return true;
}

bool add_logic(Maker& maker, Scope& scope) {
  const auto x = any_value(maker, scope, [](const Facts& facts) { return facts.is_bool(); });
  if (!x) return false;
  Facts result = bools_like(x->facts);
  if (maker.random.percent(30)) {
    if (x->facts.truth) result.truth = !*x->facts.truth;
    add(maker, scope, "Not", {*x}, result);
    return true;
  }
  const ScopedValue y = partner_of(maker, scope, *x);
  const std::vector<ScopedValue> operands = either_order(maker, *x, y);
  add(maker, scope, maker.random.any_of({"And", "Or", "Xor"}), operands, result);
  return true;
}

/// TensorFlow Lite does not define ABS on int64.
bool add_single(Maker& maker, Scope& scope) {
  const auto x = any_value(maker, scope, is_number);
  if (!x) return false;
  const bool has_abs = !maker.is_for(Format::tflite) || x->facts.element != ElementType::int64;
  const bool is_relu = is_float(x->facts) && !x->facts.numbers.negative_zero && maker.wants_rare_form(30);
  const std::string op = is_relu ? "Relu" : has_abs && maker.random.percent(50) ? "Abs" : "Neg";
  Facts result = x->facts;
  result.numbers.negative_zero = op == "Neg" && is_float(x->facts);
  add(maker, scope, op, {*x}, result);
  return true;
}

bool add_cast(Maker& maker, Scope& scope) {
  const auto x = any_value(maker, scope, [](const Facts& facts) { return facts.is_number() || facts.is_bool(); });
  if (!x) return false;
  constexpr std::int64_t float32 = 1, int32 = 6, int64 = 7, boolean = 9;  // TensorProto.DataType
  const std::int64_t to = maker.random.any_of({float32, int32, int64, boolean});
  Facts result = x->facts;
  result.element = to == float32 ? ElementType::float32
                   : to == int32 ? ElementType::int32
                   : to == int64 ? ElementType::int64
                                 : ElementType::boolean;
  if (to == boolean) result.numbers.bound = 1;
  if (to != float32) result.numbers.negative_zero = false;
  if (!x->facts.is_bool() || to != boolean) result.truth.reset();
  add(maker, scope, "Cast", {*x}, result, {{"to", to}});
  return true;
}

/// Selects by a single bool, or by one for each element.
bool add_where(Maker& maker, Scope& scope) {
  const auto x = any_value(maker, scope, [](const Facts& facts) { return facts.is_number() || facts.is_bool(); });
  if (!x) return false;
  const auto cond = any_value(maker, scope, [&](const Facts& facts) {
    const bool is_scalar = facts.has_rank() && facts.extents->empty();
    return facts.is_bool() && (is_scalar || (x->facts.has_rank() && facts.extents == x->facts.extents));
  });
  if (!cond) return false;
  const ScopedValue y = partner_of(maker, scope, *x);
  Facts result = x->facts;
  result.numbers = either(x->facts.numbers, y.facts.numbers);
  result.truth.reset();
  std::vector<ScopedValue> operands = either_order(maker, *x, y);
  operands.insert(operands.begin(), *cond);
  add(maker, scope, "Where", operands, result);
  return true;
}

/// The sum of all elements, or along one axis. Whether a sum of only -0 is -0 is not defined.
bool add_sum(Maker& maker, Scope& scope) {
  const auto x = any_value(maker, scope, [](const Facts& facts) {
    return facts.is_number() && !facts.numbers.negative_zero &&
           bound_of_product(facts.numbers.bound, facts.most) <= largest_number;
  });
  if (!x) return false;
  const bool keeps = maker.random.percent(30);
  Facts result = x->facts;
  result.numbers.bound *= x->facts.most;
  if (!x->facts.has_rank() || x->facts.extents->empty() || maker.random.percent(40)) {
    if (keeps && !x->facts.has_rank()) return false;
    result.extents = Extents(keeps ? x->facts.extents->size() : 0, 1);
    result.most = 1;
    add(maker, scope, "ReduceSum", {*x}, result, {{"keepdims", std::int64_t{keeps ? 1 : 0}}});
    return true;
  }
  const std::size_t axis = maker.random.below(x->facts.extents->size());
  (*result.extents)[axis] = 1;
  if (!keeps) result.extents->erase(result.extents->begin() + static_cast<std::ptrdiff_t>(axis));
  result.most = count_of(*result.extents).value_or(std::max(x->facts.most, max_input_elements));
  const auto rank = static_cast<std::int64_t>(x->facts.extents->size());
  const std::int64_t from_front = static_cast<std::int64_t>(axis);
  const Axes axes = axes_for_opset(maker, scope, maker.wants_rare_form(50) ? from_front - rank : from_front);
  Attributes attributes{{"keepdims", std::int64_t{keeps ? 1 : 0}}};
  if (maker.opset >= 13 && maker.wants_rare_form(30)) attributes.emplace("noop_with_empty_axes", std::int64_t{1});
  add_with_axes(maker, scope, "ReduceSum", *x, axes, result, std::move(attributes));
  return true;
}

}  // namespace ifcert::generator
