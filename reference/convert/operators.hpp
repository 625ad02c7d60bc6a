// The table of operators: how a node of ONNX becomes layers of OpenVINO IR, and a layer nodes of ONNX. If, constants
// and Identity are translated elsewhere (from_onnx.cpp, to_onnx.cpp).
#pragma once

#include <string_view>

#include "convert/translation_site.hpp"

namespace ifcert::translation {

struct Row;
using Translate = void(const Row& row, TranslationSite& site);

struct Row {
  std::string_view node;  // ONNX's name
  int since;              // its oldest version that the row covers
  std::string_view layer;
  int opset;  // the operator set of the layer that is written
  Translate* to_layers;
  Translate* to_nodes;  // nullptr where another row translates the layer
};

/// The row of a node, or of a layer; nullptr where there is none.
const Row* row_of_node(std::string_view op, int version);
const Row* row_of_layer(std::string_view type);

namespace to_layers {
Translate renamed;
Translate divide;
Translate cast;
Translate concat;
Translate constant_of_shape;
Translate expand;
Translate gather;
Translate reduce_sum;
Translate reshape;
Translate shape_of;
Translate slice;
Translate split;
Translate squeeze;
Translate transpose;
Translate unsqueeze;
}  // namespace to_layers

namespace to_nodes {
Translate renamed;
Translate pairwise;
Translate divide;
Translate broadcast;
Translate concat;
Translate convert;
Translate gather;
Translate matmul;
Translate reduce_sum;
Translate reshape;
Translate shape_of;
Translate slice;
Translate split;
Translate squeeze;
Translate tile;
Translate transpose;
Translate unsqueeze;
}  // namespace to_nodes

}  // namespace ifcert::translation
