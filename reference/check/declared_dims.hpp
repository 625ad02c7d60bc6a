// Checks of declared dims that involve several values: shared dimension variables, and the shapes of the tensors in a
// sequence.
#pragma once

#include <ifcert/graph.hpp>
#include <vector>

#include "model/findings.hpp"

namespace ifcert::rules {

/// Checks the declarations of an ONNX model against its inferred types, types[graph][slot]. Bodies of functions are
/// skipped: their types are those of one call. Throws UnreadableModel where the model needs more steps than
/// budget_limit.
void check_declared_dims(const Model& model, const std::vector<std::vector<Type>>& types, Findings& findings);

}  // namespace ifcert::rules
