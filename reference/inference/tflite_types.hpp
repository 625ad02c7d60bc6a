// The types of TensorFlow Lite's tensors, which the file declares.
#pragma once

#include <ifcert/graph.hpp>
#include <vector>

namespace ifcert::inference {

/// The types of every slot: element types as declared, and shapes of the user's inputs and of constants; the others'
/// shapes are hints.
std::vector<std::vector<Type>> tflite_types(const Model& model);

}  // namespace ifcert::inference
