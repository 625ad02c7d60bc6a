// The closed list of rules whose breach can leave a model one meaning. The readers decide it for each finding; what
// they mend is in mend.cpp of each format.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ifcert/allowance.hpp>
#include <ifcert/rules.hpp>

namespace ifcert {
namespace {

constexpr auto allowances = std::to_array<Allowance>({
    {"onnx/if/both-branches-required", true,
     "a branch that lacks only its attribute type holds one graph; the type is added"},
    {"onnx/if/one-input", true, "inputs after cond that have no names pass nothing; they are left out"},
    {"onnx/if/branches-take-no-inputs", true,
     "If passes nothing, so an input of a branch that is one of its initializers is that constant, as in IR version 3; "
     "it is no longer listed as an input"},
    {"onnx/if/definition-before-use", true,
     "nodes are functions of the values that they read, so only one order of them is possible up to the order of "
     "independent ones; they are sorted, unless they form a cycle"},
    {"onnx/model/no-cycles", true,
     "nodes are functions of the values that they read, so only one order of them is possible up to the order of "
     "independent ones; they are sorted, unless they form a cycle"},
    {"onnx/model/graphs-have-names", true, "nothing refers to a graph by its name; it is named after its role"},
    {"onnx/model/operators-are-declared", true,
     "a function of the model is called by its domain and name, whatever version of the domain is imported; the "
     "domain is imported in version 1. An operator is another matter: its version decides what it computes"},
    {"onnx/model/one-definition-per-name", true,
     "nothing can read an initializer without a name; it is left out. Of two definitions of a name, either could be "
     "meant"},
    {"onnx/model/value-info-is-distinct", true,
     "entries of one value that do not contradict each other say no more than the fullest of them; the others are left "
     "out"},
    {"onnx/model/attribute-holds-one-value", true,
     "an attribute that lacks only its type has the type of the one field that is there; the type is added"},
    {"openvino/ir/inputs-have-one-edge", true,
     "an edge that is written twice carries the same value; it is written once. Of two edges from different ports, "
     "either could be meant"},
    {"openvino/if/every-parameter-mapped", true,
     "an entry that is written twice passes the same input; it is written once. Of two inputs for one Parameter, "
     "either could be meant"},
    {"openvino/if/every-output-mapped", true,
     "an output entry that is written twice returns the same Result; it is written once. (It also breaks "
     "openvino/if/one-result-one-output.)"},
    {"openvino/if/one-result-one-output", true,
     "an output entry that is written twice returns the same Result; it is written once. (It also breaks "
     "openvino/if/every-output-mapped.)"},
    {"tflite/file/made-before-use", true,
     "operators compute their results from the tensors that they read, so only one order of them is possible up to "
     "the order of independent ones; they are sorted, unless they form a cycle or the model has variables, resources, "
     "CALL_ONCE or custom operators, whose effects the tensors do not show"},

    {"onnx/if/no-shadowing", false, "a use of the name could mean the value inside or the one outside"},
    {"onnx/if/declared-type-agrees", false, "either the declaration or the branches could be meant"},
    {"onnx/if/declared-shape-compatible", false, "either the declaration or the branches could be meant"},
    {"onnx/model/declared-type-agrees", false, "either the declaration or what is computed could be meant"},
    {"onnx/model/unique-functions", false, "a call could mean either function"},
    {"onnx/model/call-fits-function", false, "what the further inputs, outputs or attributes are for is not written"},
    {"onnx/model/ir-version-required", false,
     "the IR version decides which types a model may have, and whether inputs of nested graphs may be initializers"},
    {"onnx/model/main-graph-has-types", false,
     "the types are what the model promises its caller, and only it has them"},
    {"onnx/model/nested-input-is-no-initializer", false,
     "the value could be the one that the node passes, or the initializer"},
    {"onnx/model/tensor-data-fits-shape", false, "which elements are meant, or of what shape, is not written"},
    {"openvino/ir/ids-are-unique", false,
     "an edge could mean either layer; even a Parameter or a Result that is written twice could be one or two"},
    {"openvino/ir/constant-in-weights", false, "which elements are meant, or of what shape, is not written"},
    {"tflite/file/version", false, "what the numbers of another version of the schema mean is not written"},
    {"tflite/file/one-producer", false,
     "the value could come from either source; even an operator that is written twice may have an effect"},
    {"tflite/file/buffer-fits-shape", false, "which elements are meant, or of what shape, is not written"},
});

constexpr std::string_view otherwise = "a model that breaks it has no meaning that every reader must share";

}  // namespace

std::span<const Allowance> all_allowances() {
  return allowances;
}

Allowance allowance_of(std::string_view rule) {
  const auto found = std::ranges::find(allowances, rule, &Allowance::rule);
  return found == allowances.end() ? Allowance{rule, false, otherwise} : *found;
}

AllowedRules allowable_rules() {
  AllowedRules rules;
  for (const Allowance& row : allowances) {
    if (row.allowable) rules.emplace(row.rule);
  }
  return rules;
}

std::string refusal_to_allow(std::string_view rule) {
  if (find_rule(rule) == nullptr) return fmt::format("there is no rule {}", rule);
  const Allowance allowance = allowance_of(rule);
  return allowance.allowable ? "" : fmt::format("{} cannot be allowed: {}", rule, allowance.why);
}

}  // namespace ifcert
