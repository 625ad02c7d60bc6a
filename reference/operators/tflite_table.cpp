// The operators of TensorFlow Lite that the reference evaluates, named as the schema's BuiltinOperator names them. The
// evaluator handles If and While. Versions of an operator differ in types and options, never in meaning, so that each
// row holds for all versions.
#include <array>

#include "operators/tflite_operators.hpp"

namespace ifcert::kernels {
namespace {

constexpr std::array tflite_table{
    Operator{"ABS", 1, evaluate_abs, infer_abs},
    Operator{"ADD", 1, tflite::evaluate_add, infer_arithmetic_7},
    Operator{"CAST", 1, tflite::evaluate_cast, tflite::infer_cast, cost_of_a_conversion},
    Operator{"CONCATENATION", 1, tflite::evaluate_concatenation, tflite::infer_concatenation},
    Operator{"DIV", 1, tflite::evaluate_div, infer_arithmetic_7},
    Operator{"EQUAL", 1, evaluate_equal_7, infer_equal_7},
    Operator{"EXPAND_DIMS", 1, tflite::evaluate_expand_dims, tflite::infer_expand_dims},
    Operator{"FILL", 1, tflite::evaluate_fill, tflite::infer_fill},
    Operator{"GATHER", 1, tflite::evaluate_gather, tflite::infer_gather},
    Operator{"GREATER", 1, evaluate_greater_7, infer_order_7},
    Operator{"GREATER_EQUAL", 1, tflite::evaluate_greater_equal, infer_order_7},
    Operator{"LESS", 1, evaluate_less_7, infer_order_7},
    Operator{"LESS_EQUAL", 1, tflite::evaluate_less_equal, infer_order_7},
    Operator{"LOGICAL_AND", 1, evaluate_and_7, infer_logic_7},
    Operator{"LOGICAL_NOT", 1, evaluate_not, infer_not},
    Operator{"LOGICAL_OR", 1, evaluate_or_7, infer_logic_7},
    Operator{"MAXIMUM", 1, tflite::evaluate_maximum, infer_arithmetic_7},
    Operator{"MINIMUM", 1, tflite::evaluate_minimum, infer_arithmetic_7},
    Operator{"MUL", 1, tflite::evaluate_mul, infer_arithmetic_7},
    Operator{"NEG", 1, evaluate_neg, infer_neg},
    Operator{"NOT_EQUAL", 1, tflite::evaluate_not_equal, infer_equal_7},
    Operator{"PACK", 1, tflite::evaluate_pack, tflite::infer_pack},
    Operator{"RESHAPE", 1, tflite::evaluate_reshape, tflite::infer_reshape},
    Operator{"SELECT", 1, tflite::evaluate_select, tflite::infer_select},
    Operator{"SELECT_V2", 1, evaluate_where, infer_where},
    Operator{"SHAPE", 1, tflite::evaluate_shape, tflite::infer_shape},
    Operator{"SLICE", 1, tflite::evaluate_slice, tflite::infer_slice},
    Operator{"SUB", 1, tflite::evaluate_sub, infer_arithmetic_7},
    Operator{"SUM", 1, tflite::evaluate_sum, tflite::infer_sum},
    Operator{"TRANSPOSE", 1, tflite::evaluate_transpose, tflite::infer_transpose},
};

}  // namespace

const Operator* find_tflite_operator(std::string_view name) {
  for (const Operator& row : tflite_table) {
    if (row.name == name) return &row;
  }
  return nullptr;
}

}  // namespace ifcert::kernels
