#include "check/inference/inference_budget.hpp"

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace ifcert::inference {
namespace {

/// Copying this many dimensions, operands or attributes costs about as much as inferring one node.
constexpr std::size_t parts_per_step = 16;

/// Each dimension of an inferred type is kept until the inference ends, and takes 40 bytes. A node of a few bytes may
/// have many results, or a result of many dimensions, so that steps alone would allow hundreds of megabytes.
constexpr std::size_t most_inferred_dims = 3 * budget_limit;

/// Operands of higher rank than this, which real models do not have, count as well: a node may have many operands, and
/// inference may copy all of their types at once.
constexpr std::size_t highest_usual_rank = 64;

/// A small file may hand values through many bodies, and each of these has its own copies of their types.
constexpr std::size_t most_captured_dims = 2 * budget_limit;

// Rule: openvino/ir/size-limit.
std::string_view limit_rule(Format format) {
  return format == Format::openvino ? "openvino/ir/size-limit" : size_limit_rule;
}

std::size_t parts_of(const AttributeValue& value) {
  const auto* ints = std::get_if<std::vector<std::int64_t>>(&value);
  const auto* floats = std::get_if<std::vector<float>>(&value);
  const auto* strings = std::get_if<std::vector<std::string>>(&value);
  return 1 + (ints ? ints->size() : 0) + (floats ? floats->size() : 0) + (strings ? strings->size() : 0);
}

std::size_t dims_of(const Type& type) {
  const Type* innermost = &type;
  while (!innermost->item.empty()) innermost = &innermost->item.front();
  return innermost->shape ? innermost->shape->size() : 0;
}

}  // namespace

// Rule: onnx/model/nesting-limit.
void expect_type_depth(const Type& type, const Place& place) {
  if (depth_of(type) <= type_nesting_limit) return;
  throw UnreadableModel({"onnx/model/nesting-limit", to_string(place),
                         fmt::format("a type nested deeper than {} levels", type_nesting_limit),
                         "a model within this reader's limits"});
}

InferenceBudget::InferenceBudget(Format format)
    : step_budget_("steps of type inference, counting each call of a function", budget_limit, limit_rule(format)),
      dims_budget_("dimensions in inferred types", most_inferred_dims, limit_rule(format)),
      captured_budget_("dimensions in types of captured values", most_captured_dims, limit_rule(format)) {}

void InferenceBudget::spend_parts(std::size_t parts, const Place& place) {
  step_budget_.spend(parts / parts_per_step, place);
}

void InferenceBudget::spend_type(const Type& type, const Place& place) {
  dims_budget_.spend(dims_of(type), place);
  spend_parts(ifcert::parts_of(type), place);
}

void InferenceBudget::spend_captured_type(const Type& type, const Place& place) {
  captured_budget_.spend(ifcert::parts_of(type), place);
  spend_type(type, place);
}

void InferenceBudget::spend_attributes(const Attributes& attributes, const Place& place) {
  for (const auto& [name, value] : attributes) spend_attribute(value, place);
}

void InferenceBudget::spend_attribute(const AttributeValue& value, const Place& place) {
  spend_parts(parts_of(value), place);
}

void InferenceBudget::spend_node(const Node& node, std::span<const Type> types, const Place& place) {
  std::size_t parts = node.inputs.size() + node.outputs.size() + node.attributes.size() + node.bodies.size();
  for (const Slot slot : node.inputs) {
    if (slot == no_slot) continue;
    const std::size_t dims = dims_of(types[slot]);
    if (dims > highest_usual_rank) dims_budget_.spend(dims, place);
    parts += ifcert::parts_of(types[slot]);
  }
  step_budget_.spend(1, place);
  spend_parts(parts, place);
}

}  // namespace ifcert::inference
