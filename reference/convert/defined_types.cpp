#include "convert/defined_types.hpp"

#include <algorithm>
#include <span>

namespace ifcert::translation {
namespace {

using enum ElementType;

constexpr ElementTypes truths{boolean};
constexpr ElementTypes int32_or_64{int32, int64};
constexpr ElementTypes all_integers{int2, int4, int8, int16, int32, int64, uint2, uint4, uint8, uint16, uint32, uint64};
constexpr ElementTypes all_floats{float16,    bfloat16,       float32,    float64,        float8e4m3fn,
                                  float8e5m2, float8e4m3fnuz, float8e8m0, float8e5m2fnuz, float4e2m1};
constexpr ElementTypes any = truths | all_integers | all_floats | ElementTypes{complex64, complex128, string};

// TensorFlow Lite: the "tfl" dialect of MLIR (google-ai-edge/LiteRT, tflite/converter/ir/tfl_ops.td), "arguments" and
// "results" of each operator. Types that it has for quantized tensors alone (QI8, QUI8, QI16) are left out, since no
// scales are written.
constexpr ElementTypes ordered{float32, int32, int64};
constexpr std::array tflite_types{
    DefinedTypes{"ABS", {{{int16, int32, float32}}}},
    DefinedTypes{"ADD", {{{float32, float16, int16, int32, int64}}}},
    DefinedTypes{"CAST",
                 {{{float16, bfloat16, float8e4m3fn, float8e5m2, float32, float64, boolean, int2, int4, uint4, int16,
                    uint16, int32, uint32, int64, uint8, int8, complex64}}},
                 {float16, bfloat16, float8e4m3fn, float8e5m2, float32, float64, boolean, int2, int4, uint4, int16,
                  uint16, int32, uint32, int64, uint8, int8, complex64}},
    DefinedTypes{"CONCATENATION",
                 {{{float32, float16, float8e4m3fn, float8e5m2, int64, int32, int16, int8, uint8, uint32, boolean}}}},
    DefinedTypes{"DIV", {{{float32, float16, int32}}}},
    DefinedTypes{"EQUAL", {{{boolean, float32, int16, int32, int64, uint8, string}}}},
    DefinedTypes{"EXPAND_DIMS", {any, int32_or_64}},
    DefinedTypes{"FILL", {int32_or_64, {float32, float16, float8e4m3fn, float8e5m2, int32, int64, boolean, string}}},
    DefinedTypes{"GATHER",
                 {{{float32, float8e4m3fn, float8e5m2, boolean, int4, int8, int16, int32, int64, string, uint8},
                   {int16, int32, int64}}}},
    DefinedTypes{"GREATER", {ordered}},
    DefinedTypes{"GREATER_EQUAL", {ordered | ElementTypes{int16}}},
    DefinedTypes{"LESS", {ordered | ElementTypes{int16}}},
    DefinedTypes{"LESS_EQUAL", {ordered}},
    DefinedTypes{"LOGICAL_AND", {truths}},
    DefinedTypes{"LOGICAL_NOT", {truths}},
    DefinedTypes{"LOGICAL_OR", {truths}},
    DefinedTypes{"MAXIMUM", {ordered | ElementTypes{float16}}},
    DefinedTypes{"MINIMUM", {ordered}},
    DefinedTypes{"MUL", {{{float32, float16, int32, uint32, int64, int16, complex64}}}},
    DefinedTypes{"NEG", {ordered}},
    DefinedTypes{"NOT_EQUAL", {{{boolean, float32, int32, int64, string}}}},
    DefinedTypes{"RESHAPE", {any, {int32}}},
    DefinedTypes{"SELECT_V2", {truths, {float32, float16, boolean, int8, int16, int32, int64, uint32}}},
    DefinedTypes{"SHAPE", {any}, int32_or_64},
    DefinedTypes{"SLICE", {{{float32, float16, int32, int64, int8, uint8, uint32, boolean, string}, int32_or_64}}},
    DefinedTypes{"SUB", {ordered | ElementTypes{float16}}},
    DefinedTypes{"SUM", {{{float32, float16, int32, int64}, {int32}}}},
    DefinedTypes{"TRANSPOSE", {{{int32, float32, float16, bfloat16, int8, uint8, int4, boolean, int64}, {int32}}}},
};

// Types of these pages that LiteRT 2.3.0 refuses (EQUAL ends the process), with its own kernels. They are not written
// either. (reference/tests/e2e/operator_types_test.py runs every other pair of an operator and a type.)
struct Lack {
  std::string_view operation;
  ElementType type;
};
constexpr std::array litert_lacks_types{
    Lack{"DIV", float16},
    Lack{"EQUAL", uint8},
    Lack{"SUB", float16},
    Lack{"SUM", float16},
};

// OpenVINO IR: the page of each operation ("Operation Specifications"), "Types". "Any numeric type" of operations that
// only move elements is read as including booleans, as OpenVINO does (docs/doubts.md), but not strings.
constexpr ElementTypes numeric = all_integers | all_floats;
constexpr ElementTypes moved = numeric | truths;
constexpr ElementTypes negatable = all_floats | ElementTypes{int2, int4, int8, int16, int32, int64};
constexpr std::array openvino_types{
    DefinedTypes{"Abs", {numeric}},                      // Abs-1
    DefinedTypes{"Add", {numeric}},                      // Add-1
    DefinedTypes{"Broadcast", {moved, all_integers}},    // Broadcast-3
    DefinedTypes{"Concat", {moved}},                     // Concat-1
    DefinedTypes{"Convert", {any}},                      // Convert-1
    DefinedTypes{"Divide", {numeric}},                   // Divide-1
    DefinedTypes{"Equal", {any}},                        // Equal-1
    DefinedTypes{"Gather", {any, all_integers}},         // Gather-8
    DefinedTypes{"Greater", {any}},                      // Greater-1
    DefinedTypes{"Less", {any}},                         // Less-1
    DefinedTypes{"LogicalAnd", {truths}},                // LogicalAnd-1
    DefinedTypes{"LogicalNot", {truths}},                // LogicalNot-1
    DefinedTypes{"LogicalOr", {truths}},                 // LogicalOr-1
    DefinedTypes{"LogicalXor", {truths}},                // LogicalXor-1
    DefinedTypes{"MatMul", {numeric}},                   // MatMul-1
    DefinedTypes{"Multiply", {numeric}},                 // Multiply-1
    DefinedTypes{"Negative", {negatable}},               // Negative-1
    DefinedTypes{"ReLU", {numeric}},                     // ReLU-1
    DefinedTypes{"ReduceSum", {numeric, all_integers}},  // ReduceSum-1
    DefinedTypes{"Reshape", {moved, all_integers}},      // Reshape-1
    DefinedTypes{"Select", {truths, moved}},             // Select-1
    DefinedTypes{"ShapeOf", {moved}},                    // ShapeOf-3
    DefinedTypes{"Sigmoid", {all_floats}},               // Sigmoid-1
    DefinedTypes{"Slice", {any, all_integers}},          // Slice-8
    DefinedTypes{"Split", {any, all_integers}},          // Split-1
    DefinedTypes{"Squeeze", {moved, all_integers}},      // Squeeze-1
    DefinedTypes{"Subtract", {numeric}},                 // Subtract-1
    DefinedTypes{"Tanh", {numeric}},                     // Tanh-1
    DefinedTypes{"Tile", {any, all_integers}},           // Tile-1
    DefinedTypes{"Transpose", {any, all_integers}},      // Transpose-1
    DefinedTypes{"Unsqueeze", {moved, all_integers}},    // Unsqueeze-1
};

// ONNX: the page of each operator ("Operator Schemas"), "Type Constraints", as of opset 16; Equal has strings from 19
// on.
constexpr ElementTypes wide_integers{int32, int64, uint32, uint64};
constexpr ElementTypes signed_integers{int8, int16, int32, int64};
constexpr ElementTypes computed_floats{float16, bfloat16, float32, float64};
constexpr ElementTypes computed = signed_integers | computed_floats | ElementTypes{uint8, uint16, uint32, uint64};
constexpr std::array onnx_types{
    DefinedTypes{"Abs", {computed}},                                        // Abs-13
    DefinedTypes{"Add", {computed}},                                        // Add-14
    DefinedTypes{"Div", {computed}},                                        // Div-14
    DefinedTypes{"Equal", {computed | truths | ElementTypes{string}}},      // Equal-13, -19
    DefinedTypes{"Greater", {computed}},                                    // Greater-13
    DefinedTypes{"Less", {computed}},                                       // Less-13
    DefinedTypes{"MatMul", {wide_integers | computed_floats}},              // MatMul-13
    DefinedTypes{"Mul", {computed}},                                        // Mul-14
    DefinedTypes{"Neg", {signed_integers | computed_floats}},               // Neg-13
    DefinedTypes{"ReduceSum", {wide_integers | computed_floats, {int64}}},  // ReduceSum-13
    DefinedTypes{"Relu", {signed_integers | computed_floats}},              // Relu-14
    DefinedTypes{"Sigmoid", {computed_floats}},                             // Sigmoid-13
    DefinedTypes{"Sub", {computed}},                                        // Sub-14
    DefinedTypes{"Tanh", {computed_floats}},                                // Tanh-13
};

std::span<const DefinedTypes> rows_of(Format format) {
  if (format == Format::onnx) return onnx_types;
  return format == Format::tflite ? std::span<const DefinedTypes>(tflite_types) : std::span(openvino_types);
}

}  // namespace

bool litert_lacks(std::string_view operation, ElementType type) {
  return std::ranges::any_of(litert_lacks_types,
                             [&](const Lack& lack) { return lack.operation == operation && lack.type == type; });
}

const DefinedTypes* defined_types(Format format, std::string_view operation) {
  const std::span<const DefinedTypes> rows = rows_of(format);
  const auto row = std::ranges::find(rows, operation, &DefinedTypes::operation);
  return row == rows.end() ? nullptr : &*row;
}

}  // namespace ifcert::translation
