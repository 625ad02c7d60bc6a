// The rules of If that only the raw file shows: its inputs and attributes as they are written.
#pragma once

#include <string_view>
#include <unordered_set>

#include "formats/onnx/proto.hpp"
#include "model/findings.hpp"
#include "model/place.hpp"

namespace ifcert::onnx {

/// Is it then_branch or else_branch?
bool names_branch(const proto::Attribute& attribute);

/// Whether the first input is there, and those after it, if any, have no names: these pass nothing.
bool passes_only_cond(const proto::Node& node);

/// The names of the graph's (dense) initializers.
std::unordered_set<std::string_view> initialized_names(const proto::Graph& graph);

/// Checks the rules onnx/if/one-input and onnx/if/both-branches-required.
void check_if_node(const proto::Node& node, const Place& place, Findings& findings);

/// Checks the rule onnx/if/branches-take-no-inputs, as it reads in that IR version.
void check_branch_inputs(const proto::Graph& branch, std::int64_t ir_version, const Place& place, Findings& findings);

}  // namespace ifcert::onnx
