// Operators that calculate. Every result is an integer that float32 holds exactly, or a bool.
#include <algorithm>
#include <string>

#include "conformance/fuzz/generator/steps.hpp"

namespace ifcert::generator {
namespace {

bool is_number(const Known& known) {
  return known.is_number();
}

bool is_float(const Known& known) {
  return known.element == ElementType::float32;
}

/// The shape of a value with which `x` can be combined: the same one, or a scalar.
bool fits_pairwise(const Known& x, const Known& y) {
  const bool is_scalar = y.has_rank() && y.extents->empty();
  return y.is_tensor() && !y.numbers.opaque && y.element == x.element &&
         (is_scalar || (x.has_rank() && y.extents == x.extents));
}

/// The second operand: another value, or a new scalar.
ScopedValue partner_of(Maker& maker, Scope& scope, const ScopedValue& x) {
  if (!maker.random.percent(25)) {
    const auto other = any_value(maker, scope, [&](const Known& known) { return fits_pairwise(x.known, known); });
    if (other) return *other;
  }
  return any_constant(maker, scope, x.known.element, {});
}

Known bools_like(const Known& known) {
  Known result = known;
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
  const Numbers& a = x.known.numbers;
  const Numbers& b = y.known.numbers;
  if (op == "Mul") return {bound_of_product(a.bound, b.bound), is_float(x.known), false};
  return {bound_of_sum(a.bound, b.bound), a.negative_zero || b.negative_zero, false};
}

}  // namespace

bool add_pairwise(Maker& maker, Scope& scope) {
  const auto x = any_value(maker, scope, is_number);
  if (!x) return false;
  const ScopedValue y = partner_of(maker, scope, *x);
  const std::string op = maker.random.any_of({"Add", "Sub", "Mul"});
  Known result = x->known;
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
  add(maker, scope, op, either_order(maker, *x, y), bools_like(x->known));
  return true;
}

bool add_logic(Maker& maker, Scope& scope) {
  const auto x = any_value(maker, scope, [](const Known& known) { return known.is_bool(); });
  if (!x) return false;
  Known result = bools_like(x->known);
  if (maker.random.percent(30)) {
    if (x->known.truth) result.truth = !*x->known.truth;
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
  const bool has_abs = !maker.is_for(Format::tflite) || x->known.element != ElementType::int64;
  const bool is_relu = is_float(x->known) && !x->known.numbers.negative_zero && maker.wants_rare_form(30);
  const std::string op = is_relu ? "Relu" : has_abs && maker.random.percent(50) ? "Abs" : "Neg";
  Known result = x->known;
  result.numbers.negative_zero = op == "Neg" && is_float(x->known);
  add(maker, scope, op, {*x}, result);
  return true;
}

bool add_cast(Maker& maker, Scope& scope) {
  const auto x = any_value(maker, scope, [](const Known& known) { return known.is_number() || known.is_bool(); });
  if (!x) return false;
  constexpr std::int64_t float32 = 1, int32 = 6, int64 = 7, boolean = 9;  // TensorProto.DataType
  const std::int64_t to = maker.random.any_of({float32, int32, int64, boolean});
  Known result = x->known;
  result.element = to == float32 ? ElementType::float32
                   : to == int32 ? ElementType::int32
                   : to == int64 ? ElementType::int64
                                 : ElementType::boolean;
  if (to == boolean) result.numbers.bound = 1;
  if (to != float32) result.numbers.negative_zero = false;
  if (!x->known.is_bool() || to != boolean) result.truth.reset();
  add(maker, scope, "Cast", {*x}, result, {{"to", to}});
  return true;
}

/// Selects by a single bool, or by one for each element.
bool add_where(Maker& maker, Scope& scope) {
  const auto x = any_value(maker, scope, [](const Known& known) { return known.is_number() || known.is_bool(); });
  if (!x) return false;
  const auto cond = any_value(maker, scope, [&](const Known& known) {
    const bool is_scalar = known.has_rank() && known.extents->empty();
    return known.is_bool() && (is_scalar || (x->known.has_rank() && known.extents == x->known.extents));
  });
  if (!cond) return false;
  const ScopedValue y = partner_of(maker, scope, *x);
  Known result = x->known;
  result.numbers = either(x->known.numbers, y.known.numbers);
  result.truth.reset();
  std::vector<ScopedValue> operands = either_order(maker, *x, y);
  operands.insert(operands.begin(), *cond);
  add(maker, scope, "Where", operands, result);
  return true;
}

/// The sum of all elements, or along one axis. Whether a sum of only -0 is -0 is not defined.
bool add_sum(Maker& maker, Scope& scope) {
  const auto x = any_value(maker, scope, [](const Known& known) {
    return known.is_number() && !known.numbers.negative_zero &&
           bound_of_product(known.numbers.bound, known.most) <= largest_number;
  });
  if (!x) return false;
  const bool keeps = maker.random.percent(30);
  Known result = x->known;
  result.numbers.bound *= x->known.most;
  if (!x->known.has_rank() || x->known.extents->empty() || maker.random.percent(40)) {
    if (keeps && !x->known.has_rank()) return false;
    result.extents = Extents(keeps ? x->known.extents->size() : 0, 1);
    result.most = 1;
    add(maker, scope, "ReduceSum", {*x}, result, {{"keepdims", std::int64_t{keeps ? 1 : 0}}});
    return true;
  }
  const std::size_t axis = maker.random.below(x->known.extents->size());
  (*result.extents)[axis] = 1;
  if (!keeps) result.extents->erase(result.extents->begin() + static_cast<std::ptrdiff_t>(axis));
  result.most = count_of(*result.extents).value_or(std::max(x->known.most, max_input_elements));
  const auto rank = static_cast<std::int64_t>(x->known.extents->size());
  const std::int64_t from_front = static_cast<std::int64_t>(axis);
  const Axes axes = any_form_of_axes(maker, scope, maker.wants_rare_form(50) ? from_front - rank : from_front);
  Attributes attributes{{"keepdims", std::int64_t{keeps ? 1 : 0}}};
  if (maker.opset >= 13 && maker.wants_rare_form(30)) attributes.emplace("noop_with_empty_axes", std::int64_t{1});
  add_with_axes(maker, scope, "ReduceSum", *x, axes, result, std::move(attributes));
  return true;
}

}  // namespace ifcert::generator
