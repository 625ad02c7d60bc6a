// The rules of TensorFlow Lite that can be checked on the graph form.
#pragma once

#include <ifcert/graph.hpp>
#include <span>
#include <vector>

#include "budget.hpp"
#include "findings.hpp"

namespace ifcert::rules {

/// Reports every rule that If and While break, and every operator whose tensors can never fit it. Each subgraph is
/// checked once, because every tensor of the format states its element type: types[graph][slot]. Throws UnreadableModel
/// where the model needs more steps than budget_limit.
void check_tflite(const Model& model, std::span<const std::vector<Type>> types, Findings& findings);

/// The same for operator `number` of a graph, which is not an If or While; `types` are the types of the graph's slots.
/// The number of steps depends on the dimensions of the operands.
void check_tflite_operator(const Graph& graph, std::size_t number, std::span<const Type> types, Budget& steps,
                           Findings& findings);

}  // namespace ifcert::rules
