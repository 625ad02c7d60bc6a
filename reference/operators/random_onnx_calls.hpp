// Random calls of ONNX's operators, for the tests of all of them.
#pragma once

#include "operators/random_operands.hpp"

namespace ifcert::kernels {

inline constexpr std::array<Signature, 64> onnx_signatures{{
    {"Abs", "t"},
    {"Add", "tt"},
    {"And", "bb"},
    {"ArgMax", "t"},
    {"Cast", "t"},
    {"CastLike", "tt"},
    {"Concat", "tt"},
    {"Constant", ""},
    {"ConstantOfShape", "l"},
    {"Conv", "xw"},
    {"DequantizeLinear", "tf"},
    {"Div", "tt"},
    {"Equal", "tt"},
    {"Exp", "f"},
    {"Expand", "tl"},
    {"Gather", "tl"},
    {"Gemm", "mm"},
    {"Greater", "tt"},
    {"GreaterOrEqual", "tt"},
    {"Identity", "t"},
    {"LSTM", "xgg"},
    {"Less", "tt"},
    {"LessOrEqual", "tt"},
    {"MatMul", "mm"},
    {"Max", "ttt"},
    {"Min", "tt"},
    {"Mul", "tt"},
    {"Neg", "t"},
    {"NonZero", "t"},
    {"Not", "b"},
    {"OneHot", "liL"},
    {"Optional", "t"},
    {"OptionalGetElement", "o"},
    {"OptionalHasElement", "o"},
    {"Or", "bb"},
    {"Pad", "tL"},
    {"Pow", "ff"},
    {"QuantizeLinear", "ff"},
    {"Range", "iii"},
    {"ReduceMax", "tl"},
    {"ReduceMean", "tl"},
    {"ReduceMin", "tl"},
    {"ReduceSum", "tl"},
    {"Relu", "f"},
    {"Reshape", "tl"},
    {"SequenceAt", "si"},
    {"SequenceConstruct", "ttt"},
    {"SequenceEmpty", ""},
    {"SequenceLength", "s"},
    {"Shape", "t"},
    {"Sigmoid", "f"},
    {"Sign", "t"},
    {"Size", "t"},
    {"Slice", "tllll"},
    {"Softmax", "f"},
    {"Split", "tl"},
    {"Sqrt", "f"},
    {"Squeeze", "tl"},
    {"Tanh", "f"},
    {"Tile", "tl"},
    {"Transpose", "t"},
    {"Unsqueeze", "tl"},
    {"Where", "btt"},
    {"Xor", "bb"},
}};

inline Call random_onnx_call(Random& random) {
  Call call = random.call_of_any(onnx_signatures);
  constexpr std::array<std::string_view, 32> attributes{
      "axis",        "axes",     "broadcast",   "to",           "start",      "end",          "starts",    "ends",
      "shape",       "keepdims", "allowzero",   "value",        "value_int",  "dtype",        "type",      "perm",
      "pads",        "strides",  "group",       "kernel_shape", "dilations",  "split",        "mode",      "transA",
      "hidden_size", "layout",   "num_outputs", "round_mode",   "block_size", "output_dtype", "precision", "saturate"};
  for (const std::string_view name : attributes) {
    if (random.one_in(12)) call.attributes.emplace(name, random.attribute());
  }
  if (!random.one_in(8)) call.attributes.insert_or_assign("to", random.between(0, 26));
  if (!random.one_in(8)) call.attributes.insert_or_assign("axis", random.between(-2, 2));
  return call;
}

}  // namespace ifcert::kernels
