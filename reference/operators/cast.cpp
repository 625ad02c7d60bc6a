// Cast and CastLike: between all numeric types, bool and string. Complex is not among Cast's types.
#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <ifcert/elements.hpp>

#include "model/onnx_element_types.hpp"
#include "operators/onnx_operators.hpp"
#include "operators/result.hpp"

namespace ifcert::kernels {
namespace {

// Without an exponent; and the literals that Cast reserves. Sentence: operators-cast-plain-text.
template <class T>
std::string plain_text(T value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value < 0 ? "-INF" : "INF";
  std::array<char, 1100> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed).ptr;
  return {text.data(), end};
}

std::string cast_text(const Tensor& tensor, std::uint64_t index) {
  const Number number = read_number(tensor, index);
  const double* real = std::get_if<double>(&number);
  if (real == nullptr) return std::visit([](auto value) { return fmt::to_string(value); }, number);
  return tensor.type == ElementType::float64 ? plain_text(*real) : plain_text(static_cast<float>(*real));
}

template <class T>
bool parse(std::string_view text, T& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size();
}

// Integers exactly; other numbers in the requested floating-point type, so that they are rounded once.
Number number_in(const Node& node, const std::string& string, ElementType to) {
  std::string_view text = string;
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  if (std::int64_t value = 0; parse(text, value)) return value;
  if (std::uint64_t value = 0; parse(text, value)) return value;
  if (float value = 0; to == ElementType::float32 && parse(text, value)) return double{value};
  if (double value = 0; parse(text, value)) return value;
  if (long double value = 0; parse(text, value)) return static_cast<double>(value);  // 1e400: infinity, 1e-400: zero
  refuse(node, fmt::format("\"{}\" is not a number", string));
}

void expect_castable(const Node& node, ElementType type, std::string_view direction) {
  if (type == ElementType::undefined || type == ElementType::complex64 || type == ElementType::complex128) {
    refuse(node, fmt::format("cannot cast {} tensor({})", direction, name_of(type)));
  }
}

void cast_element(const Node& node, const Tensor& tensor, std::uint64_t i, ElementType to, const Rounding& rounding,
                  Result& result) {
  if (to == ElementType::string) return result.set_string(i, cast_text(tensor, i));
  const Number number =
      tensor.type == ElementType::string ? number_in(node, tensor.strings[i], to) : read_number(tensor, i);
  write_number(result.bytes(), to, i, number, rounding);
}

/// The work of writing or reading a number as text. A text may be long: "000…1".
std::uint64_t steps_of_text(const Tensor& tensor, std::uint64_t i) {
  constexpr std::uint64_t steps_of_a_number = 100;
  constexpr std::uint64_t steps_of_a_digit = 10;
  return steps_of_a_number + (tensor.type == ElementType::string ? tensor.strings[i].size() * steps_of_a_digit : 0);
}

Value cast(const Operands& operands, const Tensor& tensor, ElementType to, const Rounding& rounding) {
  const bool strings = to == ElementType::string || tensor.type == ElementType::string;
  Result result(operands, to, tensor.dims);
  in_pieces(operands.work, result.count(), [&](std::uint64_t first, std::uint64_t last) {
    for (std::uint64_t i = first; i < last; ++i) {
      if (strings) operands.work.tick(steps_of_text(tensor, i));
      cast_element(operands.node, tensor, i, to, rounding, result);
    }
  });
  return std::move(result).value();
}

void evaluate_cast(const Operands& operands, std::span<Value> outputs, ElementType to, const Rounding& rounding) {
  const Tensor& tensor = tensor_operand(operands, 0);
  expect_castable(operands.node, tensor.type, "from");
  expect_castable(operands.node, to, "to");
  outputs[0] = tensor.type == to ? operands.inputs[0] : cast(operands, tensor, to, rounding);
}

template <class Number, class Context>
ElementType target(const Context& operands) {
  const auto* to = operands.template attribute<Number>("to");
  if (to == nullptr) refuse(operands.node, "attribute to is missing");
  const ElementType type = onnx::element_type_of(*to);
  if (type == ElementType::undefined)
    refuse(operands.node, fmt::format("attribute to is {}, which is not an element type", *to));
  return type;
}

template <class Context>
Rounding rounding_of(const Context& operands) {
  Rounding rounding;
  if (const auto* saturate = operands.template attribute<std::int64_t>("saturate")) rounding.saturate = *saturate != 0;
  const auto* mode = operands.template attribute<std::string>("round_mode");
  if (mode == nullptr || *mode == "up") return rounding;
  if (*mode != "down" && *mode != "nearest") {
    refuse(operands.node, fmt::format("attribute round_mode is \"{}\"; expected up, down or nearest", *mode));
  }
  rounding.e8m0 = *mode == "down" ? Rounding::E8m0::down : Rounding::E8m0::nearest;
  return rounding;
}

template <class Number>
void infer_cast(const OperandTypes& operands, std::span<Type> outputs) {
  expect_operands(operands, outputs, 1, 1);
  const Type& type = tensor_type(operands, 0);
  if (type.element != ElementType::undefined) expect_castable(operands.node, type.element, "from");
  const bool known = attributes_known(operands);
  if (known) expect_castable(operands.node, target<Number>(operands), "to");
  outputs[0] = Type::tensor(known ? target<Number>(operands) : ElementType::undefined, type.shape);
}

}  // namespace

void evaluate_cast_1(const Operands& operands, std::span<Value> outputs) {
  expect_operands(operands, outputs, 1);
  evaluate_cast(operands, outputs, target<std::string>(operands), {});
}

void evaluate_cast_6(const Operands& operands, std::span<Value> outputs) {
  expect_operands(operands, outputs, 1);
  Rounding rounding = rounding_of(operands);
  rounding.infinity_saturates_fnuz = false;
  evaluate_cast(operands, outputs, target<std::int64_t>(operands), rounding);
}

void evaluate_cast_24(const Operands& operands, std::span<Value> outputs) {
  expect_operands(operands, outputs, 1);
  evaluate_cast(operands, outputs, target<std::int64_t>(operands), rounding_of(operands));
}

void evaluate_cast_like_15(const Operands& operands, std::span<Value> outputs) {
  expect_operands(operands, outputs, 2);
  Rounding rounding = rounding_of(operands);
  rounding.infinity_saturates_fnuz = false;
  evaluate_cast(operands, outputs, tensor_operand(operands, 1).type, rounding);
}

void evaluate_cast_like_24(const Operands& operands, std::span<Value> outputs) {
  expect_operands(operands, outputs, 2);
  evaluate_cast(operands, outputs, tensor_operand(operands, 1).type, rounding_of(operands));
}

void infer_cast_1(const OperandTypes& operands, std::span<Type> outputs) {
  infer_cast<std::string>(operands, outputs);
}

void infer_cast_6(const OperandTypes& operands, std::span<Type> outputs) {
  if (attributes_known(operands)) rounding_of(operands);
  infer_cast<std::int64_t>(operands, outputs);
}

void infer_cast_like(const OperandTypes& operands, std::span<Type> outputs) {
  expect_operands(operands, outputs, 2, 2);
  if (attributes_known(operands)) rounding_of(operands);
  const Type& type = tensor_type(operands, 0);
  const ElementType to = element_type(operands, 1);
  if (type.element != ElementType::undefined) expect_castable(operands.node, type.element, "from");
  if (to != ElementType::undefined) expect_castable(operands.node, to, "to");
  outputs[0] = Type::tensor(to, type.shape);
}

}  // namespace ifcert::kernels
