// The table of operators: how a node of ONNX becomes operators of TensorFlow Lite, and an operator nodes of ONNX. If,
// loops, constants and Identity are translated elsewhere (from_onnx.cpp, to_onnx.cpp, onnx_to_tflite.cpp,
// tflite_to_onnx.cpp).
#pragma once

#include <string_view>

#include "convert/translation_site.hpp"

namespace ifcert::translation {

struct TfliteRow;
using TranslateTflite = void(const TfliteRow& row, TranslationSite& site);

struct TfliteRow {
  std::string_view node;          // ONNX's name
  int since;                      // its oldest version that the row covers
  std::string_view operation;     // the schema's name
  TranslateTflite* to_operators;  // nullptr where another row translates the node
  TranslateTflite* to_nodes;      // nullptr where another row translates the operator
};

/// The row of a node, or of an operator; nullptr where there is none.
const TfliteRow* tflite_row_of_node(std::string_view op, int version);
const TfliteRow* tflite_row_of_operator(std::string_view name);

namespace to_operators {
TranslateTflite renamed;
TranslateTflite cast;
TranslateTflite cast_like;
TranslateTflite concat;
TranslateTflite constant_of_shape;
TranslateTflite expand;
TranslateTflite gather;
TranslateTflite reduce_sum;
TranslateTflite relu;
TranslateTflite reshape;
TranslateTflite shape;
TranslateTflite slice;
TranslateTflite squeeze;
TranslateTflite transpose;
TranslateTflite unsqueeze;
}  // namespace to_operators

namespace from_operators {
TranslateTflite renamed;
TranslateTflite activated;
TranslateTflite cast;
TranslateTflite concatenation;
TranslateTflite expand_dims;
TranslateTflite fill;
TranslateTflite gather;
TranslateTflite greater_equal;
TranslateTflite less_equal;
TranslateTflite maximum;
TranslateTflite minimum;
TranslateTflite not_equal;
TranslateTflite pack;
TranslateTflite reshape;
TranslateTflite select;
TranslateTflite shape;
TranslateTflite slice;
TranslateTflite squeeze;
TranslateTflite sum;
TranslateTflite transpose;
}  // namespace from_operators

}  // namespace ifcert::translation
