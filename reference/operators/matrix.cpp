// MatMul and Gemm: products of matrices.
#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "operators/broadcast.hpp"
#include "operators/dot.hpp"
#include "operators/onnx_operators.hpp"
#include "operators/result.hpp"

namespace ifcert::kernels {
namespace {

// The types of MatMul and Gemm.
bool is_multiplied(ElementType type) {
  return is_numeric(type) && (bits_of(type) >= 32 || is_floating(type));
}

template <class Visitor>
void visit_multiplied(const Node& node, ElementType type, Visitor&& visitor) {
  if (!is_multiplied(type)) {
    refuse(node, fmt::format("operands are tensor({}), which it does not accept", name_of(type)));
  }
  visit_numeric(type, [&]<class T>() {
    if constexpr (sizeof(T) >= 4 || is_half<T>) visitor.template operator()<T>();
  });
}

void expect_multiplied(const OperandTypes& operands, ElementType type) {
  if (type != ElementType::undefined && !is_multiplied(type)) {
    refuse(operands.node, fmt::format("operands are tensor({}), which it does not accept", name_of(type)));
  }
}

// MatMul as numpy does it: matrices in the last two axes, broadcast over the axes before them; an operand of rank 1
// is a row on the left and a column on the right, and its axis is not in the result.
struct Stacks {
  Dims a;  // the axes before those of the matrices
  Dims b;
  std::int64_t rows = 0;  // -1 is an unknown dim here
  std::int64_t inner = 0;
  std::int64_t columns = 0;
  Dims result;
};

Stacks stacks_of(const Node& node, Dims a, Dims b) {
  if (a.empty() || b.empty()) refuse(node, "an operand has rank 0; expected at least 1");
  const bool row = a.size() == 1;
  const bool column = b.size() == 1;
  if (row) a.insert(a.begin(), 1);
  if (column) b.push_back(1);
  const std::int64_t inner = a.back();
  const std::int64_t other = b[b.size() - 2];
  if (inner >= 0 && other >= 0 && inner != other) {
    refuse(node, fmt::format("rows of {} elements cannot be multiplied by columns of {} elements", inner, other));
  }
  Stacks stacks{{a.begin(), a.end() - 2}, {b.begin(), b.end() - 2}, a[a.size() - 2], inner, b.back(), {}};
  stacks.result = broadcast_dims(node, stacks.a, stacks.b);
  if (!row) stacks.result.push_back(stacks.rows);
  if (!column) stacks.result.push_back(stacks.columns);
  return stacks;
}

/// Room for the sums of one row of the result.
template <class T>
std::vector<Sum<Product<T>>> sums_of(const Work& work, std::size_t columns) {
  return scratch<Sum<Product<T>>>(work, columns, [] { return "a row of sums"; });
}

template <class T>
void multiply(const Work& work, const Tensor& a, const Tensor& b, const Stacks& stacks, const Result& result) {
  const auto rows = static_cast<std::size_t>(stacks.rows);
  const auto inner = static_cast<std::size_t>(stacks.inner);
  const auto columns = static_cast<std::size_t>(stacks.columns);
  const Dims front(stacks.result.begin(),
                   stacks.result.begin() + static_cast<std::ptrdiff_t>(std::max(stacks.a.size(), stacks.b.size())));
  BroadcastIndex in_a(stacks.a, front);
  BroadcastIndex in_b(stacks.b, front);
  WideRow<Product<T>> row(work, inner);
  std::vector<Sum<Product<T>>> sums = sums_of<T>(work, columns);
  auto to = result.elements<T>().begin();
  while (to != result.elements<T>().end()) {
    const Rows<T> left(work, a.elements<T>().data() + in_a.next() * rows * inner, rows, inner, inner, 1);
    const Rows<T> right(work, b.elements<T>().data() + in_b.next() * inner * columns, columns, inner, 1, columns);
    for (std::size_t i = 0; i < rows; ++i) {
      row.assign(left[i]);
      dots(work, right.data(), columns, row.data(), 1, inner, sums.data());
      to = std::transform(sums.begin(), sums.end(), to, [](auto sum) { return element_of<T>(sum); });
    }
  }
}

// A factor of Gemm; for integers, which are multiplied exactly, it must be an integer.
template <class N>
N factor(const Operands& operands, std::string_view name) {
  const auto* written = operands.attribute<float>(name);
  const float value = written == nullptr ? 1 : *written;
  if constexpr (std::is_integral_v<N>) {
    if (std::trunc(value) != value || std::fabs(value) >= 0x1p63F) {
      refuse(operands.node, fmt::format("attribute {} is {}, but the operands are integers", name, value));
    }
    return static_cast<N>(static_cast<std::int64_t>(value));
  } else {
    return value;
  }
}

// Y = alpha·A·B + beta·C.
struct Gemm {
  std::int64_t rows = 0;  // -1 is an unknown dim here
  std::int64_t inner = 0;
  std::int64_t columns = 0;
  bool transposed_a = false;
  bool transposed_b = false;
};

template <class Context>
Gemm gemm_of(const Context& operands, const Dims& a, const Dims& b) {
  if (a.size() != 2 || b.size() != 2) {
    refuse(operands.node, fmt::format("operands have the ranks {} and {}; expected matrices", a.size(), b.size()));
  }
  const bool transposed_a = flag(operands, "transA");
  const bool transposed_b = flag(operands, "transB");
  const std::int64_t inner = a[transposed_a ? 0 : 1];
  const std::int64_t other = b[transposed_b ? 1 : 0];
  if (inner >= 0 && other >= 0 && inner != other) {
    refuse(operands.node,
           fmt::format("rows of {} elements cannot be multiplied by columns of {} elements", inner, other));
  }
  return {a[transposed_a ? 1 : 0], inner, b[transposed_b ? 0 : 1], transposed_a, transposed_b};
}

// `addend` has dims that broadcast to the result's; nullptr where there is none.
template <class T>
void gemm(const Operands& operands, const Gemm& gemm, const Tensor* addend, const Dims& addend_dims,
          const Result& result) {
  // Floating point is computed as double and rounded once.
  using Number = std::conditional_t<std::is_integral_v<T>, std::uint64_t, double>;
  const auto alpha = factor<Number>(operands, "alpha");
  const auto beta = factor<Number>(operands, "beta");
  if (result.count() == 0) return;
  const auto rows = static_cast<std::size_t>(gemm.rows);
  const auto inner = static_cast<std::size_t>(gemm.inner);
  const auto columns = static_cast<std::size_t>(gemm.columns);
  const Rows<T> left(operands.work, tensor_operand(operands, 0).elements<T>().data(), rows, inner,
                     gemm.transposed_a ? 1 : inner, gemm.transposed_a ? rows : 1);
  const Rows<T> right(operands.work, tensor_operand(operands, 1).elements<T>().data(), columns, inner,
                      gemm.transposed_b ? inner : 1, gemm.transposed_b ? 1 : columns);
  BroadcastIndex in_addend(addend == nullptr ? Dims{} : addend_dims, result.dims());
  WideRow<Product<T>> row(operands.work, inner);
  std::vector<Sum<Product<T>>> sums = sums_of<T>(operands.work, columns);
  auto to = result.elements<T>().begin();
  for (std::size_t i = 0; i < rows; ++i) {
    row.assign(left[i]);
    dots(operands.work, right.data(), columns, row.data(), 1, inner, sums.data());
    for (const auto product : sums) {
      Number sum = alpha * static_cast<Number>(product);
      if (addend != nullptr) sum += beta * static_cast<Number>(number_of(addend->elements<T>()[in_addend.next()]));
      *to++ = element_of<T>(sum);
    }
  }
}

// From version 7 on C broadcasts to the result, never the result to C; -1 is an unknown dim.
void expect_addend(const Node& node, const Dims& whole, const Dims& addend) {
  bool fits = addend.size() <= whole.size();
  for (std::size_t i = 0; i < addend.size() && fits; ++i) {
    const std::int64_t dim = addend[addend.size() - 1 - i];
    const std::int64_t room = whole[whole.size() - 1 - i];
    fits = dim == 1 || dim == room || dim < 0 || room < 0;
  }
  if (fits) return;
  refuse(node,
         fmt::format("{} does not broadcast to {}", to_string(static_shape(addend)), to_string(static_shape(whole))));
}

// `dims_of_addend` returns the dims with which C broadcasts to the result's.
template <class DimsOfAddend>
void evaluate_gemm(const Operands& operands, std::span<Value> outputs, DimsOfAddend dims_of_addend) {
  expect_operands(operands, outputs, 3);
  expect_same_type(operands, 0, 1);
  const Tensor& a = tensor_operand(operands, 0);
  const Gemm shape = gemm_of(operands, a.dims, tensor_operand(operands, 1).dims);
  Result result(operands, a.type, {shape.rows, shape.columns});
  const Tensor* addend = operands.input(2).empty() ? nullptr : &tensor_operand(operands, 2, a.type);
  const Dims addend_dims = addend == nullptr ? Dims{} : dims_of_addend(result.dims(), addend->dims);
  visit_multiplied(operands.node, a.type, [&]<class T>() { gemm<T>(operands, shape, addend, addend_dims, result); });
  outputs[0] = std::move(result).value();
}

}  // namespace

void evaluate_matmul(const Operands& operands, std::span<Value> outputs) {
  expect_operands(operands, outputs, 2);
  expect_same_type(operands, 0, 1);
  const Tensor& a = tensor_operand(operands, 0);
  const Tensor& b = tensor_operand(operands, 1);
  const Stacks stacks = stacks_of(operands.node, a.dims, b.dims);
  Result result(operands, a.type, stacks.result);
  visit_multiplied(operands.node, a.type, [&]<class T>() {
    if (result.count() > 0) multiply<T>(operands.work, a, b, stacks, result);
  });
  outputs[0] = std::move(result).value();
}

void evaluate_gemm_1(const Operands& operands, std::span<Value> outputs) {
  if (operands.input(2).empty()) refuse(operands.node, "operand 2 is left out; expected a tensor");
  evaluate_gemm(operands, outputs,
                [&](const Dims& whole, const Dims& addend) { return legacy_second_dims(operands, whole, addend); });
}

void evaluate_gemm_7(const Operands& operands, std::span<Value> outputs) {
  evaluate_gemm(operands, outputs, [&](const Dims& whole, const Dims& addend) {
    expect_addend(operands.node, whole, addend);
    return addend;
  });
}

void infer_matmul(const OperandTypes& operands, std::span<Type> outputs) {
  expect_operands(operands, outputs, 2, 2);
  const ElementType element = common_element_type(operands, 0, 1);
  expect_multiplied(operands, element);
  outputs[0] = Type::tensor(element);
  const std::optional<Dims> a = dims_of(operands, 0);
  const std::optional<Dims> b = dims_of(operands, 1);
  if (a && b) outputs[0].shape = shape_if_it_fits(operands, [&] { return stacks_of(operands.node, *a, *b).result; });
}

void infer_gemm(const OperandTypes& operands, std::span<Type> outputs) {
  expect_operands(operands, outputs, operands.node.version < 7 ? 3 : 2, 3);
  const ElementType element = common_element_type(operands, 0, operands.inputs.size() - 1);
  expect_multiplied(operands, element);
  outputs[0] = Type::tensor(element);
  const std::optional<Dims> a = dims_of(operands, 0);
  const std::optional<Dims> b = dims_of(operands, 1);
  if (!a || !b || !attributes_known(operands)) return;
  outputs[0].shape = shape_if_it_fits(operands, [&] {
    const Gemm gemm = gemm_of(operands, *a, *b);
    const Dims whole{gemm.rows, gemm.columns};
    const std::optional<Dims> addend = dims_of(operands, 2);
    if (addend && operands.node.version >= 7) expect_addend(operands.node, whole, *addend);
    return whole;
  });
}

}  // namespace ifcert::kernels
