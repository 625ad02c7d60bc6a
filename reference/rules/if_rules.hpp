// The rules of ONNX's If that the graph form shows: one function each.
#pragma once

#include "findings.hpp"
#include "rules/inference.hpp"

namespace ifcert::checker {

/// Every rule that this If breaks.
void check_if(const IfSite& site, Findings& findings);

}  // namespace ifcert::checker
