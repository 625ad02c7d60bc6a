// The operators of ONNX's own domain that the reference evaluates. The evaluator itself handles If, Loop, Scan,
// SequenceMap and calls.
#include <algorithm>
#include <array>

#include "model/name_table.hpp"
#include "operators/onnx_operators.hpp"

namespace ifcert::kernels {
namespace {

// Sorted by name, older versions first.
constexpr std::array onnx_table{
    Operator{"Abs", 1, evaluate_abs, infer_abs},
    Operator{"Add", 1, evaluate_add_1, infer_arithmetic_1},
    Operator{"Add", 7, evaluate_add_7, infer_arithmetic_7},
    Operator{"And", 1, evaluate_and_1, infer_logic_1},
    Operator{"And", 7, evaluate_and_7, infer_logic_7},
    Operator{"ArgMax", 1, evaluate_arg_max, infer_arg_min_or_max},
    Operator{"ArgMin", 1, evaluate_arg_min, infer_arg_min_or_max},
    Operator{"Cast", 1, evaluate_cast_1, infer_cast_1},
    Operator{"Cast", 6, evaluate_cast_6, infer_cast_6},
    Operator{"Cast", 24, evaluate_cast_24, infer_cast_6},
    Operator{"CastLike", 15, evaluate_cast_like_15, infer_cast_like},
    Operator{"CastLike", 24, evaluate_cast_like_24, infer_cast_like},
    Operator{"Ceil", 1, evaluate_ceil, infer_function},
    Operator{"Concat", 1, evaluate_concat_1, infer_concat_1},
    Operator{"Concat", 4, evaluate_concat_4, infer_concat_4},
    Operator{"ConcatFromSequence", 11, evaluate_concat_from_sequence, infer_concat_from_sequence},
    Operator{"Constant", 1, evaluate_constant, infer_constant},
    Operator{"ConstantOfShape", 9, evaluate_constant_of_shape, infer_constant_of_shape},
    Operator{"Conv", 1, evaluate_conv, infer_conv},
    Operator{"DequantizeLinear", 10, evaluate_dequantize_linear_10, infer_dequantize_linear_10},
    Operator{"DequantizeLinear", 13, evaluate_dequantize_linear_13, infer_dequantize_linear_13},
    Operator{"DequantizeLinear", 19, evaluate_dequantize_linear_19, infer_dequantize_linear_19},
    Operator{"DequantizeLinear", 21, evaluate_dequantize_linear_21, infer_dequantize_linear_21},
    Operator{"Div", 1, evaluate_div_1, infer_arithmetic_1},
    Operator{"Div", 7, evaluate_div_7, infer_arithmetic_7},
    Operator{"Equal", 1, evaluate_equal_1, infer_equal_1},
    Operator{"Equal", 7, evaluate_equal_7, infer_equal_7},
    Operator{"Exp", 1, evaluate_exp, infer_function},
    Operator{"Expand", 8, evaluate_expand, infer_expand},
    Operator{"Floor", 1, evaluate_floor, infer_function},
    Operator{"Gather", 1, evaluate_gather, infer_gather},
    Operator{"GatherElements", 11, evaluate_gather_elements, infer_gather_elements},
    Operator{"Gemm", 1, evaluate_gemm_1, infer_gemm},
    Operator{"Gemm", 7, evaluate_gemm_7, infer_gemm},
    Operator{"Greater", 1, evaluate_greater_1, infer_order_1},
    Operator{"Greater", 7, evaluate_greater_7, infer_order_7},
    Operator{"GreaterOrEqual", 12, evaluate_greater_or_equal, infer_order_7},
    Operator{"Identity", 1, evaluate_identity, infer_identity},
    Operator{"LSTM", 7, evaluate_lstm, infer_lstm},
    Operator{"Less", 1, evaluate_less_1, infer_order_1},
    Operator{"Less", 7, evaluate_less_7, infer_order_7},
    Operator{"LessOrEqual", 12, evaluate_less_or_equal, infer_order_7},
    Operator{"Log", 1, evaluate_log, infer_function},
    Operator{"MatMul", 1, evaluate_matmul, infer_matmul},
    Operator{"Max", 8, evaluate_max, infer_min_or_max},
    Operator{"Min", 8, evaluate_min, infer_min_or_max},
    Operator{"Mul", 1, evaluate_mul_1, infer_arithmetic_1},
    Operator{"Mul", 7, evaluate_mul_7, infer_arithmetic_7},
    Operator{"Neg", 1, evaluate_neg, infer_neg},
    Operator{"NonZero", 9, evaluate_non_zero, infer_non_zero},
    Operator{"Not", 1, evaluate_not, infer_not},
    Operator{"OneHot", 11, evaluate_one_hot, infer_one_hot},
    Operator{"Optional", 15, evaluate_optional, infer_optional},
    Operator{"OptionalGetElement", 15, evaluate_optional_get_element_15, infer_optional_get_element_15},
    Operator{"OptionalGetElement", 18, evaluate_optional_get_element_18, infer_optional_get_element_18},
    Operator{"OptionalHasElement", 15, evaluate_optional_has_element_15, infer_optional_has_element_15},
    Operator{"OptionalHasElement", 18, evaluate_optional_has_element_18, infer_optional_has_element_18},
    Operator{"Or", 1, evaluate_or_1, infer_logic_1},
    Operator{"Or", 7, evaluate_or_7, infer_logic_7},
    Operator{"Pad", 1, evaluate_pad_1, infer_pad_1},
    Operator{"Pad", 2, evaluate_pad_2, infer_pad_2},
    Operator{"Pad", 11, evaluate_pad_11, infer_pad_11},
    Operator{"Pad", 18, evaluate_pad_18, infer_pad_18},
    Operator{"Pad", 19, evaluate_pad_19, infer_pad_19},
    Operator{"Pow", 1, evaluate_pow_1, infer_pow_1},
    Operator{"Pow", 7, evaluate_pow_7, infer_pow_7},
    Operator{"Pow", 12, evaluate_pow_12, infer_pow_12},
    Operator{"QuantizeLinear", 10, evaluate_quantize_linear_10, infer_quantize_linear_10},
    Operator{"QuantizeLinear", 13, evaluate_quantize_linear_13, infer_quantize_linear_13},
    Operator{"QuantizeLinear", 21, evaluate_quantize_linear_21, infer_quantize_linear_21},
    Operator{"Range", 11, evaluate_range_11, infer_range_11},
    Operator{"Range", 27, evaluate_range_27, infer_range_27},
    Operator{"Reciprocal", 1, evaluate_reciprocal, infer_function},
    Operator{"ReduceMax", 1, evaluate_reduce_max_1, infer_reduce_by_attribute},
    Operator{"ReduceMax", 18, evaluate_reduce_max_18, infer_extreme_by_operand},
    Operator{"ReduceMean", 1, evaluate_reduce_mean_1, infer_reduce_by_attribute},
    Operator{"ReduceMean", 18, evaluate_reduce_mean_18, infer_reduce_by_operand},
    Operator{"ReduceMin", 1, evaluate_reduce_min_1, infer_reduce_by_attribute},
    Operator{"ReduceMin", 18, evaluate_reduce_min_18, infer_extreme_by_operand},
    Operator{"ReduceSum", 1, evaluate_reduce_sum_1, infer_reduce_by_attribute},
    Operator{"ReduceSum", 13, evaluate_reduce_sum_13, infer_reduce_by_operand},
    Operator{"Relu", 1, evaluate_relu, infer_relu},
    Operator{"Reshape", 1, evaluate_reshape_1, infer_reshape_1},
    Operator{"Reshape", 5, evaluate_reshape_5, infer_reshape_5},
    Operator{"SequenceAt", 11, evaluate_sequence_at, infer_sequence_at},
    Operator{"SequenceConstruct", 11, evaluate_sequence_construct, infer_sequence_construct},
    Operator{"SequenceEmpty", 11, evaluate_sequence_empty, infer_sequence_empty},
    Operator{"SequenceInsert", 11, evaluate_sequence_insert, infer_sequence_insert},
    Operator{"SequenceLength", 11, evaluate_sequence_length, infer_sequence_length},
    Operator{"Shape", 1, evaluate_shape, infer_shape},
    Operator{"Sigmoid", 1, evaluate_sigmoid, infer_function},
    Operator{"Sign", 9, evaluate_sign, infer_abs},
    Operator{"Size", 1, evaluate_size, infer_size},
    Operator{"Slice", 1, evaluate_slice_1, infer_slice_1},
    Operator{"Slice", 10, evaluate_slice_10, infer_slice_10},
    Operator{"Softmax", 1, evaluate_softmax_1, infer_softmax_1},
    Operator{"Softmax", 13, evaluate_softmax_13, infer_softmax_13},
    Operator{"Split", 1, evaluate_split_1, infer_split_1},
    Operator{"Split", 18, evaluate_split_18, infer_split_18},
    Operator{"Sqrt", 1, evaluate_sqrt, infer_function},
    Operator{"Squeeze", 1, evaluate_squeeze_1, infer_squeeze_1},
    Operator{"Squeeze", 13, evaluate_squeeze_13, infer_squeeze_13},
    Operator{"Sub", 1, evaluate_sub_1, infer_arithmetic_1},
    Operator{"Sub", 7, evaluate_sub_7, infer_arithmetic_7},
    Operator{"Tanh", 1, evaluate_tanh, infer_function},
    Operator{"Tile", 6, evaluate_tile, infer_tile},
    Operator{"Transpose", 1, evaluate_transpose, infer_transpose},
    Operator{"Unsqueeze", 1, evaluate_unsqueeze_1, infer_unsqueeze_1},
    Operator{"Unsqueeze", 13, evaluate_unsqueeze_13, infer_unsqueeze_13},
    Operator{"Where", 9, evaluate_where, infer_where},
    Operator{"Xor", 1, evaluate_xor_1, infer_logic_1},
    Operator{"Xor", 7, evaluate_xor_7, infer_logic_7},
};

static_assert(std::ranges::is_sorted(onnx_table, {}, &Operator::name));
constexpr NameTable by_name(onnx_table);

}  // namespace

const Operator* find_onnx_operator(std::string_view name, int version) {
  const Operator* in_force = nullptr;
  for (const Operator& row : by_name.find(name)) {
    if (row.since <= version) in_force = &row;
  }
  return in_force;
}

}  // namespace ifcert::kernels
