// The activation function that an operator's options fuse to it.
#include <fmt/format.h>

#include <optional>
#include <type_traits>
#include <utility>

#include "operators/elementwise.hpp"
#include "operators/tflite_operands.hpp"

namespace ifcert::kernels::tflite {
namespace {

/// Numbers below `low` become `low`, numbers above `high` become `high`.
struct Limits {
  std::int64_t low = 0;
  std::optional<std::int64_t> high = std::nullopt;
};

Limits limits_of(const Node& node, std::string_view activation) {
  if (activation == "RELU") return {};
  if (activation == "RELU_N1_TO_1") return {-1, 1};
  if (activation == "RELU6") return {0, 6};
  refuse_missing(node, fmt::format("the reference does not support fused_activation_function {}", activation));
}

/// A NaN is unchanged.
template <class T>
T limited(T element, const Limits& limits) {
  using Number = decltype(number_of(element));
  const auto number = number_of(element);
  const auto low = static_cast<Number>(std::is_unsigned_v<Number> && limits.low < 0 ? 0 : limits.low);
  if (number < low) return element_of<T>(low);
  if (limits.high && number > static_cast<Number>(*limits.high))
    return element_of<T>(static_cast<Number>(*limits.high));
  return element;
}

}  // namespace

Value activated(const Operands& operands, Value value) {
  const auto* activation = operands.attribute<std::string>("fused_activation_function");
  if (activation == nullptr || *activation == "NONE") return value;
  const Limits limits = limits_of(operands.node, *activation);
  const Tensor& tensor = *value.tensor();
  Value result;
  const bool done = visit_numeric(tensor.type, [&]<class T>() {
    result = each<T>(operands, tensor, [&](T element) { return limited(element, limits); });
  });
  if (!done) refuse_type(operands.node, tensor.type);
  return result;
}

}  // namespace ifcert::kernels::tflite
