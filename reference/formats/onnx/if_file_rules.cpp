#include "formats/onnx/if_file_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "formats/onnx/attribute.hpp"

namespace ifcert::onnx {
namespace {

constexpr std::array<std::string_view, 2> branch_names{"then_branch", "else_branch"};

// Sentences: if-then-branch-is-required, if-else-branch-is-required, ir-attribute-graph.
// Rule: onnx/if/both-branches-required.
void check_branch(const proto::Node& node, std::string_view name, const Place& place, Findings& findings) {
  constexpr std::string_view rule = "onnx/if/both-branches-required";
  const auto report = [&](const std::string& found, const std::string& expected, bool allowable = false) {
    findings.report(rule, place, found, expected, Level::error, allowable);
  };
  const auto count = std::ranges::count(node.attribute, name, &proto::Attribute::name);
  if (count == 0)
    return report(fmt::format("no attribute {}", name), fmt::format("an attribute {} of type GRAPH", name));
  if (count > 1) return report(fmt::format("{} appears {} times", name, count), "each attribute appears once");
  const proto::Attribute& branch = *std::ranges::find(node.attribute, name, &proto::Attribute::name);
  const bool is_graph = branch.type == static_cast<std::int32_t>(proto::AttributeType::graph);
  const bool has_graph = branch.graph.size() == 1 || !branch.reference.empty();
  if (!is_graph || !has_graph) {
    report(fmt::format("{} has attribute type {}{}", name, branch.type, has_graph ? "" : " and holds no graph"),
           fmt::format("{} is of type GRAPH ({}) and holds one", name, static_cast<int>(proto::AttributeType::graph)),
           has_graph && lacks_only_its_type(branch));
  }
}

}  // namespace

bool names_branch(const proto::Attribute& attribute) {
  return std::ranges::find(branch_names, attribute.name) != branch_names.end();
}

bool passes_only_cond(const proto::Node& node) {
  return !node.input.empty() && !node.input.front().empty() &&
         std::all_of(node.input.begin() + 1, node.input.end(), [](std::string_view name) { return name.empty(); });
}

// Sentences: if-inputs, ir-signature.
// Rules: onnx/if/one-input, onnx/if/both-branches-required.
void check_if_node(const proto::Node& node, const Place& place, Findings& findings) {
  if (node.input.size() != 1 || node.input.front().empty()) {
    findings.report("onnx/if/one-input", place,
                    node.input.size() == 1 ? "the only input is left out" : fmt::format("{} inputs", node.input.size()),
                    "exactly one input, cond", Level::error, passes_only_cond(node));
  }
  for (const std::string_view name : branch_names) check_branch(node, name, place, findings);
  for (const proto::Attribute& attribute : node.attribute) {
    // Names that begin with two underscores are private notes of an exporter; the texts do not mention them.
    if (names_branch(attribute) || attribute.name.starts_with("__")) continue;
    findings.report("onnx/if/both-branches-required", place, fmt::format("an attribute \"{}\"", attribute.name),
                    "no attributes but then_branch and else_branch");
  }
}

// Sentences: ir-control-flow-inputs, ir-3-subgraph-input-and-initializer, ir-4-subgraph-input-no-initializer.
// Rule: onnx/if/branches-take-no-inputs.
void check_branch_inputs(const proto::Graph& branch, std::int64_t ir_version, const Place& place, Findings& findings) {
  const std::unordered_set<std::string_view> backed = initialized_names(branch);
  for (const proto::ValueInfo& input : branch.input) {
    const bool is_backed = backed.contains(input.name);
    if (is_backed && ir_version < 4) continue;  // in IR 3 initializers had to be listed among the inputs
    findings.report("onnx/if/branches-take-no-inputs", place,
                    fmt::format("the branch has a formal input \"{}\"", input.name),
                    ir_version < 4 ? "a branch has no inputs other than its initializers" : "a branch has no inputs",
                    Level::error, is_backed);
  }
}

std::unordered_set<std::string_view> initialized_names(const proto::Graph& graph) {
  std::unordered_set<std::string_view> names;
  for (const proto::Tensor& initializer : graph.initializer) names.insert(initializer.name);
  return names;
}

}  // namespace ifcert::onnx
