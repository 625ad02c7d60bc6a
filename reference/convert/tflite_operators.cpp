#include "convert/tflite_operators.hpp"

#include <algorithm>
#include <array>

namespace ifcert::translation {
namespace {

// By ONNX's name.
constexpr std::array tflite_rows{
    TfliteRow{"Abs", 1, "ABS", to_operators::renamed, from_operators::renamed},
    TfliteRow{"Add", 7, "ADD", to_operators::renamed, from_operators::activated},
    TfliteRow{"And", 7, "LOGICAL_AND", to_operators::renamed, from_operators::renamed},
    TfliteRow{"Cast", 6, "CAST", to_operators::cast, from_operators::cast},
    TfliteRow{"CastLike", 15, "CAST", to_operators::cast_like, nullptr},
    TfliteRow{"Concat", 4, "CONCATENATION", to_operators::concat, from_operators::concatenation},
    TfliteRow{"Concat", 4, "PACK", nullptr, from_operators::pack},
    TfliteRow{"ConstantOfShape", 9, "FILL", to_operators::constant_of_shape, nullptr},
    TfliteRow{"Div", 7, "DIV", to_operators::renamed, from_operators::activated},
    TfliteRow{"Equal", 7, "EQUAL", to_operators::renamed, from_operators::renamed},
    TfliteRow{"Expand", 8, "FILL", to_operators::expand, from_operators::fill},
    TfliteRow{"Gather", 1, "GATHER", to_operators::gather, from_operators::gather},
    TfliteRow{"Greater", 7, "GREATER", to_operators::renamed, from_operators::renamed},
    TfliteRow{"GreaterOrEqual", 12, "GREATER_EQUAL", to_operators::renamed, from_operators::greater_equal},
    TfliteRow{"Less", 7, "LESS", to_operators::renamed, from_operators::renamed},
    TfliteRow{"LessOrEqual", 12, "LESS_EQUAL", to_operators::renamed, from_operators::less_equal},
    TfliteRow{"Mul", 7, "MUL", to_operators::renamed, from_operators::activated},
    TfliteRow{"Neg", 1, "NEG", to_operators::renamed, from_operators::renamed},
    TfliteRow{"Not", 1, "LOGICAL_NOT", to_operators::renamed, from_operators::renamed},
    TfliteRow{"Or", 7, "LOGICAL_OR", to_operators::renamed, from_operators::renamed},
    TfliteRow{"ReduceSum", 1, "SUM", to_operators::reduce_sum, from_operators::sum},
    TfliteRow{"Relu", 1, "MAXIMUM", to_operators::relu, nullptr},
    TfliteRow{"Reshape", 1, "RESHAPE", to_operators::reshape, from_operators::reshape},
    TfliteRow{"Shape", 1, "SHAPE", to_operators::shape, from_operators::shape},
    TfliteRow{"Slice", 1, "SLICE", to_operators::slice, from_operators::slice},
    TfliteRow{"Squeeze", 1, "RESHAPE", to_operators::squeeze, nullptr},
    TfliteRow{"Squeeze", 1, "SQUEEZE", nullptr, from_operators::squeeze},
    TfliteRow{"Sub", 7, "SUB", to_operators::renamed, from_operators::activated},
    TfliteRow{"Transpose", 1, "TRANSPOSE", to_operators::transpose, from_operators::transpose},
    TfliteRow{"Unsqueeze", 1, "EXPAND_DIMS", to_operators::unsqueeze, from_operators::expand_dims},
    TfliteRow{"Where", 9, "MAXIMUM", nullptr, from_operators::maximum},
    TfliteRow{"Where", 9, "MINIMUM", nullptr, from_operators::minimum},
    TfliteRow{"Where", 9, "SELECT", nullptr, from_operators::select},
    TfliteRow{"Where", 9, "SELECT_V2", to_operators::renamed, from_operators::renamed},
    TfliteRow{"Xor", 7, "NOT_EQUAL", to_operators::renamed, from_operators::not_equal},
};

}  // namespace

const TfliteRow* tflite_row_of_node(std::string_view op, int version) {
  const auto row = std::ranges::find_if(tflite_rows, [&](const TfliteRow& it) {
    return it.node == op && it.since <= version && it.to_operators != nullptr;
  });
  return row == tflite_rows.end() ? nullptr : &*row;
}

const TfliteRow* tflite_row_of_operator(std::string_view name) {
  const auto row = std::ranges::find_if(
      tflite_rows, [&](const TfliteRow& it) { return it.operation == name && it.to_nodes != nullptr; });
  return row == tflite_rows.end() ? nullptr : &*row;
}

}  // namespace ifcert::translation
