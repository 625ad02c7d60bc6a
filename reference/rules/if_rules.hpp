// The rules of If that the graph form shows: one function each.
#pragma once

#include "findings.hpp"
#include "inference/inference.hpp"

namespace ifcert::rules {

using inference::IfSite;

/// Every rule that this If of ONNX breaks.
void check_if(const IfSite& site, Findings& findings);

/// Every rule that this If of OpenVINO breaks.
void check_openvino_if(const IfSite& site, Findings& findings);

}  // namespace ifcert::rules
