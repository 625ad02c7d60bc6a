// The rules of TensorFlow Lite that the graph form shows.
#pragma once

#include <ifcert/graph.hpp>
#include <span>
#include <vector>

#include "budget.hpp"
#include "findings.hpp"

namespace ifcert::rules {

/// Every rule that If and While break, and every operator whose tensors can never fit it. Each subgraph is looked at
/// once, whoever enters it: every tensor of the format says its element type. Throws UnreadableModel where the model
/// asks for more steps than budget_limit.
void check_tflite(const Model& model, Findings& findings);

/// The same of operator `number`, which is no If and no While, of that graph; `types` are those of its slots. It costs
/// steps as its operands have dimensions.
void check_tflite_operator(const Graph& graph, std::size_t number, std::span<const Type> types, Budget& steps,
                           Findings& findings);

}  // namespace ifcert::rules
