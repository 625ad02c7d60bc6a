// Max, Min of any number of operands, which broadcast.
#include <concepts>

#include "operators/elementwise.hpp"
#include "operators/onnx_operators.hpp"

namespace ifcert::kernels {
namespace {

/// Whether x is a NaN; false for integers.
template <class Number>
bool is_nan(Number x) {
  return std::floating_point<Number> && x != x;
}

/// The text does not say what a NaN does; here, as in numpy, the result is then a NaN.
struct Greater {
  template <class Number>
  bool operator()(Number x, Number y) const {
    return is_nan(x) || x > y;
  }
};

struct Less {
  template <class Number>
  bool operator()(Number x, Number y) const {
    return is_nan(x) || x < y;
  }
};

template <class Before>
Value min_or_max_of_two(const Operands& operands, const Pair& pair) {
  Value value;
  const bool done = visit_numeric(pair.a.type, [&]<class T>() {
    value = elementwise<T, T>(operands, pair.a.type, pair,
                              [](T x, T y) { return Before{}(number_of(y), number_of(x)) ? y : x; });
  });
  if (!done) refuse_type(operands.node, pair.a.type);
  return value;
}

template <class Before>
void evaluate_min_or_max(const Operands& operands, std::span<Value> outputs) {
  expect_operands(operands, outputs, any_number);
  const Tensor& first = tensor_operand(operands, 0);
  if (!is_numeric(first.type)) refuse_type(operands.node, first.type);
  Value value = operands.input(0);
  for (std::size_t i = 1; i < operands.inputs.size(); ++i) {
    expect_same_type(operands, 0, i);
    const Tensor& next = tensor_operand(operands, i);
    value = min_or_max_of_two<Before>(operands, {*value.tensor(), next, next.dims});
  }
  outputs[0] = std::move(value);
}

}  // namespace

void evaluate_max(const Operands& operands, std::span<Value> outputs) {
  evaluate_min_or_max<Greater>(operands, outputs);
}

void evaluate_min(const Operands& operands, std::span<Value> outputs) {
  evaluate_min_or_max<Less>(operands, outputs);
}

void infer_min_or_max(const OperandTypes& operands, std::span<Type> outputs) {
  expect_operands(operands, outputs, 1, any_number);
  expect_none_left_out(operands);
  const ElementType type = common_element_type(operands, 0, operands.inputs.size() - 1);
  if (type != ElementType::undefined && !is_numeric(type)) refuse_type(operands.node, type);
  bool all_known = true;
  const std::optional<Shape> shape = shape_if_it_fits(operands, [&] {  // an unknown rank does not take part
    Dims all;
    for (std::size_t i = 0; i < operands.inputs.size(); ++i) {
      const std::optional<Dims> dims = dims_of(operands, i);
      if (dims) all = broadcast_dims(operands.node, all, *dims);
      all_known = all_known && dims.has_value();
    }
    return all;
  });
  outputs[0] = Type::tensor(type, all_known ? shape : std::nullopt);
}

}  // namespace ifcert::kernels
