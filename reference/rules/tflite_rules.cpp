#include "rules/tflite_rules.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "inference/inference.hpp"
#include "inference/tflite_types.hpp"
#include "node_place.hpp"

namespace ifcert::rules {
namespace {

/// An If or a While with its two subgraphs.
struct Site {
  const Model& model;
  const Graph& graph;
  const Node& node;
  const Place& place;
  std::span<const std::vector<Type>> types;
  GraphIndex index;
  Findings& findings;

  const Graph& body(std::size_t i) const { return model.graphs[node.bodies[i].graph]; }
  void report(std::string_view rule, const Place& at, const std::string& found, const std::string& expected) const {
    findings.report(rule, at, found, expected);
  }
};

/// Tensors of one graph, in order: an operator's operands or results, a subgraph's inputs or outputs.
struct Ends {
  std::string_view what;  // "operand", "then_subgraph's input"
  GraphIndex graph;
  std::span<const Slot> slots;
};

Ends operands_of(const Site& site, std::size_t first) {
  return {"operand", site.index, std::span(site.node.inputs).subspan(std::min(first, site.node.inputs.size()))};
}

Ends results_of(const Site& site) {
  return {"result", site.index, site.node.outputs};
}

Ends inputs_of(const Site& site, std::size_t body) {
  return {"input", site.node.bodies[body].graph, site.body(body).inputs};
}

Ends outputs_of(const Site& site, std::size_t body) {
  return {"output", site.node.bodies[body].graph, site.body(body).outputs};
}

// A tensor that is passed on keeps its type (docs/tflite.md, "Passing values").
void types_agree(const Site& site, const Ends& from, const Ends& to, std::string_view role) {
  const std::size_t count = std::min(from.slots.size(), to.slots.size());
  for (std::size_t i = 0; i < count; ++i) {
    if (from.slots[i] == no_slot || to.slots[i] == no_slot) continue;
    const Type& gives = site.types[from.graph][from.slots[i]];
    const Type& takes = site.types[to.graph][to.slots[i]];
    if (same_kind(gives, takes)) continue;
    site.report("tflite/subgraph/types-agree", site.place.word(role),
                fmt::format("{} {} is {}, {} {} is {}", from.what, i, kind_of(gives), to.what, i, kind_of(takes)),
                "the same element type where a value is passed on");
  }
}

// "Pass controlflow operation inputs tensors as the subgraph inputs" (seed 004)
void if_inputs_positional(const Site& site) {
  if (site.node.inputs.empty()) return;  // another rule says this
  const std::size_t operands = site.node.inputs.size() - 1;
  const std::size_t then_inputs = site.body(0).inputs.size();
  const std::size_t else_inputs = site.body(1).inputs.size();
  if (operands == then_inputs && operands == else_inputs) return;
  site.report("tflite/if/inputs-positional", site.place,
              fmt::format("then_subgraph takes {}, else_subgraph {} inputs, and behind cond stand {} operands",
                          then_inputs, else_inputs, operands),
              "the same number for all three");
}

// "Pass the subgraph outputs as controlflow operation outputs" (seed 004)
void if_outputs_positional(const Site& site) {
  const std::size_t outputs = site.node.outputs.size();
  const std::size_t then_outputs = site.body(0).outputs.size();
  const std::size_t else_outputs = site.body(1).outputs.size();
  if (outputs == then_outputs && outputs == else_outputs) return;
  site.report("tflite/if/outputs-positional", site.place,
              fmt::format("then_subgraph gives {}, else_subgraph {} outputs, and the If has {}", then_outputs,
                          else_outputs, outputs),
              "the same number for all three");
}

// "Check the condition input" (seed 004): one boolean
void if_cond_form(const Site& site) {
  if (site.node.inputs.empty() || site.node.inputs[0] == no_slot) return;
  const Type& cond = site.types[site.index][site.node.inputs[0]];
  if (same_kind(cond, Type::tensor(ElementType::boolean))) return;
  site.report("tflite/if/cond-form", site.place.word("cond"), fmt::format("cond is {}", kind_of(cond)),
              "cond is one boolean");
}

// "use the output as the input of the next iteration" (seed 004)
void while_counts_agree(const Site& site) {
  const std::size_t variables = site.node.inputs.size();
  const std::size_t results = site.node.outputs.size();
  const std::size_t cond_inputs = site.body(0).inputs.size();
  const std::size_t body_inputs = site.body(1).inputs.size();
  const std::size_t body_outputs = site.body(1).outputs.size();
  if (variables == results && variables == cond_inputs && variables == body_inputs && variables == body_outputs) return;
  site.report("tflite/while/counts-agree", site.place,
              fmt::format("{} operands, {} results; cond_subgraph takes {}, body_subgraph takes {} and gives {}",
                          variables, results, cond_inputs, body_inputs, body_outputs),
              "the same number for all of them");
}

// "Break out the loop if the result is false." (seed 004)
void while_cond_output(const Site& site) {
  const Graph& cond = site.body(0);
  const Place place = site.place.word(site.node.bodies[0].role);
  if (cond.outputs.size() != 1) {
    site.report("tflite/while/cond-output", place, fmt::format("it gives {} outputs", cond.outputs.size()),
                "one output, a boolean");
    return;
  }
  const Type& type = site.types[site.node.bodies[0].graph][cond.outputs[0]];
  if (same_kind(type, Type::tensor(ElementType::boolean))) return;
  site.report("tflite/while/cond-output", place, fmt::format("its output is {}", kind_of(type)),
              "one output, a boolean");
}

void check_if(const Site& site) {
  if_inputs_positional(site);
  if_outputs_positional(site);
  if_cond_form(site);
  for (std::size_t i = 0; i < 2; ++i) {
    types_agree(site, operands_of(site, 1), inputs_of(site, i), site.node.bodies[i].role);
    types_agree(site, outputs_of(site, i), results_of(site), site.node.bodies[i].role);
  }
}

void check_while(const Site& site) {
  while_counts_agree(site);
  while_cond_output(site);
  types_agree(site, operands_of(site, 0), inputs_of(site, 0), site.node.bodies[0].role);
  types_agree(site, operands_of(site, 0), inputs_of(site, 1), site.node.bodies[1].role);
  types_agree(site, outputs_of(site, 1), inputs_of(site, 1), site.node.bodies[1].role);
  types_agree(site, outputs_of(site, 1), results_of(site), site.node.bodies[1].role);
}

}  // namespace

void check_tflite(const Model& model, Findings& findings) {
  const std::vector<std::vector<Type>> types = inference::tflite_types(model);
  Budget steps("steps of type inference", budget_limit, "tflite/file/size-limit");
  for (GraphIndex index = 0; index < model.graphs.size() && !findings.full(); ++index) {
    const Graph& graph = model.graphs[index];
    const Place around = place_of(graph);
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
      const Node& node = graph.nodes[i];
      const Place place = place_of(graph, i, around);
      const Site site{model, graph, node, place, types, index, findings};
      if (!node.domain.empty()) continue;
      if (node.op == "If" || node.op == "While") {
        if (node.bodies.size() == 2) (node.op == "If" ? check_if : check_while)(site);
      } else {
        check_tflite_operator(graph, i, types[index], steps, findings);
      }
    }
  }
}

}  // namespace ifcert::rules
