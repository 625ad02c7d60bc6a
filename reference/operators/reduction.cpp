// ReduceSum, ReduceProd, ReduceMean, ReduceMax, ReduceMin. Integers wrap; floating point is added (or multiplied) as
// double in row order and rounded once.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <type_traits>

#include "operators/broadcast.hpp"
#include "operators/numeric.hpp"
#include "operators/onnx_operators.hpp"
#include "operators/result.hpp"

namespace ifcert::kernels {
namespace {

// The dims with 1 along the reduced axes; no axes means all of them.
Dims reduced(const Node& node, Dims dims, const Integers& axes) {
  if (axes.empty()) return Dims(dims.size(), 1);
  for (const std::int64_t axis : axes) dims[axis_from_front(node, axis, dims.size())] = 1;
  return dims;
}

Dims without_reduced(const Node& node, const Dims& dims, const Integers& axes) {
  if (axes.empty()) return {};
  std::vector<bool> gone(dims.size());
  for (const std::int64_t axis : axes) gone[axis_from_front(node, axis, dims.size())] = true;
  Dims kept;
  for (std::size_t i = 0; i < dims.size(); ++i) {
    if (!gone[i]) kept.push_back(dims[i]);
  }
  return kept;
}

template <class Context>
Integers axes_attribute(const Context& operands) {
  const auto* axes = operands.template attribute<Integers>("axes");
  return axes == nullptr ? Integers{} : *axes;
}

// A fold accumulates elements: it begins with `first`, adds each element with `next`, and `last` is the result for
// `count` of them.
template <class T>
struct ReduceSum {
  using Number = std::conditional_t<std::is_integral_v<T>, std::uint64_t, double>;
  static Number first() { return 0; }
  static Number next(Number sum, T element) { return sum + static_cast<Number>(number_of(element)); }
  static T last(const Node& /*node*/, Number sum, std::uint64_t /*count*/) { return element_of<T>(sum); }
};

template <class T>
struct ReduceProd : ReduceSum<T> {
  using Number = ReduceSum<T>::Number;
  static Number first() { return 1; }
  static Number next(Number product, T element) { return product * static_cast<Number>(number_of(element)); }
};

// The mean of integers is truncated towards zero, like an integer division.
template <class T>
struct ReduceMean : ReduceSum<T> {
  using Number = ReduceSum<T>::Number;
  static T last(const Node& node, Number sum, std::uint64_t count) {
    if constexpr (!std::is_integral_v<T>) {
      return element_of<T>(sum / static_cast<double>(count));
    } else {
      if (count == 0) refuse(node, "the mean of no integers is undefined");
      if constexpr (std::is_signed_v<T>) {
        return static_cast<T>(static_cast<std::int64_t>(sum) / static_cast<std::int64_t>(count));
      }
      return static_cast<T>(sum / count);
    }
  }
};

// A NaN makes the result NaN. Sentences: operators-reducemax-empty, operators-reducemin-empty.
template <class T, bool greatest>
struct Extreme {
  using Number = decltype(number_of(T{}));
  static Number first() {
    using Limits = std::numeric_limits<Number>;
    if constexpr (Limits::has_infinity) return greatest ? -Limits::infinity() : Limits::infinity();
    return greatest ? Limits::lowest() : Limits::max();
  }
  static Number next(Number so_far, T element) {
    const Number number = number_of(element);
    const bool keep = so_far != so_far || (greatest ? so_far >= number : so_far <= number);
    return keep ? so_far : number;
  }
  static T last(const Node& /*node*/, Number number, std::uint64_t /*count*/) { return element_of<T>(number); }
};

template <class T>
using ReduceMax = Extreme<T, true>;

template <class T>
using ReduceMin = Extreme<T, false>;

template <class T, class Fold>
void fold(const Operands& operands, const Tensor& tensor, const Dims& kept, const Result& result) {
  using Number = Fold::Number;
  auto numbers = scratch<Number>(operands.work, result.count(), [] { return "the accumulators of a reduction"; });
  std::ranges::fill(numbers, Fold::first());
  if (tensor.count() > 0) {
    BroadcastIndex index(kept, tensor.dims);
    const auto elements = tensor.elements<T>();
    in_pieces(operands.work, elements.size(), [&](std::uint64_t first, std::uint64_t last) {
      for (const T element : elements.subspan(first, last - first)) {
        auto& number = numbers[index.next()];
        number = Fold::next(number, element);
      }
    });
  }
  const auto results = result.elements<T>();
  const std::uint64_t count = results.empty() ? 0 : tensor.count() / results.size();
  for (std::size_t i = 0; i < results.size(); ++i) results[i] = Fold::last(operands.node, numbers[i], count);
}

[[noreturn]] void refuse_element(const Node& node, ElementType type) {
  refuse(node, fmt::format("operand 0 is tensor({}), which it does not accept", name_of(type)));
}

// The bytes of booleans, 0 and 1, are compared as numbers. Sentence: operators-reducemax-booleans.
template <template <class> class Fold>
constexpr bool takes_booleans = !std::is_base_of_v<ReduceSum<int>, Fold<int>>;

template <template <class> class Fold>
void reduce(const Operands& operands, std::span<Value> outputs, const Integers& axes) {
  const Tensor& tensor = tensor_operand(operands, 0);
  const Dims kept = reduced(operands.node, tensor.dims, axes);
  const bool keep = flag(operands, "keepdims", true);
  Result result(operands, tensor.type, keep ? kept : without_reduced(operands.node, tensor.dims, axes));
  const bool booleans = takes_booleans<Fold> && tensor.type == ElementType::boolean;
  const bool done = visit_numeric(booleans ? ElementType::uint8 : tensor.type,
                                  [&]<class T>() { fold<T, Fold<T>>(operands, tensor, kept, result); });
  if (!done) refuse_element(operands.node, tensor.type);
  if (booleans) {
    for (auto& element : result.elements<std::uint8_t>()) element = element == 0 ? 0 : 1;
  }
  // A scalar is returned unchanged: the sign of a zero and the payload of a NaN are preserved.
  if (tensor.dims.empty())
    outputs[0] = operands.inputs[0];
  else
    outputs[0] = std::move(result).value();
}

template <template <class> class Fold>
void reduce_by_attribute(const Operands& operands, std::span<Value> outputs) {
  expect_operands(operands, outputs, 1);
  if (tensor_operand(operands, 0).type == ElementType::boolean) refuse_element(operands.node, ElementType::boolean);
  reduce<Fold>(operands, outputs, axes_attribute(operands));
}

template <template <class> class Fold>
void reduce_by_operand(const Operands& operands, std::span<Value> outputs) {
  expect_operands(operands, outputs, 2);
  const Integers axes = integer_list(operands, 1).value_or(Integers{});
  reduce<Fold>(operands, outputs, axes);
  if (axes.empty() && flag(operands, "noop_with_empty_axes", false)) outputs[0] = operands.inputs[0];
}

// `axes` is nullopt where they are not known.
void infer_reduction(const OperandTypes& operands, std::span<Type> outputs, const std::optional<Integers>& axes,
                     bool booleans) {
  const ElementType element = element_type(operands, 0);
  const bool takes = is_numeric(element) || (booleans && element == ElementType::boolean);
  if (element != ElementType::undefined && !takes) refuse_element(operands.node, element);
  outputs[0] = Type::tensor(element);
  const std::optional<Dims> dims = dims_of(operands, 0);
  if (!dims || !attributes_known(operands)) return;
  const bool keep = flag(operands, "keepdims", true);
  if (axes) {
    outputs[0].shape = shape_if_it_fits(operands, [&] {
      return keep ? reduced(operands.node, *dims, *axes) : without_reduced(operands.node, *dims, *axes);
    });
  } else if (keep) {
    outputs[0].shape = Shape(dims->size());
  }
}

void infer_by_operand(const OperandTypes& operands, std::span<Type> outputs, bool booleans) {
  expect_operands(operands, outputs, 1, 2);
  if (!is_left_out(operands, 1)) expect_type(operands, 1, ElementType::int64);
  const std::optional<Integers> axes = is_left_out(operands, 1) ? Integers{} : constant_integers(operands, 1);
  const std::optional<Dims> dims = dims_of(operands, 0);
  const std::optional<std::int64_t> count = list_length(operands, 1);
  if (dims && dims->empty() && count) expect_few_axes(operands, 1, 0);  // otherwise an axis may be given twice
  infer_reduction(operands, outputs, axes, booleans);
  const bool may_be_empty = !axes || axes->empty();
  if (!may_be_empty || !attributes_known(operands)) return;
  if (flag(operands, "noop_with_empty_axes", false)) {
    outputs[0].shape = axes ? tensor_type(operands, 0).shape : std::nullopt;
  }
}

}  // namespace

void evaluate_reduce_sum_1(const Operands& operands, std::span<Value> outputs) {
  reduce_by_attribute<ReduceSum>(operands, outputs);
}

void evaluate_reduce_mean_1(const Operands& operands, std::span<Value> outputs) {
  reduce_by_attribute<ReduceMean>(operands, outputs);
}

void evaluate_reduce_max_1(const Operands& operands, std::span<Value> outputs) {
  reduce_by_attribute<ReduceMax>(operands, outputs);
}

void evaluate_reduce_min_1(const Operands& operands, std::span<Value> outputs) {
  reduce_by_attribute<ReduceMin>(operands, outputs);
}

void evaluate_reduce_sum_13(const Operands& operands, std::span<Value> outputs) {
  reduce_by_operand<ReduceSum>(operands, outputs);
}

void evaluate_reduce_prod_18(const Operands& operands, std::span<Value> outputs) {
  reduce_by_operand<ReduceProd>(operands, outputs);
}

void evaluate_reduce_mean_18(const Operands& operands, std::span<Value> outputs) {
  reduce_by_operand<ReduceMean>(operands, outputs);
}

void evaluate_reduce_max_18(const Operands& operands, std::span<Value> outputs) {
  reduce_by_operand<ReduceMax>(operands, outputs);
}

void evaluate_reduce_min_18(const Operands& operands, std::span<Value> outputs) {
  reduce_by_operand<ReduceMin>(operands, outputs);
}

void infer_reduce_by_attribute(const OperandTypes& operands, std::span<Type> outputs) {
  expect_operands(operands, outputs, 1, 1);
  const auto axes = attributes_known(operands) ? std::optional(axes_attribute(operands)) : std::nullopt;
  infer_reduction(operands, outputs, axes, false);
}

void infer_reduce_by_operand(const OperandTypes& operands, std::span<Type> outputs) {
  infer_by_operand(operands, outputs, false);
}

void infer_extreme_by_operand(const OperandTypes& operands, std::span<Type> outputs) {
  infer_by_operand(operands, outputs, true);
}

}  // namespace ifcert::kernels
