// A file of TensorFlow Lite with one operator of another file.
#pragma once

#include <ifcert/single_node.hpp>

namespace ifcert::tflite {

/// The model of one operator. It contains the file that was read, and in front of it a primary subgraph of its own, so
/// options and scales that the graph form lacks are there. Throws EvaluationError, without the place of the node.
SingleNodeModel single_operator(const DelegatedNode& node);

}  // namespace ifcert::tflite
