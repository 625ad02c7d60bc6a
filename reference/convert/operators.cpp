#include "convert/operators.hpp"

#include <algorithm>
#include <array>

namespace ifcert::translation {
namespace {

// By ONNX's name.
constexpr std::array openvino_rows{
    Row{"Abs", 1, "Abs", 1, to_layers::renamed, to_nodes::renamed},
    Row{"Add", 7, "Add", 1, to_layers::renamed, to_nodes::pairwise},
    Row{"And", 7, "LogicalAnd", 1, to_layers::renamed, to_nodes::pairwise},
    Row{"Cast", 6, "Convert", 1, to_layers::cast, to_nodes::convert},
    Row{"Concat", 4, "Concat", 1, to_layers::concat, to_nodes::concat},
    Row{"ConstantOfShape", 9, "Broadcast", 3, to_layers::constant_of_shape, nullptr},
    Row{"Div", 7, "Divide", 1, to_layers::divide, to_nodes::divide},
    Row{"Equal", 7, "Equal", 1, to_layers::renamed, to_nodes::pairwise},
    Row{"Expand", 8, "Broadcast", 3, to_layers::expand, to_nodes::broadcast},
    Row{"Gather", 1, "Gather", 8, to_layers::gather, to_nodes::gather},
    Row{"Greater", 7, "Greater", 1, to_layers::renamed, to_nodes::pairwise},
    Row{"Less", 7, "Less", 1, to_layers::renamed, to_nodes::pairwise},
    Row{"MatMul", 1, "MatMul", 1, to_layers::renamed, to_nodes::matmul},
    Row{"Mul", 7, "Multiply", 1, to_layers::renamed, to_nodes::pairwise},
    Row{"Neg", 1, "Negative", 1, to_layers::renamed, to_nodes::renamed},
    Row{"Not", 1, "LogicalNot", 1, to_layers::renamed, to_nodes::renamed},
    Row{"Or", 7, "LogicalOr", 1, to_layers::renamed, to_nodes::pairwise},
    Row{"ReduceSum", 1, "ReduceSum", 1, to_layers::reduce_sum, to_nodes::reduce_sum},
    Row{"Relu", 1, "ReLU", 1, to_layers::renamed, to_nodes::renamed},
    Row{"Reshape", 1, "Reshape", 1, to_layers::reshape, to_nodes::reshape},
    Row{"Shape", 1, "ShapeOf", 3, to_layers::shape_of, to_nodes::shape_of},
    Row{"Sigmoid", 1, "Sigmoid", 1, to_layers::renamed, to_nodes::renamed},
    Row{"Slice", 1, "Slice", 8, to_layers::slice, to_nodes::slice},
    Row{"Split", 1, "Split", 1, to_layers::split, to_nodes::split},
    Row{"Squeeze", 1, "Squeeze", 1, to_layers::squeeze, to_nodes::squeeze},
    Row{"Sub", 7, "Subtract", 1, to_layers::renamed, to_nodes::pairwise},
    Row{"Tanh", 1, "Tanh", 1, to_layers::renamed, to_nodes::renamed},
    Row{"Tile", 6, "Tile", 1, to_layers::renamed, to_nodes::tile},
    Row{"Transpose", 1, "Transpose", 1, to_layers::transpose, to_nodes::transpose},
    Row{"Unsqueeze", 1, "Unsqueeze", 1, to_layers::unsqueeze, to_nodes::unsqueeze},
    Row{"Where", 9, "Select", 1, to_layers::renamed, to_nodes::pairwise},
    Row{"Xor", 7, "LogicalXor", 1, to_layers::renamed, to_nodes::pairwise},
};

}  // namespace

const Row* row_of_node(std::string_view op, int version) {
  const auto row =
      std::ranges::find_if(openvino_rows, [&](const Row& it) { return it.node == op && it.since <= version; });
  return row == openvino_rows.end() ? nullptr : &*row;
}

const Row* row_of_layer(std::string_view type) {
  const auto row =
      std::ranges::find_if(openvino_rows, [&](const Row& it) { return it.layer == type && it.to_nodes != nullptr; });
  return row == openvino_rows.end() ? nullptr : &*row;
}

}  // namespace ifcert::translation
