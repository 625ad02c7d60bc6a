// The rules of If in ONNX and OpenVINO that can be checked on the graph form.
#pragma once

#include <string_view>

#include "check/inference/inference.hpp"
#include "model/findings.hpp"

namespace ifcert::rules {

using inference::InferredIfSite;

/// A rule, and its check of one If.
struct IfRule {
  std::string_view name;
  void (*check)(const InferredIfSite& site, const Report& report);
};

/// Reports every rule that an If of ONNX breaks.
void check_onnx_if(const InferredIfSite& site, Findings& findings);

/// Reports every rule that an If of OpenVINO breaks.
void check_openvino_if(const InferredIfSite& site, Findings& findings);

}  // namespace ifcert::rules
