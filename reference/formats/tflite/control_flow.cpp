#include "formats/tflite/control_flow.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace ifcert::tflite {
namespace {

/// An operator whose options name two subgraphs.
struct ControlFlowSite {
  const Model& model;
  Node& node;
  const Place& place;
  Findings& findings;
};

/// Sentence: onert-same-parameters.
/// Rules: tflite/if/subgraph-index, tflite/while/subgraph-index, tflite/subgraph/shared.
void add_body(const ControlFlowSite& site, std::string_view rule, std::string_view role, std::int32_t index) {
  const std::size_t count = site.model.graphs.size();
  if (index >= 0 && static_cast<std::size_t>(index) < count) {
    site.node.bodies.push_back({std::string(role), static_cast<GraphIndex>(index), {}, {}});
    return;
  }
  site.findings.report(rule, site.place.word(role), fmt::format("{}_index is {}", role, index),
                       fmt::format("the index of one of the model's {} subgraphs", count));
}

// Sentences: rfc-if-options, schema-while-options.
// Rules: tflite/if/options-required, tflite/while/options-required.
void refuse_options(const ControlFlowSite& site, std::string_view rule, std::string_view expected,
                    const schema::Operator& from) {
  const auto type = static_cast<int>(from.builtin_options_type());
  const bool none = type == schema::BuiltinOptions_NONE || from.builtin_options() == nullptr;
  site.findings.report(rule, site.place,
                       none ? "there are no builtin_options" : fmt::format("builtin_options_type is {}", type),
                       fmt::format("{}, with the indices of two subgraphs", expected));
}

/// Reports operands left out (-1): every input of a subgraph needs a tensor.
/// Sentence: reader-absent.
/// Rule: tflite/subgraph/operand-required.
void expect_operands(const ControlFlowSite& site, std::size_t first) {
  for (std::size_t i = first; i < site.node.inputs.size(); ++i) {
    if (site.node.inputs[i] != no_slot) continue;
    site.findings.report("tflite/subgraph/operand-required", site.place.numbered("input", i),
                         "the input is -1, no tensor", "a tensor for each input of the subgraphs");
  }
}

/// Makes each operand after cond a capture of both bodies, by position. What one side lacks, a rule reports.
/// Sentences: onert-invoked-inputs, rfc-first-input-is-condition.
/// Rule: tflite/if/inputs-positional.
void capture_operands(const Model& model, Node& node) {
  for (Body& body : node.bodies) {
    const Graph& graph = model.graphs[body.graph];
    for (std::size_t i = 1; i < node.inputs.size() && i <= graph.inputs.size(); ++i) {
      if (node.inputs[i] != no_slot) body.captures.push_back({node.inputs[i], graph.inputs[i - 1]});
    }
  }
}

}  // namespace

// Rules: tflite/if/then-when-true, tflite/if/else-when-false, tflite/if/cond-required, tflite/if/subgraph-index,
// tflite/if/options-required.
void read_if(const schema::Operator& from, const Model& model, Node& node, const Place& place, Findings& findings) {
  const ControlFlowSite site{model, node, place, findings};
  if (node.inputs.empty() || node.inputs[0] == no_slot) {
    findings.report("tflite/if/cond-required", place,
                    node.inputs.empty() ? "inputs is empty" : "input 0 is -1, no tensor", "cond, input 0");
  }
  expect_operands(site, 1);
  const auto* options = from.builtin_options_as_IfOptions();
  if (options == nullptr) return refuse_options(site, "tflite/if/options-required", "IfOptions", from);
  add_body(site, "tflite/if/subgraph-index", "then_subgraph", options->then_subgraph_index());
  add_body(site, "tflite/if/subgraph-index", "else_subgraph", options->else_subgraph_index());
  capture_operands(model, node);
}

// Rules: tflite/while/subgraph-index, tflite/while/options-required.
void read_while(const schema::Operator& from, const Model& model, Node& node, const Place& place, Findings& findings) {
  const ControlFlowSite site{model, node, place, findings};
  expect_operands(site, 0);
  const auto* options = from.builtin_options_as_WhileOptions();
  if (options == nullptr) return refuse_options(site, "tflite/while/options-required", "WhileOptions", from);
  add_body(site, "tflite/while/subgraph-index", "cond_subgraph", options->cond_subgraph_index());
  add_body(site, "tflite/while/subgraph-index", "body_subgraph", options->body_subgraph_index());
}

}  // namespace ifcert::tflite
