// Equal, Less, LessOrEqual, Greater, GreaterOrEqual.
#include <functional>

#include "operators/elementwise.hpp"
#include "operators/onnx_operators.hpp"

namespace ifcert::kernels {
namespace {

template <class Comparison>
bool compare_numbers(const Operands& operands, const Pair& pair, Value& value) {
  return visit_numeric(pair.a.type, [&]<class T>() {
    value = elementwise<T, std::uint8_t>(operands, ElementType::boolean, pair, [](T x, T y) {
      return static_cast<std::uint8_t>(Comparison{}(number_of(x), number_of(y)));
    });
  });
}

Value equal_strings(const Operands& operands, const Pair& pair) {
  Result result(operands, ElementType::boolean, broadcast_dims(operands.node, pair.a.dims, pair.b_dims));
  if (result.count() > 0) {
    BroadcastIndex i(pair.a.dims, result.dims());
    BroadcastIndex j(pair.b_dims, result.dims());
    for (auto& element : result.elements<std::uint8_t>()) {
      const std::string& a = pair.a.strings[i.next()];
      const std::string& b = pair.b.strings[j.next()];
      operands.work.tick(1 + (a.size() == b.size() ? a.size() / 8 : 0));
      element = a == b ? 1 : 0;
    }
  }
  return std::move(result).value();
}

Value equal(const Operands& operands, const Pair& pair) {
  if (pair.a.type == ElementType::string) return equal_strings(operands, pair);
  if (pair.a.type == ElementType::boolean) {
    return elementwise<std::uint8_t, std::uint8_t>(
        operands, ElementType::boolean, pair,
        [](std::uint8_t x, std::uint8_t y) -> std::uint8_t { return (x != 0) == (y != 0) ? 1 : 0; });
  }
  Value value;
  if (!compare_numbers<std::equal_to<>>(operands, pair, value)) refuse_type(operands.node, pair.a.type);
  return value;
}

template <class Comparison>
Value order(const Operands& operands, const Pair& pair) {
  Value value;
  if (!compare_numbers<Comparison>(operands, pair, value)) refuse_type(operands.node, pair.a.type);
  return value;
}

bool has_order(ElementType type) {
  return type == ElementType::undefined || is_numeric(type);
}

bool has_equality(ElementType type) {
  return has_order(type) || type == ElementType::boolean || type == ElementType::string;
}

void infer_comparison(const Node& node, bool comparable, const PairTypes& types, std::span<Type> outputs) {
  if (!comparable) refuse_type(node, types.element);
  outputs[0] = Type::tensor(ElementType::boolean, types.shape);
}

}  // namespace

void evaluate_equal_1(const Operands& operands, std::span<Value> outputs) {
  outputs[0] = equal(operands, legacy_pair(operands, outputs));
}

void evaluate_less_1(const Operands& operands, std::span<Value> outputs) {
  outputs[0] = order<std::less<>>(operands, legacy_pair(operands, outputs));
}

void evaluate_greater_1(const Operands& operands, std::span<Value> outputs) {
  outputs[0] = order<std::greater<>>(operands, legacy_pair(operands, outputs));
}

void evaluate_equal_7(const Operands& operands, std::span<Value> outputs) {
  outputs[0] = equal(operands, broadcast_pair(operands, outputs));
}

void evaluate_less_7(const Operands& operands, std::span<Value> outputs) {
  outputs[0] = order<std::less<>>(operands, broadcast_pair(operands, outputs));
}

void evaluate_greater_7(const Operands& operands, std::span<Value> outputs) {
  outputs[0] = order<std::greater<>>(operands, broadcast_pair(operands, outputs));
}

void evaluate_less_or_equal(const Operands& operands, std::span<Value> outputs) {
  outputs[0] = order<std::less_equal<>>(operands, broadcast_pair(operands, outputs));
}

void evaluate_greater_or_equal(const Operands& operands, std::span<Value> outputs) {
  outputs[0] = order<std::greater_equal<>>(operands, broadcast_pair(operands, outputs));
}

void infer_equal_1(const OperandTypes& operands, std::span<Type> outputs) {
  const PairTypes types = legacy_types(operands, outputs);
  infer_comparison(operands.node, has_equality(types.element), types, outputs);
}

void infer_equal_7(const OperandTypes& operands, std::span<Type> outputs) {
  const PairTypes types = broadcast_types(operands, outputs);
  infer_comparison(operands.node, has_equality(types.element), types, outputs);
}

void infer_order_1(const OperandTypes& operands, std::span<Type> outputs) {
  const PairTypes types = legacy_types(operands, outputs);
  infer_comparison(operands.node, has_order(types.element), types, outputs);
}

void infer_order_7(const OperandTypes& operands, std::span<Type> outputs) {
  const PairTypes types = broadcast_types(operands, outputs);
  infer_comparison(operands.node, has_order(types.element), types, outputs);
}

}  // namespace ifcert::kernels
