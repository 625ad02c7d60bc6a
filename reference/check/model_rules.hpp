// The rules that check() applies to the graph form beside those of If, each in a file of its own: declared_dims.cpp,
// recursion.cpp and tflite_rules.cpp.
#pragma once

#include <ifcert/diagnostic.hpp>
#include <ifcert/graph.hpp>
#include <span>
#include <vector>

#include "model/findings.hpp"

namespace ifcert::rules {

/// Checks the declarations of an ONNX model against its inferred types, types[graph][slot]. Bodies of functions are
/// skipped: their types are those of one call. Throws UnreadableModel where the model needs more steps than
/// budget_limit.
void check_declared_dims(const Model& model, const std::vector<std::vector<Type>>& types, Findings& findings);

/// For each function that a cycle of calls goes through, one diagnostic for cycles through a branch, which break
/// onnx/if/no-function-recursion, and one for others, which break onnx/model/no-function-recursion.
/// Sentence: proto-no-recursion.
std::vector<Diagnostic> find_recursion(const Model& model);

/// Reports every rule that If and While break, and every operator whose tensors can never fit it. Each subgraph is
/// checked once, because every tensor of the format states its element type: types[graph][slot]. Throws UnreadableModel
/// where the model needs more steps than budget_limit.
void check_tflite(const Model& model, std::span<const std::vector<Type>> types, Findings& findings);

}  // namespace ifcert::rules
