// ConstantOfShape, Range: tensors made from a shape or from three numbers.
#include <fmt/format.h>

#include <cmath>

#include "operators/int128.hpp"
#include "operators/numeric.hpp"
#include "operators/onnx_operators.hpp"
#include "operators/strided.hpp"

namespace ifcert::kernels {
namespace {

// The element that ConstantOfShape repeats; a float32 0 by default.
template <class Context>
Value repeated_element(const Context& operands) {
  const auto* value = operands.template attribute<Value>("value");
  if (value == nullptr) {
    const float zero = 0;
    return make_tensor<float>(ElementType::float32, {}, {&zero, 1});
  }
  const Tensor* tensor = value->tensor();
  if (tensor == nullptr || !bytes_fit_shape(*tensor) || tensor->count() != 1) {
    refuse(operands.node,
           fmt::format("attribute value is {}; expected a tensor with one element", to_string(type_of(*value))));
  }
  return *value;
}

Dims checked_dims(const Node& node, const Integers& requested) {
  for (const std::int64_t dim : requested) {
    if (dim < 0) refuse(node, fmt::format("the shape [{}] has a negative dim", fmt::join(requested, ", ")));
  }
  return requested;
}

constexpr std::int64_t most_elements = std::int64_t{1} << 40;  // far above the limit of a tensor's bytes

// max(ceil((limit - start) / delta), 0), or a number that is too large in any case. The difference of two int64 fits
// 128 bits.
std::int64_t number_of_elements(Int128 start, Int128 limit, Int128 delta) {
  const Int128 distance = delta > 0 ? limit - start : start - limit;
  const Int128 step = delta > 0 ? delta : -delta;
  if (distance <= 0) return 0;
  return static_cast<std::int64_t>(std::min<Int128>((distance + step - 1) / step, most_elements));
}

std::int64_t number_of_elements(const Node& node, double start, double limit, double delta) {
  const double number = std::ceil((limit - start) / delta);
  if (std::isnan(number))
    refuse(node, fmt::format("the range from {} to {} by {} has no number of steps", start, limit, delta));
  return number <= 0 ? 0 : static_cast<std::int64_t>(std::min(number, static_cast<double>(most_elements)));
}

// The type in which T is computed: float32 for halves, as stash_type 1 requires.
template <class T>
using Computed = std::conditional_t<is_half<T>, float, T>;

template <class T>
Value range(const Operands& operands, ElementType type) {
  using Number = Computed<T>;
  const auto scalar = [&](std::size_t i) {
    const Tensor& tensor = tensor_operand(operands, i, type);
    if (tensor.count() != 1) refuse(operands.node, fmt::format("operand {} is not a scalar", i));
    return static_cast<Number>(number_of(tensor.elements<T>()[0]));
  };
  const Number start = scalar(0);
  const Number limit = scalar(1);
  const Number delta = scalar(2);
  if (delta == 0) refuse(operands.node, "delta is 0");
  std::int64_t count = 0;
  if constexpr (std::is_integral_v<T>) {
    count = number_of_elements(start, limit, delta);
  } else {
    count = number_of_elements(operands.node, start, limit, delta);
  }
  Result result(operands, type, {count});
  const auto elements = result.elements<T>();
  in_pieces(operands.work, elements.size(), [&](std::uint64_t first, std::uint64_t last) {
    for (std::size_t i = first; i < last; ++i) {
      if constexpr (std::is_integral_v<T>) {
        elements[i] = static_cast<T>(Int128{start} + static_cast<Int128>(i) * delta);
      } else {
        elements[i] = element_of<T>(start + static_cast<Number>(i) * delta);
      }
    }
  });
  return std::move(result).value();
}

template <class T>
struct IsOfRange : std::bool_constant<IsFloating<T>::value || (std::is_signed_v<T> && sizeof(T) > 1)> {};

// The types of Range; from version 27 on `halves` are among them.
template <class Visitor>
bool visit_range(ElementType type, bool halves, Visitor&& visitor) {
  if (is_floating(type) && bits_of(type) == 16 && !halves) return false;
  return visit_numeric_if<IsOfRange>(type, visitor);
}

[[noreturn]] void refuse_range(const Node& node, ElementType type) {
  refuse(node, fmt::format("operands are tensor({}), which it does not accept", name_of(type)));
}

void evaluate_range(const Operands& operands, std::span<Value> outputs, bool halves) {
  expect_operands(operands, outputs, 3);
  const ElementType type = tensor_operand(operands, 0).type;
  const bool done = visit_range(type, halves, [&]<class T>() { outputs[0] = range<T>(operands, type); });
  if (!done) refuse_range(operands.node, type);
}

void infer_range(const OperandTypes& operands, std::span<Type> outputs, bool halves) {
  expect_operands(operands, outputs, 3, 3);
  const ElementType type = common_element_type(operands, 0, 2);
  if (type != ElementType::undefined && !visit_range(type, halves, []<class T>() {})) refuse_range(operands.node, type);
  for (std::size_t i = 0; i < 3; ++i) expect_one_element(operands, i, any_number);
  outputs[0] = Type::tensor(type, Shape(1));
}

}  // namespace

void evaluate_constant_of_shape(const Operands& operands, std::span<Value> outputs) {
  expect_operands(operands, outputs, 1);
  tensor_operand(operands, 0, ElementType::int64);
  const Value repeated = repeated_element(operands);
  Result result(operands, repeated.tensor()->type, checked_dims(operands.node, *integer_list(operands, 0)));
  append_strided(*repeated.tensor(), 0, {{static_cast<std::int64_t>(result.count()), 0}}, result);
  outputs[0] = std::move(result).value();
}

void evaluate_range_11(const Operands& operands, std::span<Value> outputs) {
  evaluate_range(operands, outputs, false);
}

void evaluate_range_27(const Operands& operands, std::span<Value> outputs) {
  const auto* stash_type = operands.attribute<std::int64_t>("stash_type");
  if (stash_type != nullptr && *stash_type != 1 && bits_of(tensor_operand(operands, 0).type) == 16) {
    refuse(operands.node, fmt::format("attribute stash_type is {}; only 1 (float32) is supported", *stash_type));
  }
  evaluate_range(operands, outputs, true);
}

void infer_constant_of_shape(const OperandTypes& operands, std::span<Type> outputs) {
  expect_operands(operands, outputs, 1, 1);
  expect_type(operands, 0, ElementType::int64);
  outputs[0] = Type::tensor(ElementType::undefined);
  if (attributes_known(operands)) outputs[0].element = repeated_element(operands).tensor()->type;
  const std::optional<std::int64_t> length = list_length(operands, 0);
  if (const std::optional<Integers> dims = constant_integers(operands, 0)) {
    outputs[0].shape = shape_if_it_fits(operands, [&] { return checked_dims(operands.node, *dims); });
  } else if (length && *length <= 64) {
    outputs[0].shape = Shape(static_cast<std::size_t>(*length));
  }
}

void infer_range_11(const OperandTypes& operands, std::span<Type> outputs) {
  infer_range(operands, outputs, false);
}

void infer_range_27(const OperandTypes& operands, std::span<Type> outputs) {
  infer_range(operands, outputs, true);
}

}  // namespace ifcert::kernels
