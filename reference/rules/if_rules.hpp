// The rules of If that can be checked on the graph form.
#pragma once

#include "findings.hpp"
#include "rules/inference.hpp"

namespace ifcert::checker {

/// Reports every rule that an If of ONNX breaks.
void check_if(const IfSite& site, Findings& findings);

/// Reports every rule that an If of OpenVINO breaks.
void check_openvino_if(const IfSite& site, Findings& findings);

}  // namespace ifcert::checker
