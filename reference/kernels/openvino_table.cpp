// The operators of OpenVINO's operator sets that the reference evaluates. If is the evaluator's; Parameter, Result and
// Const are the reader's.
#include <array>

#include "kernels/openvino_operators.hpp"

namespace ifcert::kernels {
namespace {

// By name; of one name the older row first.
constexpr std::array operators{
    Operator{"Abs", 1, evaluate_abs, infer_abs},
    Operator{"Add", 1, openvino::evaluate_add, infer_arithmetic_7},
    Operator{"Broadcast", 1, openvino::evaluate_broadcast, openvino::infer_element},
    Operator{"Concat", 1, openvino::evaluate_concat, openvino::infer_element},
    Operator{"Convert", 1, openvino::evaluate_convert, openvino::infer_convert},
    Operator{"Divide", 1, openvino::evaluate_divide, infer_arithmetic_7},
    Operator{"Equal", 1, openvino::evaluate_equal, infer_equal_7},
    Operator{"Gather", 1, openvino::evaluate_gather, openvino::infer_element},
    Operator{"Greater", 1, openvino::evaluate_greater, infer_order_7},
    Operator{"Less", 1, openvino::evaluate_less, infer_order_7},
    Operator{"LogicalAnd", 1, openvino::evaluate_logical_and, infer_logic_7},
    Operator{"LogicalNot", 1, evaluate_not, infer_not},
    Operator{"LogicalOr", 1, openvino::evaluate_logical_or, infer_logic_7},
    Operator{"LogicalXor", 1, openvino::evaluate_logical_xor, infer_logic_7},
    Operator{"MatMul", 1, openvino::evaluate_matmul, openvino::infer_matmul},
    Operator{"Multiply", 1, openvino::evaluate_multiply, infer_arithmetic_7},
    Operator{"Negative", 1, evaluate_neg, infer_neg},
    Operator{"ReduceSum", 1, openvino::evaluate_reduce_sum, openvino::infer_element},
    Operator{"Relu", 1, evaluate_relu, infer_relu},
    Operator{"Reshape", 1, openvino::evaluate_reshape, openvino::infer_element},
    Operator{"ShapeOf", 1, openvino::evaluate_shape_of, openvino::infer_shape_of},
    Operator{"Sigmoid", 1, evaluate_sigmoid, infer_function},
    Operator{"Split", 1, openvino::evaluate_split, openvino::infer_element},
    Operator{"Squeeze", 1, openvino::evaluate_squeeze, openvino::infer_element},
    Operator{"Subtract", 1, openvino::evaluate_subtract, infer_arithmetic_7},
    Operator{"Tanh", 1, evaluate_tanh, infer_function},
    Operator{"Tile", 1, openvino::evaluate_tile, openvino::infer_element},
    Operator{"Transpose", 1, openvino::evaluate_transpose, openvino::infer_element},
    Operator{"Unsqueeze", 1, openvino::evaluate_unsqueeze, openvino::infer_element},
};

}  // namespace

const Operator* find_openvino_operator(std::string_view name, int version) {
  const Operator* in_force = nullptr;
  for (const Operator& row : operators) {
    if (row.name == name && row.since <= version) in_force = &row;
  }
  return in_force;
}

}  // namespace ifcert::kernels
