// The types of an If: both branches are inferred, since either may run, and the type of an output is the union of the
// types that they return for it. This holds for ONNX and OpenVINO; a file of TensorFlow Lite declares every type.
#include <fmt/format.h>

#include <utility>

#include "check/inference/walk.hpp"

namespace ifcert::inference {

/// Infers both branches, shows the If to the rules, and fills the types of its outputs. They stay unknown where a
/// branch is a graph that no call passes. A branch that is invalid makes the model so, whether it is taken or not.
/// Rules: onnx/if/only-taken-branch-runs, onnx/if/outputs-may-differ-among-themselves,
/// onnx/if/branch-outputs-may-be-untyped.
void Inference::infer_if(GraphIndex index, const Node& node, std::span<Type> outputs, const Place& place) {
  if (node.bodies.size() != 2) return;  // the reader has reported this
  for (const Body& branch : node.bodies) expect_one_graph(branch, place);
  // Shapes that cannot fit are errors in a node that is certain to run, otherwise warnings; only the branch that a
  // known cond selects is as certain as the If.
  const std::optional<bool> cond = known_truth(index, node, 0);
  auto then_outputs = enter(index, node.bodies[0], place, cond == true);
  auto else_outputs = enter(index, node.bodies[1], place, cond == false);
  if (!then_outputs || !else_outputs) return;
  const InferredIfSite site{model_.graphs[index],    node, place, input(index, node, 0), std::move(*then_outputs),
                            std::move(*else_outputs)};
  if (visit_) visit_(site);  // the rules of If
  for (std::size_t i = 0; i < outputs.size() && i < site.then_outputs.size() && i < site.else_outputs.size(); ++i) {
    outputs[i] = union_of(site.then_outputs[i], site.else_outputs[i]);
  }
}

/// Reports a branch that refers to an attribute for which the call passes a list of graphs, or nothing (then the branch
/// is omitted: ir-function-attribute-replaced). An If requires a single graph: "then_branch (GRAPH, required)".
/// Sentence: if-then-branch-is-required.
/// Rule: onnx/if/both-branches-required.
void Inference::expect_one_graph(const Body& branch, const Place& place) {
  const bool list = is_passed_a_list(branch, call_);
  if (!list && !is_passed_nothing(branch, call_)) return;
  report("onnx/if/both-branches-required", place,
         fmt::format("{} refers to \"{}\", for which the call passes {}", branch.role, branch.reference,
                     list ? "a list of graphs" : "no graph"),
         fmt::format("one graph for {}", branch.role));
}

Type InferredIfSite::declared(std::size_t output) const {
  return output < node.outputs.size() && node.outputs[output] != no_slot ? graph.slots[node.outputs[output]].declared
                                                                         : Type{};
}

}  // namespace ifcert::inference
