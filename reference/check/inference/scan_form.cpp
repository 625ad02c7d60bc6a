#include "check/inference/scan_form.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "operators/operands.hpp"

namespace ifcert {
namespace {

/// The list in the attribute `name`; if there is none, `count` zeros. Refuses a list that does not have `count`
/// numbers.
std::vector<std::int64_t> numbers(const Node& node, std::string_view name, std::size_t count,
                                  const CallAttributes* call) {
  const auto* list = kernels::find_attribute_of<std::vector<std::int64_t>>(node, name, call);
  if (list == nullptr) return std::vector<std::int64_t>(count, 0);
  if (list->size() != count) {
    kernels::refuse(node, fmt::format("attribute {} has {} numbers; expected {}", name, list->size(), count));
  }
  return *list;
}

std::vector<ScanAxis> axes(const Node& node, std::string_view axes_attribute, std::string_view directions_attribute,
                           std::size_t count, const CallAttributes* call) {
  const std::vector<std::int64_t> axis = numbers(node, axes_attribute, count, call);
  const std::vector<std::int64_t> direction = numbers(node, directions_attribute, count, call);
  std::vector<ScanAxis> result;
  for (std::size_t i = 0; i < count; ++i) {
    if (direction[i] != 0 && direction[i] != 1) {
      kernels::refuse(node, fmt::format("a direction is {}; expected 0 (forward) or 1 (backward)", direction[i]));
    }
    result.push_back({axis[i], direction[i] == 1});
  }
  return result;
}

}  // namespace

std::size_t scan_axis(const Node& node, const ScanForm& form, std::size_t number, std::size_t rank) {
  const std::int64_t axis = form.inputs[number].axis;
  const auto end = static_cast<std::int64_t>(rank);
  if (axis < -end || axis >= end) {
    kernels::refuse(node, fmt::format("scan_input_axes has {} for operand {}, which has rank {}", axis,
                                      form.first_operand + form.states + number, rank));
  }
  return static_cast<std::size_t>(axis < 0 ? axis + end : axis);
}

ScanForm scan_form(const Node& node, const Graph& body, const CallAttributes* call) {
  const auto* num_scan_inputs = kernels::find_attribute_of<std::int64_t>(node, "num_scan_inputs", call);
  if (num_scan_inputs == nullptr) kernels::refuse(node, "attribute num_scan_inputs is missing");
  ScanForm form;
  form.first_operand = node.version < 9 ? 1 : 0;
  const std::size_t body_operands = node.inputs.size() - std::min(form.first_operand, node.inputs.size());
  if (*num_scan_inputs < 1 || static_cast<std::uint64_t>(*num_scan_inputs) > body_operands) {
    kernels::refuse(node,
                    fmt::format("attribute num_scan_inputs is {}; expected 1 to {}", *num_scan_inputs, body_operands));
  }
  form.states = body_operands - static_cast<std::size_t>(*num_scan_inputs);
  if (body.inputs.size() != body_operands || body.outputs.size() != node.outputs.size() ||
      node.outputs.size() < form.states) {
    kernels::refuse(
        node, fmt::format("a body with {} inputs and {} outputs does not match a Scan that passes {} operands "
                          "({} of them state variables) and has {} outputs",
                          body.inputs.size(), body.outputs.size(), body_operands, form.states, node.outputs.size()));
  }
  const std::size_t outputs = node.outputs.size() - form.states;
  if (node.version < 9) {
    // Version 8 has no attributes for axes: all are 0.
    form.inputs = axes(node, "", "directions", static_cast<std::size_t>(*num_scan_inputs), call);
    form.outputs.resize(outputs);
  } else {
    form.inputs =
        axes(node, "scan_input_axes", "scan_input_directions", static_cast<std::size_t>(*num_scan_inputs), call);
    form.outputs = axes(node, "scan_output_axes", "scan_output_directions", outputs, call);
  }
  return form;
}

}  // namespace ifcert
