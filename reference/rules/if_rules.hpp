// The rules of If that can be checked on the graph form.
#pragma once

#include "findings.hpp"
#include "inference/inference.hpp"

namespace ifcert::rules {

using inference::IfSite;

/// Reports every rule that an If of ONNX breaks.
void check_if(const IfSite& site, Findings& findings);

/// Reports every rule that an If of OpenVINO breaks.
void check_openvino_if(const IfSite& site, Findings& findings);

}  // namespace ifcert::rules
