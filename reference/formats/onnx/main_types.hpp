// The types of the main graph's inputs and outputs. Nested graphs may leave theirs out.
#pragma once

#include "formats/onnx/proto.hpp"
#include "model/findings.hpp"
#include "model/place.hpp"

namespace ifcert::onnx {

/// Reports each input and output of the main graph that has no type.
void check_main_types(const proto::Graph& main, const Place& place, Findings& findings);

}  // namespace ifcert::onnx
