// Functions that reach themselves.
#pragma once

#include <ifcert/diagnostic.hpp>
#include <ifcert/graph.hpp>
#include <vector>

namespace ifcert::rules {

/// For each function that a cycle of calls goes through, one diagnostic for cycles through a branch, which break
/// onnx/if/no-function-recursion, and one for others, which break onnx/model/no-function-recursion.
/// Sentence: proto-no-recursion.
std::vector<Diagnostic> find_recursion(const Model& model);

}  // namespace ifcert::rules
