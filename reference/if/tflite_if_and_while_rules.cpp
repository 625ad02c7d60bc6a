// The rules of TensorFlow Lite's If and While about types and numbers of tensors. The reader checks their options and
// operands (formats/tflite/control_flow.cpp).
#include "if/tflite_if_and_while_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "model/node_kind.hpp"
#include "model/node_place.hpp"
#include "model/type_union.hpp"

namespace ifcert::rules {
namespace {

// "the 1st input is a boolean condition": that it is a single one is checked in the run (truth_of).
// Sentence: rfc-first-input-is-condition.
// Rule: tflite/if/cond-form.
void if_cond_is_boolean(const IfOrWhileSite& site, const Report& report) {
  if (site.node.inputs.empty() || site.node.inputs[0] == no_slot) return;
  const Type& cond = site.types[site.graph][site.node.inputs[0]];
  if (agree_except_shape(cond, Type::tensor(ElementType::boolean))) return;
  report(site.place.word("cond"), fmt::format("cond is {}", kind_text(cond)), "cond is one boolean");
}

// "Pass controlflow operation inputs tensors as the subgraph inputs": by position (the reader's capture_operands), so
// that there are as many of each.
// Sentence: onert-invoked-inputs.
// Rule: tflite/if/inputs-positional.
void if_input_counts_agree(const IfOrWhileSite& site, const Report& report) {
  if (site.node.inputs.empty()) return;  // another rule reports this
  const std::size_t passed = site.node.inputs.size() - 1;
  const std::size_t then_inputs = site.body(0).inputs.size();
  const std::size_t else_inputs = site.body(1).inputs.size();
  if (passed == then_inputs && passed == else_inputs) return;
  report(site.place,
         fmt::format("then_subgraph has {} inputs, else_subgraph {}, and the operator {} after cond", then_inputs,
                     else_inputs, passed),
         "the same number for all three");
}

// "Pass the subgraph outputs as controlflow operation outputs": by position (set_outputs), so that there are as many of
// each.
// Sentence: onert-invoked-outputs.
// Rule: tflite/if/outputs-positional.
void if_output_counts_agree(const IfOrWhileSite& site, const Report& report) {
  const std::size_t outputs = site.node.outputs.size();
  const std::size_t then_outputs = site.body(0).outputs.size();
  const std::size_t else_outputs = site.body(1).outputs.size();
  if (outputs == then_outputs && outputs == else_outputs) return;
  report(site.place,
         fmt::format("then_subgraph has {} outputs, else_subgraph {}, and the operator {}", then_outputs, else_outputs,
                     outputs),
         "the same number for all three");
}

/// Tensors of one graph, in order: the inputs or outputs of an operator or of a subgraph, without those before `first`.
struct TensorList {
  std::string_view what;   // "input" or "output"
  std::string_view whose;  // "the operator" or "the subgraph"
  GraphIndex graph;
  std::span<const Slot> slots;
  std::size_t first = 0;

  std::string text(std::size_t i, const Type& type) const {
    return fmt::format("{} {} of {} is {}", what, first + i, whose, kind_text(type));
  }
};

TensorList inputs_of(const IfOrWhileSite& site, std::size_t first) {
  const std::size_t skipped = std::min(first, site.node.inputs.size());
  return {"input", "the operator", site.graph, std::span(site.node.inputs).subspan(skipped), first};
}

TensorList outputs_of(const IfOrWhileSite& site) {
  return {"output", "the operator", site.graph, site.node.outputs};
}

TensorList inputs_of_body(const IfOrWhileSite& site, std::size_t body) {
  return {"input", "the subgraph", site.node.bodies[body].graph, site.body(body).inputs};
}

TensorList outputs_of_body(const IfOrWhileSite& site, std::size_t body) {
  return {"output", "the subgraph", site.node.bodies[body].graph, site.body(body).outputs};
}

// A tensor that is passed on keeps its type.
// Sentence: reader-types.
// Rule: tflite/subgraph/types-agree.
void types_agree(const IfOrWhileSite& site, const Report& report, const TensorList& from, const TensorList& to,
                 std::size_t body) {
  const std::size_t count = std::min(from.slots.size(), to.slots.size());
  for (std::size_t i = 0; i < count; ++i) {
    if (from.slots[i] == no_slot || to.slots[i] == no_slot) continue;
    const Type& passed = site.types[from.graph][from.slots[i]];
    const Type& accepted = site.types[to.graph][to.slots[i]];
    if (agree_except_shape(passed, accepted)) continue;
    report(site.place.word(site.node.bodies[body].role),
           fmt::format("{}, {}", from.text(i, passed), to.text(i, accepted)),
           "the same type where a value is passed on");
  }
}

void if_types_agree(const IfOrWhileSite& site, const Report& report) {
  for (std::size_t i = 0; i < 2; ++i) {
    types_agree(site, report, inputs_of(site, 1), inputs_of_body(site, i), i);
    types_agree(site, report, outputs_of_body(site, i), outputs_of(site), i);
  }
}

// "use the output as the input of the next iteration"
// Sentence: onert-while-body.
// Rule: tflite/while/counts-agree.
void while_counts_agree(const IfOrWhileSite& site, const Report& report) {
  const std::size_t variables = site.node.inputs.size();
  const std::size_t outputs = site.node.outputs.size();
  const std::size_t cond_inputs = site.body(0).inputs.size();
  const std::size_t body_inputs = site.body(1).inputs.size();
  const std::size_t body_outputs = site.body(1).outputs.size();
  if (variables == outputs && variables == cond_inputs && variables == body_inputs && variables == body_outputs) return;
  report(site.place,
         fmt::format("the operator has {} inputs and {} outputs; cond_subgraph has {} inputs, body_subgraph {} inputs "
                     "and {} outputs",
                     variables, outputs, cond_inputs, body_inputs, body_outputs),
         "the same number for all of them");
}

// "Break out the loop if the result is false."
// Sentence: onert-while-cond.
// Rule: tflite/while/cond-output.
void while_cond_output(const IfOrWhileSite& site, const Report& report) {
  const Graph& cond = site.body(0);
  const Place place = site.place.word(site.node.bodies[0].role);
  if (cond.outputs.size() != 1) {
    report(place, fmt::format("it has {} outputs", cond.outputs.size()), "one output, a boolean");
    return;
  }
  const Type& type = site.types[site.node.bodies[0].graph][cond.outputs[0]];
  if (agree_except_shape(type, Type::tensor(ElementType::boolean))) return;
  report(place, fmt::format("its output is {}", kind_text(type)), "one output, a boolean");
}

void while_types_agree(const IfOrWhileSite& site, const Report& report) {
  types_agree(site, report, inputs_of(site, 0), inputs_of_body(site, 0), 0);
  types_agree(site, report, inputs_of(site, 0), inputs_of_body(site, 1), 1);
  types_agree(site, report, outputs_of_body(site, 1), inputs_of_body(site, 1), 1);
  types_agree(site, report, outputs_of_body(site, 1), outputs_of(site), 1);
}

/// A rule, and its check of one If or While.
struct TfliteRule {
  std::string_view name;
  void (*check)(const IfOrWhileSite& site, const Report& report);
};

constexpr std::array tflite_if_rules{
    TfliteRule{"tflite/if/inputs-positional", if_input_counts_agree},
    TfliteRule{"tflite/if/outputs-positional", if_output_counts_agree},
    TfliteRule{"tflite/if/cond-form", if_cond_is_boolean},
    TfliteRule{"tflite/subgraph/types-agree", if_types_agree},
};

constexpr std::array tflite_while_rules{
    TfliteRule{"tflite/while/counts-agree", while_counts_agree},
    TfliteRule{"tflite/while/cond-output", while_cond_output},
    TfliteRule{"tflite/subgraph/types-agree", while_types_agree},
};

void check_rules(std::span<const TfliteRule> rules, const IfOrWhileSite& site, Findings& findings) {
  for (const TfliteRule& rule : rules) rule.check(site, {rule.name, findings});
}

}  // namespace

const Graph& IfOrWhileSite::body(std::size_t i) const {
  return model.graphs[node.bodies[i].graph];
}

void check_tflite_if(const IfOrWhileSite& site, Findings& findings) {
  check_rules(tflite_if_rules, site, findings);
}

void check_tflite_while(const IfOrWhileSite& site, Findings& findings) {
  check_rules(tflite_while_rules, site, findings);
}

}  // namespace ifcert::rules
