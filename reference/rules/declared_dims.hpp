// What the dims that a model declares say together: variables that values share, shapes that the tensors of a sequence
// share.
#pragma once

#include <ifcert/graph.hpp>
#include <vector>

#include "findings.hpp"

namespace ifcert::rules {

/// Holds the declarations of an ONNX model against its inferred types, types[graph][slot]. Bodies of functions are left
/// out: their types are those of one call. Throws UnreadableModel where the model asks for more steps than
/// budget_limit.
void check_declared_dims(const Model& model, const std::vector<std::vector<Type>>& types, Findings& findings);

}  // namespace ifcert::rules
