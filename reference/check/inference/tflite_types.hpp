// The types of the tensors of a TensorFlow Lite model, as the file declares them. Nothing is inferred from one operator
// to the next: a rule compares each operator's results with their declared types (check/tflite_rules.cpp).
#pragma once

#include <ifcert/graph.hpp>
#include <vector>

namespace ifcert::inference {

/// types[graph][slot]: the declared element type, with a shape only if the slot is a constant or an input of the main
/// graph. The shapes that the file declares for other tensors are only hints, and are left out.
std::vector<std::vector<Type>> tflite_types(const Model& model);

}  // namespace ifcert::inference
