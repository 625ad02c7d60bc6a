// Functions that reach themselves.
#pragma once

#include <ifcert/diagnostic.hpp>
#include <ifcert/graph.hpp>
#include <vector>

namespace ifcert::rules {

/// "recursive reference is not allowed" (onnx.proto, ModelProto.functions): one diagnostic for each function that a
/// cycle of calls goes through. A cycle through a branch breaks onnx/if/no-function-recursion, any other
/// onnx/model/no-function-recursion.
std::vector<Diagnostic> find_recursion(const Model& model);

}  // namespace ifcert::rules
