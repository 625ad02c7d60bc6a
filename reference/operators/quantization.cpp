// QuantizeLinear and DequantizeLinear: integers of few bits that stand for floating-point numbers.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ifcert/elements.hpp>

#include "model/onnx_element_types.hpp"
#include "operators/numeric.hpp"
#include "operators/onnx_operators.hpp"
#include "operators/result.hpp"

namespace ifcert::kernels {
namespace {

constexpr std::size_t scale_operand = 1;
constexpr std::size_t zero_point_operand = 2;

// Versions 13 and 21 of the two operators. (is_per_tensor_in_rank_1 has what 19 adds.)
constexpr int per_axis_from = 13;
constexpr int blocks_and_types_from = 21;

// Which element of the scale, and of the zero point, belongs to an element of x. The scale has `scales` layers along an
// axis on which x has `length`; `block` layers of x share one of the scale, and `step` elements are one layer apart.
// Within a layer they share one element unless the scale is blocked.
struct Granularity {
  std::uint64_t length = 1;
  std::uint64_t step = 1;
  std::uint64_t block = 1;
  std::uint64_t scales = 1;
  bool blocked = false;

  std::uint64_t scale_of(std::uint64_t i) const {
    const std::uint64_t layer = i / step % length / block;
    return blocked ? (i / step / length * scales + layer) * step + i % step : layer;
  }
};

template <class Context>
std::int64_t integer_attribute(const Context& operands, std::string_view name, std::int64_t otherwise) {
  const auto* value = operands.template attribute<std::int64_t>(name);
  return value == nullptr ? otherwise : *value;
}

[[noreturn]] void refuse_scale(const Node& node, const Dims& dims, const Dims& scale) {
  refuse(node, fmt::format("the scale has the shape {}, which does not fit the shape {} of x",
                           to_string(static_shape(scale)), to_string(static_shape(dims))));
}

bool may_be_equal(std::int64_t dim, std::int64_t other) {
  return dim < 0 || other < 0 || dim == other;
}

// Along the axis, there is one scale for each block.
// Sentences: operators-quantizelinear-blocked, operators-quantizelinear-scales-of-blocks.
void expect_blocks(const Node& node, const Dims& dims, const Dims& scale, std::size_t axis, std::int64_t block) {
  // Sentence: operators-quantizelinear-block-size.
  if (block < 1) refuse(node, fmt::format("attribute block_size is {}; expected a positive number", block));
  for (std::size_t i = 0; i < dims.size(); ++i) {
    const bool rounds_up = i == axis && dims[i] > 0;
    const std::int64_t expected = rounds_up ? (dims[i] - 1) / block + 1 : dims[i];
    if (!may_be_equal(scale[i], expected)) refuse_scale(node, dims, scale);
  }
}

// DequantizeLinear has the sentence in version 19, QuantizeLinear from 21 on; from 21 on DequantizeLinear refers to it.
// Sentences: operators-quantizelinear-rank-1, operators-dequantizelinear-19-rank-1,
// operators-dequantizelinear-granularity.
bool is_per_tensor_in_rank_1(const Node& node, int version) {
  return version >= (node.op == "DequantizeLinear" ? 19 : 21);
}

// Refuses a scale that fits no granularity. Dims are -1 where they are unknown; then the granularity means nothing.
template <class Context>
Granularity granularity_of(const Context& operands, const Dims& dims, const Dims& scale, int version) {
  // Sentence: operators-quantizelinear-per-tensor.
  if (scale.empty()) return {};
  // Sentence: operators-quantizelinear-10-scale.
  if (version < per_axis_from) refuse(operands.node, fmt::format("the scale has rank {}; expected 0", scale.size()));
  const std::int64_t block = version < blocks_and_types_from ? 0 : integer_attribute(operands, "block_size", 0);
  const bool one_scale = scale.size() == 1 && may_be_equal(scale[0], 1) && block == 0;
  if (dims.size() == 1 && one_scale && is_per_tensor_in_rank_1(operands.node, version)) return {};
  const std::size_t axis = axis_from_front(operands.node, integer_attribute(operands, "axis", 1), dims.size());
  const bool blocked = scale.size() == dims.size() && (scale.size() > 1 || block != 0);
  if (blocked && version >= blocks_and_types_from) {
    expect_blocks(operands.node, dims, scale, axis, block);
  } else if (scale.size() != 1 || !may_be_equal(scale[0], dims[axis])) {
    // Sentence: operators-quantizelinear-per-axis.
    refuse_scale(operands.node, dims, scale);
  }
  if (std::ranges::any_of(dims, [](std::int64_t dim) { return dim <= 0; })) return {};
  const std::uint64_t step = count_between(dims, axis + 1, dims.size());
  return {static_cast<std::uint64_t>(dims[axis]), step, blocked ? static_cast<std::uint64_t>(block) : 1,
          static_cast<std::uint64_t>(scale[blocked ? axis : 0]), blocked};
}

// The integers that QuantizeLinear returns in any version.
bool is_quantized_integer(ElementType type) {
  switch (type) {
    case ElementType::int8:
    case ElementType::uint8:
    case ElementType::int16:
    case ElementType::uint16:
    case ElementType::int4:
    case ElementType::uint4:
    case ElementType::int2:
    case ElementType::uint2:
      return true;
    default:
      return false;
  }
}

// The types that DequantizeLinear accepts in any version: the same, int32, and the floating-point types of 8 and 4
// bits.
bool is_dequantizable(ElementType type) {
  if (is_quantized_integer(type) || type == ElementType::int32) return true;
  return is_small_float(type) && !is_floating(type) && type != ElementType::float8e8m0;
}

bool is_floating_scale(ElementType type) {
  return type != ElementType::float64 && is_floating(type);
}

// To the least or the greatest value of the type. Sentence: operators-quantizelinear-saturation.
std::int64_t saturated(ElementType type, double value) {
  const auto bits = static_cast<int>(bits_of(type));
  const bool no_sign = is_unsigned(type) || type == ElementType::uint4 || type == ElementType::uint2;
  const double least = no_sign ? 0 : -std::ldexp(1, bits - 1);
  const double greatest = std::ldexp(1, no_sign ? bits : bits - 1) - 1;
  return static_cast<std::int64_t>(std::clamp(value, least, greatest));
}

double real(const Tensor& tensor, std::uint64_t index) {
  return std::visit([](auto number) { return static_cast<double>(number); }, read_number(tensor, index));
}

// Whether it may be one element, as a scalar or a list.
bool may_be_single(const Dims& dims) {
  return dims.empty() || (dims.size() == 1 && may_be_equal(dims.front(), 1));
}

// The operators' own examples have a zero point of shape [1] for a scale that is a scalar (docs/doubts.md).
// Sentence: operators-quantizelinear-zero-point-shape.
void expect_shape_of_scale(const Node& node, const Dims& zero_point, const Dims& scale) {
  if (std::ranges::equal(zero_point, scale, may_be_equal)) return;
  if (may_be_single(zero_point) && may_be_single(scale)) return;
  refuse(node, fmt::format("the zero point has the shape {}; expected that of the scale, {}",
                           to_string(static_shape(zero_point)), to_string(static_shape(scale))));
}

// x, the scale, and the zero point where there is one.
struct Quantizing {
  const Tensor& x;
  const Tensor& scale;
  const Tensor* zero_point;
  Granularity granularity;

  double zero(std::uint64_t at) const { return zero_point == nullptr ? 0 : real(*zero_point, at); }
};

Quantizing quantizing_operands(const Operands& operands, std::span<const Value> outputs, int version) {
  expect_operands(operands, outputs, 3);
  const Tensor& x = tensor_operand(operands, 0);
  const Tensor& scale = tensor_operand(operands, scale_operand);
  const bool given = !operands.input(zero_point_operand).empty();
  const Tensor* zero_point = given ? &tensor_operand(operands, zero_point_operand) : nullptr;
  if (zero_point != nullptr) expect_shape_of_scale(operands.node, zero_point->dims, scale.dims);
  return {x, scale, zero_point, granularity_of(operands, x.dims, scale.dims, version)};
}

// The attribute's element type; undefined where it is left out, or does not exist in that version.
template <class Context>
ElementType type_attribute(const Context& operands, std::string_view name, int version) {
  const std::int64_t number =
      version < blocks_and_types_from ? 0 : integer_attribute(operands, name, 0);  // 0 where it is not supplied
  const ElementType type = onnx::element_type_of(number);
  if (number != 0 && type == ElementType::undefined) {
    refuse(operands.node, fmt::format("attribute {} is {}, which is not an element type", name, number));
  }
  return type;
}

// The zero point is undefined where it is left out or not known. Sentence: operators-quantizelinear-21-both-types.
template <class Context>
ElementType requested_type(const Context& operands, ElementType zero_point, int version) {
  const ElementType requested = type_attribute(operands, "output_dtype", version);
  if (requested != ElementType::undefined && zero_point != ElementType::undefined && requested != zero_point) {
    refuse(operands.node, fmt::format("attribute output_dtype is {}, but the zero point is tensor({})",
                                      name_of(requested), name_of(zero_point)));
  }
  return requested;
}

// Sentences: operators-quantizelinear-21-inferred-type, operators-quantizelinear-uint8.
ElementType quantized_type(const Operands& operands, const Tensor* zero_point, int version) {
  const ElementType given = zero_point == nullptr ? ElementType::undefined : zero_point->type;
  const ElementType requested = requested_type(operands, given, version);
  if (zero_point != nullptr) return given;
  return requested == ElementType::undefined ? ElementType::uint8 : requested;
}

[[noreturn]] void refuse_evaluation(const Node& node, const std::string& what) {
  refuse_missing(node, fmt::format("the reference does not evaluate {}", what));
}

// Only one precision for all three is evaluated. Sentence: operators-quantizelinear-precision.
void expect_one_precision(const Operands& operands, const Quantizing& given, ElementType precision) {
  const bool other = precision != ElementType::undefined && precision != given.scale.type;
  if (!other && given.x.type == given.scale.type && is_floating_scale(given.scale.type)) return;
  refuse_evaluation(operands.node, fmt::format("tensor({}) and a scale that is tensor({}){}", name_of(given.x.type),
                                               name_of(given.scale.type),
                                               other ? fmt::format(" with precision {}", name_of(precision)) : ""));
}

// Sentences: operators-quantizelinear-formula, operators-quantizelinear-rounding.
void evaluate_quantize(const Operands& operands, std::span<Value> outputs, int version) {
  const Quantizing given = quantizing_operands(operands, outputs, version);
  const ElementType type = quantized_type(operands, given.zero_point, version);
  if (!is_quantized_integer(type)) {
    refuse_evaluation(operands.node, fmt::format("a result that is tensor({})", name_of(type)));
  }
  expect_one_precision(operands, given, type_attribute(operands, "precision", version));
  Result result(operands, type, given.x.dims);
  visit_floating(given.x.type, [&]<class T>() {
    const auto x = given.x.elements<T>();
    const auto scale = given.scale.elements<T>();
    in_pieces(operands.work, result.count(), [&](std::uint64_t first, std::uint64_t last) {
      for (std::uint64_t i = first; i < last; ++i) {
        const std::uint64_t at = given.granularity.scale_of(i);
        const T quotient = element_of<T>(number_of(x[i]) / number_of(scale[at]));
        const double rounded = std::nearbyint(static_cast<double>(number_of(quotient)));
        if (std::isnan(rounded)) refuse(operands.node, "a quotient is NaN, which is not an integer");
        write_number(result.bytes(), type, i, saturated(type, rounded + given.zero(at)));
      }
    });
  });
  outputs[0] = std::move(result).value();
}

void expect_dequantizable(const Operands& operands, const Quantizing& given, int version) {
  const ElementType type = given.x.type;
  if (given.zero_point != nullptr) expect_same_type(operands, 0, zero_point_operand);
  if (!is_dequantizable(type)) {
    refuse(operands.node, fmt::format("operand 0 is tensor({}), which it does not accept", name_of(type)));
  }
  // Sentence: operators-dequantizelinear-output-type.
  const ElementType requested = type_attribute(operands, "output_dtype", version);
  const bool other = requested != ElementType::undefined && requested != given.scale.type;
  if (other || !is_floating_scale(given.scale.type)) {
    refuse_evaluation(operands.node, fmt::format("a scale that is tensor({}){}", name_of(given.scale.type),
                                                 other ? fmt::format(" for {}", name_of(requested)) : ""));
  }
}

// Sentences: operators-dequantizelinear-formula, operators-dequantizelinear-precision.
void evaluate_dequantize(const Operands& operands, std::span<Value> outputs, int version) {
  const Quantizing given = quantizing_operands(operands, outputs, version);
  expect_dequantizable(operands, given, version);
  const bool without_zero = given.x.type == ElementType::int32;
  Result result(operands, given.scale.type, given.x.dims);
  visit_floating(given.scale.type, [&]<class T>() {
    const auto y = result.elements<T>();
    const auto scale = given.scale.elements<T>();
    in_pieces(operands.work, y.size(), [&](std::uint64_t first, std::uint64_t last) {
      for (std::uint64_t i = first; i < last; ++i) {
        const std::uint64_t at = given.granularity.scale_of(i);
        const double zero = given.zero(at);
        // Sentence: operators-dequantizelinear-int32.
        if (without_zero && zero != 0) refuse(operands.node, "a zero point of tensor(int32) is not 0");
        const T difference = element_of<T>(real(given.x, i) - zero);
        y[i] = element_of<T>(number_of(difference) * number_of(scale[at]));
      }
    });
  });
  outputs[0] = std::move(result).value();
}

// The result has the shape of x; a scale that cannot fit it is a misfit.
Type quantizing_type(const OperandTypes& operands, std::span<const Type> outputs, ElementType element, int version) {
  expect_operands(operands, outputs, 2, 3);
  const Type& x = tensor_type(operands, 0);
  const std::optional<Dims> dims = dims_of(operands, 0);
  const std::optional<Dims> scale = dims_of(operands, scale_operand);
  const std::optional<Dims> zero_point = dims_of(operands, zero_point_operand);
  shape_if_it_fits(operands, [&] {
    if (scale && zero_point) expect_shape_of_scale(operands.node, *zero_point, *scale);
    if (dims && scale && attributes_known(operands)) granularity_of(operands, *dims, *scale, version);
    return Dims{};
  });
  return Type::tensor(element, x.shape);
}

// Refuses an operand of a known element type that no version accepts.
template <class Accepts>
void expect_accepted(const OperandTypes& operands, std::size_t i, Accepts accepts) {
  const ElementType type = element_type(operands, i);
  if (type == ElementType::undefined || accepts(type)) return;
  refuse(operands.node, fmt::format("operand {} is tensor({}), which it does not accept", i, name_of(type)));
}

// What is quantized, and a scale: T1 and T2 of QuantizeLinear, T2 of DequantizeLinear, in any version.
bool is_quantizable(ElementType type) {
  return is_floating_scale(type) || type == ElementType::int32;
}

bool is_scale(ElementType type) {
  return is_quantizable(type) || type == ElementType::float8e8m0;
}

bool is_dequantized_scale(ElementType type) {
  return is_floating_scale(type) || type == ElementType::float8e8m0;
}

bool is_quantized(ElementType type) {
  return is_dequantizable(type) && type != ElementType::int32;
}

void infer_quantize(const OperandTypes& operands, std::span<Type> outputs, int version) {
  expect_accepted(operands, 0, is_quantizable);
  expect_accepted(operands, scale_operand, is_scale);
  expect_accepted(operands, zero_point_operand, is_quantized);
  ElementType element = element_type(operands, zero_point_operand);
  if (version < blocks_and_types_from || attributes_known(operands)) {
    type_attribute(operands, "precision", version);
    const ElementType requested = requested_type(operands, element, version);
    if (is_left_out(operands, zero_point_operand))
      element = requested == ElementType::undefined ? ElementType::uint8 : requested;
  }
  outputs[0] = quantizing_type(operands, outputs, element, version);
}

void infer_dequantize(const OperandTypes& operands, std::span<Type> outputs, int version) {
  expect_accepted(operands, 0, is_dequantizable);
  expect_accepted(operands, scale_operand, is_dequantized_scale);
  const ElementType x = element_type(operands, 0);
  const ElementType zero_point = element_type(operands, zero_point_operand);
  if (x != ElementType::undefined && zero_point != ElementType::undefined && x != zero_point)
    refuse(operands.node,
           fmt::format("operand 2 is tensor({}), but operand 0 is tensor({})", name_of(zero_point), name_of(x)));
  ElementType element = ElementType::undefined;
  if (version < blocks_and_types_from || attributes_known(operands)) {
    element = type_attribute(operands, "output_dtype", version);
    if (element == ElementType::undefined) element = element_type(operands, scale_operand);
  }
  outputs[0] = quantizing_type(operands, outputs, element, version);
}

}  // namespace

void evaluate_quantize_linear_10(const Operands& operands, std::span<Value> outputs) {
  evaluate_quantize(operands, outputs, 10);
}

void evaluate_quantize_linear_13(const Operands& operands, std::span<Value> outputs) {
  evaluate_quantize(operands, outputs, 13);
}

void evaluate_quantize_linear_21(const Operands& operands, std::span<Value> outputs) {
  evaluate_quantize(operands, outputs, 21);
}

void evaluate_dequantize_linear_10(const Operands& operands, std::span<Value> outputs) {
  evaluate_dequantize(operands, outputs, 10);
}

void evaluate_dequantize_linear_13(const Operands& operands, std::span<Value> outputs) {
  evaluate_dequantize(operands, outputs, 13);
}

void evaluate_dequantize_linear_19(const Operands& operands, std::span<Value> outputs) {
  evaluate_dequantize(operands, outputs, 19);
}

void evaluate_dequantize_linear_21(const Operands& operands, std::span<Value> outputs) {
  evaluate_dequantize(operands, outputs, 21);
}

void infer_quantize_linear_10(const OperandTypes& operands, std::span<Type> outputs) {
  infer_quantize(operands, outputs, 10);
}

void infer_quantize_linear_13(const OperandTypes& operands, std::span<Type> outputs) {
  infer_quantize(operands, outputs, 13);
}

void infer_quantize_linear_21(const OperandTypes& operands, std::span<Type> outputs) {
  infer_quantize(operands, outputs, 21);
}

void infer_dequantize_linear_10(const OperandTypes& operands, std::span<Type> outputs) {
  infer_dequantize(operands, outputs, 10);
}

void infer_dequantize_linear_13(const OperandTypes& operands, std::span<Type> outputs) {
  infer_dequantize(operands, outputs, 13);
}

void infer_dequantize_linear_19(const OperandTypes& operands, std::span<Type> outputs) {
  infer_dequantize(operands, outputs, 19);
}

void infer_dequantize_linear_21(const OperandTypes& operands, std::span<Type> outputs) {
  infer_dequantize(operands, outputs, 21);
}

}  // namespace ifcert::kernels
