// The types of TensorFlow Lite's tensors, which the file declares.
#pragma once

#include <ifcert/graph.hpp>
#include <vector>

namespace ifcert::inference {

/// The types of every slot: the declared element types. Only the main graph's inputs and constants have shapes; the
/// shapes that the file declares for other tensors are only hints, and left out.
std::vector<std::vector<Type>> tflite_types(const Model& model);

}  // namespace ifcert::inference
