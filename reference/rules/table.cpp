// The rule table. Names are permanent once a vector uses them; texts are paraphrases, clauses say where to read the
// original.
#include <algorithm>
#include <array>
#include <ifcert/rules.hpp>

namespace ifcert {
namespace {

constexpr std::string_view if_text = "ONNX If (seed 002)";
constexpr std::string_view if_examples = "ONNX If-13 (seed 003)";
constexpr std::string_view if_1 = "ONNX If-1 (onnx.defs)";
constexpr std::string_view ir = "ONNX IR document (docs/IR.md)";
constexpr std::string_view proto = "onnx.proto";
constexpr std::string_view external = "ONNX external data (docs/ExternalData.md)";

constexpr auto table = std::to_array<Rule>({
    {"onnx/if/then-when-true", "Where cond is true, the outputs are those of then_branch.",
     "Attributes: then_branch is the \"graph to run if condition is true\"; Examples: test_cc_if", if_examples},
    {"onnx/if/else-when-false", "Where cond is false, the outputs are those of else_branch.",
     "Attributes: else_branch is the \"graph to run if condition is false\"; Examples: test_cc_if_else", if_examples},
    {"onnx/if/only-taken-branch-runs",
     "The branch that is not taken has no effect, even where it could not run; a branch that is statically invalid "
     "makes the model invalid, taken or not.",
     "Attributes: a branch is the graph to run if the condition is true or false", if_text},
    {"onnx/if/cond-single-element", "cond has exactly one element, of any rank; its rank does not change the outputs.",
     "Inputs, cond: \"must contain a single element\"", if_text},
    {"onnx/if/cond-is-bool", "cond is tensor(bool) and no other type.", "Type Constraints, B: \"Only bool\"", if_text},
    {"onnx/if/cond-source",
     "cond may come from anywhere: graph input, initializer, Constant, computed value, outer scope, another If, a "
     "function's input.",
     "Inputs, cond: no source is excluded", if_text},
    {"onnx/if/one-input", "If has exactly one input.", "Inputs (1 - 1)", if_text},
    {"onnx/if/both-branches-required",
     "then_branch and else_branch are both there, once each, of attribute type GRAPH, and no other attribute is.",
     "Attributes: then_branch and else_branch (GRAPH, required)", if_text},
    {"onnx/if/output-count", "then_branch, else_branch and the node have the same number of outputs, at least one.",
     "Attributes: the numbers of outputs of the branches \"must match\"; Outputs (1 - 2147483647)", if_text},
    {"onnx/if/output-order",
     "The i-th output of the node is the i-th output of the branch, by position, whatever the names.",
     "Outputs, variadic: \"corresponding outputs\" of the branches", if_text},
    {"onnx/if/same-data-type", "Corresponding outputs of the branches have the same element type and kind.",
     "Outputs: \"must be of the same data type\"", if_text},
    {"onnx/if/declared-type-agrees", "A type declared for an output of If is the type the branches give.",
     "Outputs: the output variable is the union of what both branches give; \"must be of the same data type\"",
     if_text},
    {"onnx/if/shape-union",
     "From opset 11 the branches may give different shapes and ranks; the value has the taken branch's shape.",
     "Outputs: \"the same element type and different shapes\"", if_text},
    {"onnx/if/same-shape-in-opset-1", "In opset 1 both branches give the same shape and data type.",
     "Outputs: \"must be of the same shape and same data type\"", if_1},
    {"onnx/if/declared-shape-compatible", "A declared output shape is compatible with both static branch shapes.",
     "Outputs: \"must be compatible with both S1 and S2\", examples (a), (b), (c) and [2]", if_text},
    {"onnx/if/types-of-opset", "Each version of If works with every type it lists and refuses every other.",
     "Type Constraints, V; Version History", if_text},
    {"onnx/if/version-of-opset", "The opset import selects the newest version of If at or below it.",
     "Models, opset_import: \"A collection of operator set identifiers made available to the model.\"", ir},
    {"onnx/if/outputs-may-differ-among-themselves", "The outputs of one If may have types different from each other.",
     "Outputs, variadic and heterogeneous", if_text},
    {"onnx/if/branch-outputs-may-be-untyped", "A branch's outputs need no declared type.",
     "Graphs: \"Nested subgraphs […] MAY define the types of its inputs and outputs\"", ir},
    {"onnx/if/value-unchanged", "What passes through If keeps every bit.",
     "Outputs: the branches' return values are the node's outputs", if_text},
    {"onnx/if/branches-take-no-inputs",
     "A branch has no formal inputs; in IR 3 those that an initializer backs are legal.",
     "Nodes: in IR 4 and later, a name is not \"both a subgraph initializer and subgraph input\"; If passes no inputs "
     "(seed 002, Attributes)",
     ir},
    {"onnx/if/outer-scope-capture", "A branch reads the values visible around the If, through any number of levels.",
     "Nodes: \"A node input in a nested subgraph MAY refer to names introduced in outer graphs\"", ir},
    {"onnx/if/definition-before-use", "What a branch reads of the outer graph is made before the If.",
     "Graphs: \"a topologically sorted list of nodes\"", ir},
    {"onnx/if/no-leak", "A name made inside a branch is visible in that branch alone.",
     "Nodes: a node input refers to names of its own graph or, \"in a nested subgraph\", of \"outer graphs\", not of "
     "inner ones",
     ir},
    {"onnx/if/no-shadowing", "A branch does not give its values a name that is visible from outside.",
     "Nodes: names of a nested subgraph \"MUST be distinct from the names from the outer scopes that are visible in "
     "the nested subgraph\"",
     ir},
    {"onnx/if/sibling-names-independent", "The branches of one If, and different Ifs, may use the same inner names.",
     "Nodes: a name is unique \"within a graph\" and distinct from visible outer names; nothing more is asked", ir},
    {"onnx/if/output-is-initializer", "A branch output may be the branch's own initializer or a Constant.",
     "Nodes: an initializer is a definition of a name, a graph output a use of one", ir},
    {"onnx/if/output-is-outer-value", "A branch may return a value of the outer scope directly (sources disagree).",
     "Nodes: a graph output is a use of a name; whether of an outer one is not said", ir},
    {"onnx/if/output-repeated",
     "A branch may return one value twice (sources disagree); through two Identity nodes it certainly may.",
     "Nodes: a graph output is a use of a name; whether it may repeat is not said", ir},
    {"onnx/if/no-state-between-runs",
     "No run of a session sees values of another, and earlier results stay as they are.",
     "Model Semantics: \"The semantics of an inference-model is a stateless function\"", ir},
    {"onnx/if/concurrent-runs", "Runs of one session from several threads do not disturb each other.",
     "Model Semantics: \"The semantics of an inference-model is a stateless function\"", ir},
    {"onnx/if/nesting", "If may stand in either branch of If, to any depth that the file format carries.",
     "Attributes of type GRAPH hold any graph", ir},
    {"onnx/if/operand-positions", "An output of If serves every kind of consumer, several, or none.",
     "Outputs: \"values that are live-out to the enclosing scope\"", if_text},
    {"onnx/if/in-loop", "If works inside a Loop's body and may capture carried values.",
     "Nodes: \"A node input in a nested subgraph MAY refer to names introduced in outer graphs\"", ir},
    {"onnx/if/in-scan", "If works inside a Scan's body.",
     "Nodes: \"A node input in a nested subgraph MAY refer to names introduced in outer graphs\"", ir},
    {"onnx/if/in-sequence-map", "If works inside a SequenceMap's body.",
     "Nodes: \"A node input in a nested subgraph MAY refer to names introduced in outer graphs\"", ir},
    {"onnx/if/in-function",
     "If works inside a model-local function; its branches may refer to the function's attributes and call functions.",
     "FunctionProto: attribute references in the body, nested graphs included", proto},
    {"onnx/if/no-function-recursion", "A function does not reach itself through a branch.",
     "ModelProto.functions: \"recursive reference is not allowed\"", proto},
    {"onnx/if/loop-in-branch", "Loop and Scan work inside a branch.", "Attributes of type GRAPH hold any graph", ir},
    {"onnx/if/constant-cond-same-result", "A constant cond gives what the same cond gives when it is fed.",
     "Inputs, cond: a value like any other", if_text},

    {"onnx/model/file-is-whole",
     "The bytes are a whole ModelProto: nothing truncated, every field with its own wire type, no singular message "
     "twice.",
     "the message definitions", proto},
    {"onnx/model/graph-required", "A model has a graph.",
     "ModelProto.graph: \"the parameterized graph that is evaluated\"", proto},
    {"onnx/model/graphs-have-names", "Every graph has a name.", "Graphs: \"Each graph MUST specify a name.\"", ir},
    {"onnx/model/unknown-fields-are-skipped", "Fields that a reader does not know change nothing.",
     "Updating a message type: unknown fields", "Protocol Buffers"},
    {"onnx/model/operators-are-declared",
     "A model imports operator sets, each domain once, that declare every operator it uses; a set that a reader does "
     "not know is refused.",
     "Operators: \"Each operator used within a graph MUST be explicitly declared by one of the operator sets imported "
     "by the model.\"",
     ir},
    {"onnx/model/one-definition-per-name",
     "Each value, initializer and attribute has one definition in its graph or node.",
     "Nodes: \"A value name used in a graph must have a unique definition\"; Attributes: names are unique", ir},
    {"onnx/model/unique-functions", "Domain, name and overload of a function are together unique.",
     "ModelProto.functions", proto},
    {"onnx/model/no-cycles", "A value is made before the node that uses it; a graph is free of cycles.",
     "Nodes: \"Node dependencies MUST NOT create cycles\"; Graphs: \"a topologically sorted list of nodes\"", ir},
    {"onnx/model/every-use-is-defined",
     "Every input of a node and every output of a graph names a value that is visible.",
     "Nodes: \"Node inputs MAY refer to node outputs, graph inputs, and graph initializers.\"", ir},
    {"onnx/model/attribute-reference", "Only a function's nodes refer to attributes.",
     "AttributeProto.ref_attr_name: \"This should ONLY be used in function (sub-graph).\"", proto},
    {"onnx/model/no-function-recursion", "A function does not reach itself.",
     "ModelProto.functions: \"recursive reference is not allowed\"", proto},
    {"onnx/model/declared-type-agrees", "A type declared for a value is the value's type.",
     "Graphs, value_info: \"Used to store the type and shape information of values\"", ir},
    {"onnx/model/operands-fit", "Operands have kinds, types and shapes that the operator's own text allows.",
     "the operator's text", "ONNX operators"},
    {"onnx/model/tensor-data-fits-shape",
     "A tensor's payload has the field, the type and the size that its data_type and dims ask for.",
     "Tensor Definition: \"V is a list of values with length equal to the product of the dimensions in S\"", ir},
    {"onnx/model/external-data", "External data is a readable file.", "external_data field: location, offset, length",
     external},
    {"onnx/model/external-data-in-folder", "External data lies in the model's folder or below it.",
     "external_data field: \"file path relative to the filesystem directory where the ONNX protobuf model was stored. "
     "Up-directory path components such as .. are disallowed\"",
     external},
    {"onnx/model/nesting-limit", "Graphs nest at most 1000 deep (a limit of this reader, not of the format).",
     "docs/architecture.md", "ifcert"},
    {"onnx/model/size-limit",
     "A model asks for at most a million messages, values, dimensions and steps of inference (limits of this reader, "
     "not "
     "of the format).",
     "docs/architecture.md", "ifcert"},
    {"onnx/model/ir-version-required", "A model says which IR version it targets.",
     "ModelProto.ir_version: \"This field MUST be present.\"", proto},
    {"onnx/model/value-info-is-distinct", "A value stands at most once in the value_info of a graph or a function.",
     "GraphProto.value_info: \"The ValueInfoProto.name's must be distinct.\"", proto},
    {"onnx/model/attribute-holds-one-value",
     "An attribute has a name, a type and exactly one value, in the field of that type; a reference has none.",
     "Attributes: \"An attribute MUST have only one of the value-carrying properties.\"; AttributeProto.type: \"this "
     "field MUST be set and match the f|i|s|t|... field in use\"",
     ir},
    {"onnx/model/call-fits-function", "A call has no more inputs and outputs than the function that it calls.",
     "Nodes: \"The number of inputs and outputs in a node […] MUST satisfy the constraints imposed by the signature of "
     "the node's operator.\"",
     ir},
    {"onnx/model/nested-input-is-no-initializer",
     "From IR 4 on no value of a nested graph is both its input and its initializer; in IR 3 such constants stand "
     "behind "
     "the inputs that the node passes.",
     "Nodes: \"users MUST NOT use the same name as both a subgraph initializer and subgraph input\"; \"after the "
     "actual "
     "inputs\"",
     ir},
});

}  // namespace

std::span<const Rule> rules() {
  return table;
}

const Rule* find_rule(std::string_view name) {
  const auto found = std::ranges::find(table, name, &Rule::name);
  return found == table.end() ? nullptr : &*found;
}

}  // namespace ifcert
