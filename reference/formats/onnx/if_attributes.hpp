// The rules of If that only the raw file shows: its inputs and attributes as they are written.
#pragma once

#include "findings.hpp"
#include "formats/onnx/proto.hpp"
#include "place.hpp"

namespace ifcert::onnx {

/// Is it then_branch or else_branch?
bool names_branch(const proto::Attribute& attribute);

/// Checks the rules onnx/if/one-input and onnx/if/both-branches-required.
void check_if_node(const proto::Node& node, const Place& place, Findings& findings);

/// Checks the rule onnx/if/branches-take-no-inputs, as it reads in that IR version.
void check_branch_inputs(const proto::Graph& branch, std::int64_t ir_version, const Place& place, Findings& findings);

}  // namespace ifcert::onnx
