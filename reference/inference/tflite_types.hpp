// The types of TensorFlow Lite's tensors, which the file declares.
#pragma once

#include <ifcert/graph.hpp>
#include <vector>

namespace ifcert::inference {

/// The types of every slot: the declared element types. Only constants, and the inputs of the main graph, have shapes;
/// those that the file declares for other tensors are only hints, and are left out.
std::vector<std::vector<Type>> tflite_types(const Model& model);

}  // namespace ifcert::inference
