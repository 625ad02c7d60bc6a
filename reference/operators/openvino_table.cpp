// The operators of OpenVINO's operator sets that the reference evaluates. The evaluator handles If; the reader
// handles Parameter, Result and Const.
#include <array>

#include "operators/openvino_operators.hpp"

namespace ifcert::kernels {
namespace {

using openvino::Elements;

// Sorted by name, older versions first.
constexpr std::array openvino_table{
    Operator{"Abs", 1, openvino::evaluate_each<evaluate_abs, infer_abs, Elements::numbers>,
             openvino::infer_each<infer_abs, Elements::numbers>},
    Operator{"Add", 1, openvino::evaluate_add, openvino::infer_pair_of<infer_arithmetic_7, Elements::numbers>},
    Operator{"Broadcast", 1, openvino::evaluate_broadcast, openvino::infer_broadcast},
    Operator{"Concat", 1, openvino::evaluate_concat, openvino::infer_concat},
    Operator{"Convert", 1, openvino::evaluate_convert, openvino::infer_convert, cost_of_a_conversion},
    Operator{"ConvertLike", 1, evaluate_cast_like_24, infer_cast_like, cost_of_a_conversion},
    Operator{"Divide", 1, openvino::evaluate_divide, openvino::infer_divide},
    Operator{"Equal", 1, openvino::evaluate_equal, openvino::infer_pair_of<infer_equal_7, Elements::any>},
    Operator{"Gather", 1, openvino::evaluate_gather, openvino::infer_gather},
    Operator{"Greater", 1, openvino::evaluate_greater, openvino::infer_pair_of<infer_order_7, Elements::any>},
    Operator{"Identity", 16, evaluate_identity, infer_identity},
    Operator{"Less", 1, openvino::evaluate_less, openvino::infer_pair_of<infer_order_7, Elements::any>},
    Operator{"LogicalAnd", 1, openvino::evaluate_logical_and, openvino::infer_pairwise<infer_logic_7>},
    Operator{"LogicalNot", 1, evaluate_not, infer_not},
    Operator{"LogicalOr", 1, openvino::evaluate_logical_or, openvino::infer_pairwise<infer_logic_7>},
    Operator{"LogicalXor", 1, openvino::evaluate_logical_xor, openvino::infer_pairwise<infer_logic_7>},
    Operator{"MatMul", 1, openvino::evaluate_matmul, openvino::infer_matmul},
    Operator{"Multiply", 1, openvino::evaluate_multiply,
             openvino::infer_pair_of<infer_arithmetic_7, Elements::numbers>},
    Operator{"Negative", 1, openvino::evaluate_each<evaluate_neg, infer_neg, Elements::signed_numbers>,
             openvino::infer_each<infer_neg, Elements::signed_numbers>},
    Operator{"Power", 1, openvino::evaluate_power, openvino::infer_pair_of<infer_pow_12, Elements::numbers>,
             cost_of_a_function},
    Operator{"Range", 1, openvino::evaluate_range, openvino::infer_range},
    Operator{"ReLU", 1, openvino::evaluate_each<evaluate_relu, infer_relu, Elements::numbers>,
             openvino::infer_each<infer_relu, Elements::numbers>},
    Operator{"ReduceMax", 1, openvino::evaluate_reduce_max, openvino::infer_reduce},
    Operator{"ReduceMean", 1, openvino::evaluate_reduce_mean, openvino::infer_reduce},
    Operator{"ReduceProd", 1, openvino::evaluate_reduce_prod, openvino::infer_reduce},
    Operator{"ReduceSum", 1, openvino::evaluate_reduce_sum, openvino::infer_reduce},
    Operator{"Reshape", 1, openvino::evaluate_reshape, openvino::infer_reshape},
    Operator{"Select", 1, openvino::evaluate_select, openvino::infer_select},
    Operator{"ShapeOf", 1, openvino::evaluate_shape_of, openvino::infer_shape_of},
    Operator{"Sigmoid", 1, openvino::evaluate_each<evaluate_sigmoid, infer_function, Elements::floating>,
             openvino::infer_each<infer_function, Elements::floating>, cost_of_a_function},
    Operator{"Slice", 8, openvino::evaluate_slice, openvino::infer_slice},
    Operator{"Split", 1, openvino::evaluate_split, openvino::infer_split},
    Operator{"Sqrt", 1, openvino::evaluate_each<evaluate_sqrt, infer_function, Elements::numbers>,
             openvino::infer_each<infer_function, Elements::numbers>, cost_of_a_function},
    Operator{"Squeeze", 1, openvino::evaluate_squeeze, openvino::infer_squeeze},
    Operator{"Subtract", 1, openvino::evaluate_subtract,
             openvino::infer_pair_of<infer_arithmetic_7, Elements::numbers>},
    Operator{"Tanh", 1, openvino::evaluate_each<evaluate_tanh, infer_function, Elements::numbers>,
             openvino::infer_each<infer_function, Elements::numbers>, cost_of_a_function},
    Operator{"Tile", 1, openvino::evaluate_tile, openvino::infer_tile},
    Operator{"Transpose", 1, openvino::evaluate_transpose, openvino::infer_transpose},
    Operator{"Unsqueeze", 1, openvino::evaluate_unsqueeze, openvino::infer_unsqueeze},
};

}  // namespace

const Operator* find_openvino_operator(std::string_view name, int version) {
  const Operator* in_force = nullptr;
  for (const Operator& row : openvino_table) {
    if (row.name == name && row.since <= version) in_force = &row;
  }
  return in_force;
}

}  // namespace ifcert::kernels
