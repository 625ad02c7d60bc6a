// The rules of TensorFlow Lite that can be checked on the graph form.
#pragma once

#include <ifcert/graph.hpp>
#include <span>
#include <vector>

#include "model/findings.hpp"

namespace ifcert::rules {

/// Reports every rule that If and While break, and every operator whose tensors can never fit it. Each subgraph is
/// checked once, because every tensor of the format states its element type: types[graph][slot]. Throws UnreadableModel
/// where the model needs more steps than budget_limit.
void check_tflite(const Model& model, std::span<const std::vector<Type>> types, Findings& findings);

}  // namespace ifcert::rules
