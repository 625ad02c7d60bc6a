// The texts of repr().
#pragma once

#include <ifcert/diagnostic.hpp>
#include <ifcert/graph.hpp>
#include <ifcert/rules.hpp>
#include <string>
#include <vector>

namespace ifcert::python {

/// On one line, and cut where it is long: <ifcert.Model "choice": ONNX, opset 16, cond: bool[] -> y: float32[2]; legal>
std::string representation(const Model& model, const std::vector<Diagnostic>& found);
std::string representation(const Diagnostic& diagnostic);
std::string representation(const Rule& rule);

}  // namespace ifcert::python
