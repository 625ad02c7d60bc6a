#include <algorithm>
#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "conformance/rewritings/flat_rewritings.hpp"
#include "conformance/rewritings/ir_rewritings.hpp"
#include "conformance/rewritings/onnx_rewritings.hpp"
#include "conformance/rewritings/rewriting.hpp"

namespace ifcert::conformance {
namespace {

using onnx_rewritings::Names;
using onnx_rewritings::NodeNames;
using onnx_rewritings::Order;
using onnx_tree::Kind;
using onnx_tree::Number;
using Files = ModelFiles;
namespace fields = onnx_tree::fields;

template <Kind kind, Number list, Number key, Order order>
void reordered(Files& files) {
  onnx_rewritings::reorder(files, kind, list, order, key);
}

template <Names names>
void values_renamed(Files& files) {
  onnx_rewritings::rename_values(files, names);
}

template <NodeNames names>
void nodes_renamed(Files& files) {
  onnx_rewritings::rename_nodes(files, names);
}

template <Names names>
void graphs_renamed(Files& files) {
  onnx_rewritings::rename_graphs(files, names);
}

template <Names names>
void functions_renamed(Files& files) {
  onnx_rewritings::rename_functions(files, names);
}

using FlatOrder = flat_rewritings::Order;
using FlatNames = flat_rewritings::Names;

template <FlatOrder order>
void tensors_reordered(Files& files) {
  flat_rewritings::reorder_tensors(files, order);
}

template <FlatOrder order>
void buffers_reordered(Files& files) {
  flat_rewritings::reorder_buffers(files, order);
}

template <FlatOrder order>
void codes_reordered(Files& files) {
  flat_rewritings::reorder_operator_codes(files, order);
}

template <FlatOrder order>
void subgraphs_reordered(Files& files) {
  flat_rewritings::reorder_subgraphs(files, order);
}

template <FlatNames names>
void tensors_renamed(Files& files) {
  flat_rewritings::rename_tensors(files, names);
}

template <FlatNames names>
void subgraphs_renamed(Files& files) {
  flat_rewritings::rename_subgraphs(files, names);
}

constexpr char layers[] = "layers", layer[] = "layer", edges[] = "edges", edge[] = "edge";

template <const char* parent, const char* child, ir_rewritings::Order order>
void ir_reordered(Files& files) {
  ir_rewritings::reorder(files, parent, child, order);
}

template <ir_rewritings::Ids ids>
void layers_renumbered(Files& files) {
  ir_rewritings::renumber_layers(files, ids);
}

template <ir_rewritings::LayerNames names>
void layers_renamed(Files& files) {
  ir_rewritings::rename_layers(files, names);
}

// clang-format off
const std::array onnx_table{
    Rewriting{"imports-reversed", "onnx", "imports", "operator sets are imported in the reverse order",
              {"ir-model-opset-import", "ir-operator-sets-by-domain"},
              onnx_rewritings::reverse_imports, true},
    Rewriting{"functions-reversed", "onnx", "functions", "functions are listed in the reverse order",
              {"ir-model-functions", "proto-functions-unique"},
              reordered<Kind::model, fields::ModelProto::functions, fields::FunctionProto::name, Order::reversed>, true},
    Rewriting{"functions-rotated", "onnx", "functions", "the first function comes last",
              {"ir-model-functions", "proto-functions-unique"},
              reordered<Kind::model, fields::ModelProto::functions, fields::FunctionProto::name, Order::rotated>, true},
    Rewriting{"functions-sorted", "onnx", "functions", "functions are sorted by name",
              {"ir-model-functions", "proto-functions-unique"},
              reordered<Kind::model, fields::ModelProto::functions, fields::FunctionProto::name, Order::sorted>, true},
    Rewriting{"initializers-reversed", "onnx", "initializers", "initializers of each graph are listed in the reverse order",
              {"ir-initializer-order"},
              reordered<Kind::graph, fields::GraphProto::initializer, fields::TensorProto::name, Order::reversed>, true},
    Rewriting{"initializers-rotated", "onnx", "initializers", "the first initializer of each graph comes last",
              {"ir-initializer-order"},
              reordered<Kind::graph, fields::GraphProto::initializer, fields::TensorProto::name, Order::rotated>, true},
    Rewriting{"initializers-sorted", "onnx", "initializers", "initializers of each graph are sorted by name",
              {"ir-initializer-order"},
              reordered<Kind::graph, fields::GraphProto::initializer, fields::TensorProto::name, Order::sorted>, true},
    Rewriting{"value-infos-reversed", "onnx", "value-infos", "declarations of values (value_info) are listed in the reverse order",
              {"proto-value-info-distinct"},
              onnx_rewritings::reverse_value_infos, true},
    Rewriting{"attributes-reversed", "onnx", "attributes", "attributes of each node are listed in the reverse order: else_branch before then_branch, or after it",
              {"ir-node-attributes-by-name"},
              reordered<Kind::node, fields::NodeProto::attribute, fields::AttributeProto::name, Order::reversed>},
    Rewriting{"attributes-sorted", "onnx", "attributes", "attributes of each node are sorted by name",
              {"ir-node-attributes-by-name"},
              reordered<Kind::node, fields::NodeProto::attribute, fields::AttributeProto::name, Order::sorted>},
    Rewriting{"external-entries-reversed", "onnx", "external-entries", "entries of external_data are listed in the reverse order",
              {"external-key-value-pairs", "proto-mappings"},
              reordered<Kind::tensor, fields::TensorProto::external_data, fields::StringStringEntryProto::key, Order::reversed>, true},
    Rewriting{"metadata-reversed", "onnx", "metadata-reversed", "entries of metadata_props are listed in the reverse order",
              {"ir-metadata", "proto-mappings"}, onnx_rewritings::reverse_metadata, true},
    Rewriting{"nodes-reordered", "onnx", "nodes", "nodes are in another topological order: of those that can be next, the last one of the file comes first",
              {"ir-graph-node-order", "ir-graph-sorted"}, onnx_rewritings::reorder_nodes, true},
    Rewriting{"fields-reversed", "onnx", "fields", "each message has its fields of higher numbers first",
              {"protobuf-field-order"}, onnx_rewritings::reverse_fields},
    Rewriting{"packing-exchanged", "onnx", "data", "numbers that are packed are written one by one, and the reverse",
              {"protobuf-packed-or-not"}, onnx_rewritings::exchange_packing},
    Rewriting{"unknown-fields-added", "onnx", "unknown-fields", "each message has fields whose numbers nobody knows",
              {"proto2-unknown-fields-are-data", "protobuf-new-fields"}, onnx_rewritings::add_unknown_fields},
    Rewriting{"value-names-punctuated", "onnx", "value-names", "values have names such as \"/a:0.b-c d/7\"",
              {"ir-edges", "ir-names-c90"}, values_renamed<Names::punctuated>},
    Rewriting{"value-names-short", "onnx", "value-names", "values have names of one letter, or two",
              {"ir-edges"}, values_renamed<Names::brief>},
    Rewriting{"value-names-long", "onnx", "value-names", "values have names of 300 characters that differ in the last ones",
              {"ir-edges"}, values_renamed<Names::lengthy>},
    Rewriting{"value-names-exchanged", "onnx", "value-names", "values of each graph exchange their names",
              {"ir-edges"}, values_renamed<Names::exchanged>},
    Rewriting{"value-names-reused", "onnx", "value-names", "graphs that do not see each other use the same names for their values",
              {"ir-edges", "ir-distinct-from-outer"}, values_renamed<Names::reused>},
    Rewriting{"node-names-dropped", "onnx", "node-names", "nodes have no names",
              {"ir-node-name"}, nodes_renamed<NodeNames::none>, true},
    Rewriting{"node-names-punctuated", "onnx", "node-names", "nodes have names such as \"/a:0.b-c d/7\"",
              {"ir-node-name"}, nodes_renamed<NodeNames::punctuated>},
    Rewriting{"node-names-long", "onnx", "node-names", "nodes have names of 300 characters that differ in the last ones",
              {"ir-node-name"}, nodes_renamed<NodeNames::lengthy>},
    Rewriting{"node-names-of-outputs", "onnx", "node-names", "each node has the name of its last output",
              {"ir-node-name", "ir-names-namespaces"}, nodes_renamed<NodeNames::of_outputs>},
    Rewriting{"node-names-in-all-graphs", "onnx", "node-names", "each graph names its nodes node_0, node_1, …",
              {"ir-node-name", "ir-names-unique"}, nodes_renamed<NodeNames::same_in_all_graphs>},
    Rewriting{"graph-names-punctuated", "onnx", "graph-names", "graphs have names such as \"/a:0.b-c d/7\"",
              {"ir-graph-name-property", "ir-names-c90"}, graphs_renamed<Names::punctuated>},
    Rewriting{"graph-names-short", "onnx", "graph-names", "graphs have names of one letter, or two",
              {"ir-graph-name-property"}, graphs_renamed<Names::brief>},
    Rewriting{"graph-names-long", "onnx", "graph-names", "graphs have names of 300 characters that differ in the last ones",
              {"ir-graph-name-property"}, graphs_renamed<Names::lengthy>},
    Rewriting{"function-names-short", "onnx", "function-names", "functions have names of one letter, or two",
              {"proto-functions-unique", "ir-graph-node-calls"}, functions_renamed<Names::brief>, true},
    Rewriting{"function-names-exchanged", "onnx", "function-names", "functions of one domain exchange their names",
              {"proto-functions-unique", "ir-graph-node-calls"}, functions_renamed<Names::exchanged>, true},
    Rewriting{"dimension-names-changed", "onnx", "dimension-names", "dimension variables have other names",
              {"ir-names-shape", "ir-dimension-variable-not-constrained"}, onnx_rewritings::rename_dimensions, true},
    Rewriting{"raw-data", "onnx", "data", "numbers of tensors are in raw_data",
              {"proto-raw-data-or-field"}, onnx_rewritings::to_raw_data, true},
    Rewriting{"typed-fields", "onnx", "data", "numbers of tensors are in the field of their type",
              {"proto-raw-data-or-field"}, onnx_rewritings::to_typed_fields},
    Rewriting{"external-data", "onnx", "data", "numbers of initializers of floating point are in another file, each on a page of its own",
              {"ir-external-large-constants", "external-same-bytes"}, onnx_rewritings::to_external_data},
    Rewriting{"own-data", "onnx", "data", "numbers that are in other files come into the model's file",
              {"ir-external-large-constants", "external-same-bytes"}, onnx_rewritings::to_own_data, true},
    Rewriting{"value-infos-added", "onnx", "value-infos", "initializers, Constants, what an Identity makes of them, and results that can only be bools are declared (value_info)",
              {"proto-value-info-distinct"}, onnx_rewritings::add_value_infos},
    Rewriting{"value-infos-dropped", "onnx", "value-infos", "declarations of values (value_info) are left out",
              {"proto-value-info-distinct"}, onnx_rewritings::drop_value_infos, true},
    Rewriting{"nested-types-dropped", "onnx", "nested-types", "inputs and outputs of graphs in nodes have no types",
              {"ir-subgraph-types"}, onnx_rewritings::drop_types_of_nested_graphs},
    Rewriting{"nested-shapes-dropped", "onnx", "nested-shapes", "inputs and outputs of graphs in nodes, and declared values (value_info), have no shapes",
              {"ir-shape-absent", "ir-subgraph-types"}, onnx_rewritings::drop_nested_shapes},
    Rewriting{"main-dimensions-dropped", "onnx", "main-dimensions", "inputs and outputs of the main graph declare their ranks, and no dimension",
              {"ir-main-graph-ranks", "ir-dimension-unset"}, onnx_rewritings::drop_main_dimensions},
    Rewriting{"documentation-added", "onnx", "documentation-added", "everything has a doc_string",
              {"ir-graph-documented", "ir-doc-string-of-model", "ir-doc-string-of-value", "proto-attribute-doc-string"},
              onnx_rewritings::add_documentation},
    Rewriting{"metadata-added", "onnx", "metadata-added", "the model has named metadata",
              {"ir-metadata", "ir-model-metadata-for-tools"}, onnx_rewritings::add_metadata},
    Rewriting{"metadata-added-inside", "onnx", "metadata-added-inside", "graphs, nodes and functions have named metadata",
              {"ir-metadata", "ir-other-metadata"}, onnx_rewritings::add_metadata_inside, true},
    Rewriting{"producer-changed", "onnx", "producer-changed", "another tool is named as the model's producer",
              {"ir-model-producer-name"}, onnx_rewritings::change_producer},
    Rewriting{"unused-initializers-added", "onnx", "unused-initializers", "each graph begins with an initializer that nothing reads",
              {"ir-initializer-constant", "ir-edges"}, onnx_rewritings::add_initializers},
    Rewriting{"unused-constants-added", "onnx", "unused-constants", "each graph begins with a Constant that nothing reads",
              {"ir-graph-side-effect-free", "ir-edges"}, onnx_rewritings::add_constants},
    Rewriting{"unused-function-added", "onnx", "unused-function-added", "the model has a function that nothing calls",
              {"ir-model-functions"}, onnx_rewritings::add_function},
    Rewriting{"default-domain-omitted", "onnx", "default-domain-omitted", "the import of the default operator set has no domain",
              {"proto-default-domain"}, onnx_rewritings::omit_default_domain},
    Rewriting{"attribute-defaults-written", "onnx", "attribute-defaults", "defaults of some attributes are written out: allowzero, axis of Gather, group, keepdims, transA",
              {"operators-allowzero-default", "operators-gather-axis-default", "operators-group-default", "operators-keepdims-default", "operators-trans-a-default"},
              onnx_rewritings::write_attribute_defaults, true},
    Rewriting{"attribute-defaults-omitted", "onnx", "attribute-defaults", "the same attributes are left out where they have their defaults",
              {"operators-allowzero-default", "operators-gather-axis-default", "operators-group-default", "operators-keepdims-default", "operators-trans-a-default"},
              onnx_rewritings::omit_attribute_defaults, true},
    Rewriting{"field-defaults-written", "onnx", "field-defaults", "domains of nodes and doc_strings that are absent are written, as \"\"",
              {"proto2-default-values", "proto2-default-of-strings"}, onnx_rewritings::write_field_defaults},
    Rewriting{"field-defaults-omitted", "onnx", "field-defaults", "domains of nodes and doc_strings that are \"\" are left out",
              {"proto2-default-values", "proto2-default-of-strings"}, onnx_rewritings::omit_field_defaults},
    Rewriting{"main-into-then", "onnx", "places", "the nodes of the main graph are in both branches of an If whose cond is a Constant, true",
              {"if-then-branch-runs", "ir-outer-scope"}, onnx_rewritings::put_main_into_then},
    Rewriting{"main-into-else", "onnx", "places", "the nodes and initializers of the main graph are in both branches of an If whose cond is computed, false",
              {"if-else-branch-runs", "ir-outer-scope"}, onnx_rewritings::put_main_into_else},
    Rewriting{"main-into-loop", "onnx", "places", "the nodes of the main graph are in the body of a Loop of one trip, which stacks what they return",
              {"operators-loop-for-trip-count", "operators-loop-scan-output-concatenated", "ir-outer-scope"}, onnx_rewritings::put_main_into_loop},
    Rewriting{"main-into-function", "onnx", "places", "the nodes of the main graph are those of a function that it calls",
              {"ir-graph-node-calls", "ir-functions-inlined"}, onnx_rewritings::put_main_into_function},
    Rewriting{"ifs-into-ifs", "onnx", "places", "each If is in both branches of another one on the same cond",
              {"if-then-branch-runs", "if-else-branch-runs"}, onnx_rewritings::put_ifs_into_ifs},
    Rewriting{"ifs-into-functions", "onnx", "places", "each If of the main graph is in a function that is called in its place",
              {"ir-graph-node-calls", "ir-functions-inlined"}, onnx_rewritings::put_ifs_into_functions},
    Rewriting{"constants-into-initializers", "onnx", "constants", "Constants that are tensors are initializers of their graph",
              {"operators-constant", "ir-initializer-constant"}, onnx_rewritings::constants_into_initializers},
    Rewriting{"initializers-into-constants", "onnx", "constants", "initializers are Constants in their graph",
              {"operators-constant", "ir-initializer-constant"}, onnx_rewritings::initializers_into_constants},
    Rewriting{"results-copied", "onnx", "results", "each branch of an If returns the Identity of what it returns",
              {"operators-identity-copy"}, onnx_rewritings::copy_results},
    Rewriting{"branches-exchanged", "onnx", "branches", "each If has the Not of its cond, and its branches are exchanged",
              {"operators-not", "if-then-branch-runs", "if-else-branch-runs"}, onnx_rewritings::exchange_branches},
    Rewriting{"branches-passed", "onnx", "places", "each If of the main graph, or of its branches, whose branches read nothing around them is in a function to which a call passes the branches",
              {"ir-graph-node-calls", "ir-functions-inlined", "ir-function-attribute-replaced"}, onnx_rewritings::pass_branches, true},
    Rewriting{"inputs-into-initializers", "onnx", "inputs", "nodes read an initializer in the place of each input to which all runs feed the same, if its whole shape is declared",
              {"ir-initializer-constant", "ir-inputs-refer"}, onnx_rewritings::fix_inputs},
};

const std::array openvino_table{
    Rewriting{"layers-reversed", "openvino", "layers", "layers of each network are listed in the reverse order, but its Parameters, and its Results, in their own",
              {"ir-edges-by-ids"}, ir_reordered<layers, layer, ir_rewritings::Order::reversed>},
    Rewriting{"layers-rotated", "openvino", "layers", "the first layer of each network comes last; its Parameters, and its Results, keep their own order",
              {"ir-edges-by-ids"}, ir_reordered<layers, layer, ir_rewritings::Order::rotated>},
    Rewriting{"body-interfaces-reversed", "openvino", "body-interfaces", "Parameters, and Results, of each body of an If are listed in the reverse order",
              {"if-8-internal-layer-id", "if-8-entry-is-a-rule"}, ir_rewritings::reverse_interfaces_of_bodies},
    Rewriting{"edges-reversed", "openvino", "edges", "edges of each network are listed in the reverse order",
              {"ir-edges-by-ids"}, ir_reordered<edges, edge, ir_rewritings::Order::reversed>},
    Rewriting{"edges-rotated", "openvino", "edges", "the first edge of each network comes last",
              {"ir-edges-by-ids"}, ir_reordered<edges, edge, ir_rewritings::Order::rotated>},
    Rewriting{"port-map-inputs-reversed", "openvino", "port-map-inputs", "input entries of port maps are listed in the reverse order",
              {"if-8-port-map", "if-8-entry-is-a-rule"}, ir_rewritings::reverse_port_map_inputs},
    Rewriting{"port-map-outputs-reversed", "openvino", "port-map-outputs", "output entries of port maps are listed in the reverse order",
              {"if-8-port-map", "if-8-entry-is-a-rule"}, ir_rewritings::reverse_port_map_outputs},
    Rewriting{"layer-ids-with-gaps", "openvino", "layer-ids", "layers of each network have the ids 3, 10, 17, …",
              {"ir-edges-by-ids", "if-8-internal-layer-id"}, layers_renumbered<ir_rewritings::Ids::gaps>},
    Rewriting{"layer-ids-falling", "openvino", "layer-ids", "the first layer of each network has the largest id",
              {"ir-edges-by-ids", "if-8-internal-layer-id"}, layers_renumbered<ir_rewritings::Ids::falling>},
    Rewriting{"layer-ids-large", "openvino", "layer-ids", "ids of layers begin at 2147483648",
              {"ir-edges-by-ids", "if-8-internal-layer-id-type"}, layers_renumbered<ir_rewritings::Ids::large>},
    Rewriting{"output-port-ids-large", "openvino", "output-port-ids", "output ports of each layer but an If have the ids 1000, 1010, …",
              {"ir-edges-by-ids"}, ir_rewritings::renumber_output_ports},
    Rewriting{"input-port-ids-large", "openvino", "input-port-ids", "input ports of each layer but an If have the ids 500, 510, …",
              {"ir-edges-by-ids"}, ir_rewritings::renumber_input_ports},
    Rewriting{"layer-names-punctuated", "openvino", "layer-names", "layers have names such as \"/a:0.b-c d/7\", except the main network's Parameters, Results and what these return",
              {"ir-edges-by-ids", "node-friendly-name"}, layers_renamed<ir_rewritings::LayerNames::punctuated>},
    Rewriting{"layer-names-long", "openvino", "layer-names", "layers have names of 300 characters, except the main network's Parameters, Results and what these return",
              {"ir-edges-by-ids", "node-friendly-name"}, layers_renamed<ir_rewritings::LayerNames::lengthy>},
    Rewriting{"layer-names-in-all-bodies", "openvino", "layer-names", "each body names its layers layer_0, layer_1, …",
              {"ir-edges-by-ids", "node-friendly-name", "if-8-bodies"}, layers_renamed<ir_rewritings::LayerNames::same_in_all_bodies>},
    Rewriting{"layer-defaults-written", "openvino", "layer-defaults", "auto_broadcast, keep_dims, transpose_a and transpose_b are written out where they have their defaults",
              {"operations-auto-broadcast-default", "operations-keep-dims-default", "operations-transpose-default"},
              ir_rewritings::write_defaults},
    Rewriting{"layer-defaults-omitted", "openvino", "layer-defaults", "the same attributes are left out where they have their defaults",
              {"operations-auto-broadcast-default", "operations-keep-dims-default", "operations-transpose-default"},
              ir_rewritings::omit_defaults, true},
    Rewriting{"meta-data-added", "openvino", "meta-data-added", "a section meta_data of a converter follows the edges",
              {"ir-meta-data"}, ir_rewritings::add_meta_data},
    Rewriting{"xml-attributes-reversed", "openvino", "xml-attributes", "attributes of each element are in the reverse order",
              {"xml-attribute-order"}, ir_rewritings::reverse_attributes},
    Rewriting{"comments-added", "openvino", "comments", "each element begins and ends with a comment",
              {"xml-comments"}, ir_rewritings::add_comments},
    Rewriting{"apostrophes", "openvino", "apostrophes", "values of attributes are in apostrophes",
              {"xml-attribute-value"}, ir_rewritings::quote_with_apostrophes},
    Rewriting{"character-references", "openvino", "character-references", "values of attributes begin with a character reference",
              {"xml-character-reference", "xml-attribute-value"}, ir_rewritings::write_character_references},
    Rewriting{"weights-padded", "openvino", "weights", "the .bin begins and ends with 64 other bytes",
              {"ir-offset-and-size"}, ir_rewritings::pad_weights},
    Rewriting{"weights-reversed", "openvino", "weights", "constants are in the .bin in the reverse order, with gaps",
              {"ir-offset-and-size"}, ir_rewritings::reverse_weights, true},
    Rewriting{"weights-shared", "openvino", "weights", "constants with the same bytes are one place in the .bin",
              {"operations-constant-offset", "ir-offset-and-size"}, ir_rewritings::share_weights},
    Rewriting{"if-parts-reversed", "openvino", "parts", "port maps and bodies of each If are listed in the reverse order",
              {"if-8-two-port-maps", "if-8-two-bodies"}, ir_rewritings::reverse_parts_of_ifs},
    Rewriting{"ifs-into-bodies", "openvino", "places", "each If of the main network is in both bodies of another one on the same cond",
              {"if-8-then-runs", "if-8-else-runs"}, ir_rewritings::put_ifs_into_ifs},
    Rewriting{"main-into-bodies", "openvino", "places", "the main network is in both bodies of an If whose cond is a Constant, true",
              {"if-8-then-runs", "operations-constant-output"}, ir_rewritings::put_main_into_bodies},
    Rewriting{"bodies-exchanged", "openvino", "bodies", "each If has the LogicalNot of its cond, and its bodies are exchanged",
              {"operations-logical-not", "if-8-then-runs", "if-8-else-runs"}, ir_rewritings::exchange_bodies},
    Rewriting{"parameters-into-constants", "openvino", "inputs", "layers read a Constant in the place of each Parameter to which all runs feed the same, if its whole type is declared",
              {"operations-constant-output", "operations-constant-offset"}, ir_rewritings::fix_inputs},
};

const std::array tflite_table{
    Rewriting{"tensors-reversed", "tflite", "tensors", "tensors of each subgraph are listed in the reverse order",
              {"schema-tensors", "schema-inputs", "schema-outputs"}, tensors_reordered<FlatOrder::reversed>},
    Rewriting{"tensors-rotated", "tflite", "tensors", "the first tensor of each subgraph comes last",
              {"schema-tensors", "schema-inputs", "schema-outputs"}, tensors_reordered<FlatOrder::rotated>},
    Rewriting{"buffers-reversed", "tflite", "buffers", "buffers are listed in the reverse order, after buffer 0",
              {"schema-buffers", "schema-buffer-index"}, buffers_reordered<FlatOrder::reversed>},
    Rewriting{"buffers-rotated", "tflite", "buffers", "buffer 1 comes last",
              {"schema-buffers", "schema-buffer-index"}, buffers_reordered<FlatOrder::rotated>, true},
    Rewriting{"operator-codes-reversed", "tflite", "operator-codes", "operator codes are listed in the reverse order",
              {"schema-operator-codes", "schema-opcode-index"}, codes_reordered<FlatOrder::reversed>},
    Rewriting{"operator-codes-rotated", "tflite", "operator-codes", "the first operator code comes last",
              {"schema-operator-codes", "schema-opcode-index"}, codes_reordered<FlatOrder::rotated>},
    Rewriting{"subgraphs-reversed", "tflite", "subgraphs", "subgraphs are listed in the reverse order, after the main one",
              {"schema-main-model", "rfc-integer-index"}, subgraphs_reordered<FlatOrder::reversed>},
    Rewriting{"subgraphs-rotated", "tflite", "subgraphs", "the second subgraph comes last",
              {"schema-main-model", "rfc-integer-index"}, subgraphs_reordered<FlatOrder::rotated>, true},
    Rewriting{"tensor-names-dropped", "tflite", "tensor-names", "tensors have no names, except inputs and outputs of the main subgraph",
              {"schema-name"}, tensors_renamed<FlatNames::none>},
    Rewriting{"tensor-names-punctuated", "tflite", "tensor-names", "tensors have names such as \"/a:0.b-c d/7\", except inputs and outputs of the main subgraph",
              {"schema-name"}, tensors_renamed<FlatNames::punctuated>},
    Rewriting{"tensor-names-long", "tflite", "tensor-names", "tensors have names of 300 characters, except inputs and outputs of the main subgraph",
              {"schema-name"}, tensors_renamed<FlatNames::lengthy>},
    Rewriting{"tensor-names-equal", "tflite", "tensor-names", "all tensors have the same name, except inputs and outputs of the main subgraph",
              {"schema-name"}, tensors_renamed<FlatNames::equal>},
    Rewriting{"subgraph-names-dropped", "tflite", "subgraph-names", "subgraphs have no names",
              {"schema-subgraph-name"}, subgraphs_renamed<FlatNames::none>},
    Rewriting{"subgraph-names-punctuated", "tflite", "subgraph-names", "subgraphs have names such as \"/a:0.b-c d/7\"",
              {"schema-subgraph-name"}, subgraphs_renamed<FlatNames::punctuated>},
    Rewriting{"subgraph-names-equal", "tflite", "subgraph-names", "all subgraphs have the same name",
              {"schema-subgraph-name"}, subgraphs_renamed<FlatNames::equal>},
    Rewriting{"defaults-omitted", "tflite", "defaults", "indices that are 0, the default, are left out: of operator codes, buffers and subgraphs",
              {"flatbuffers-absent-field", "schema-no-buffer"}, flat_rewritings::omit_defaults},
    Rewriting{"metadata-entry-added", "tflite", "metadata-entry-added", "the model has an entry of metadata, with a buffer of its own",
              {"schema-metadata", "schema-metadata-name"}, flat_rewritings::add_metadata},
    Rewriting{"description-changed", "tflite", "description-changed", "the model has another description",
              {"schema-description"}, flat_rewritings::change_description},
    Rewriting{"unknown-slots-added", "tflite", "unknown-slots", "each table has a field that no schema has yet",
              {"evolution-new-fields", "schema-backwards"}, flat_rewritings::add_unknown_fields},
    Rewriting{"objects-padded", "tflite", "objects", "36 other bytes are before each table, list and string",
              {"flatbuffers-places"}, flat_rewritings::pad_objects},
    Rewriting{"vtables-behind", "tflite", "vtables", "the vtable of each table follows it",
              {"flatbuffers-vtables"}, flat_rewritings::put_vtables_behind},
    Rewriting{"buffers-shared", "tflite", "constants", "constants with the same bytes have one buffer",
              {"schema-buffers", "schema-buffer-index"}, flat_rewritings::share_buffers},
    Rewriting{"buffers-of-their-own", "tflite", "constants", "each constant has a buffer of its own",
              {"schema-buffers", "schema-buffer-index"}, flat_rewritings::part_buffers},
    Rewriting{"each-if-into-ifs", "tflite", "places", "each If is in both subgraphs of another one on the same cond",
              {"if-choice", "rfc-first-input-is-condition"}, flat_rewritings::put_ifs_into_ifs},
    Rewriting{"main-into-ifs", "tflite", "places", "the main subgraph is both subgraphs of an If whose cond is a constant, true",
              {"if-choice", "rfc-first-input-is-condition"}, flat_rewritings::put_main_into_ifs},
    Rewriting{"objects-last-first", "tflite", "objects", "what the last field of a table leads to is in the file before what the first one leads to",
              {"flatbuffers-places"}, flat_rewritings::put_last_first},
    Rewriting{"inputs-into-constants", "tflite", "inputs", "operations read a constant in the place of each input to which all runs feed the same",
              {"schema-buffers", "schema-buffer-index"}, flat_rewritings::fix_inputs},
};
// clang-format on

}  // namespace

std::span<const Rewriting> all_rewritings() {
  static const std::vector<Rewriting> all = [] {
    std::vector<Rewriting> joined(onnx_table.begin(), onnx_table.end());
    joined.insert(joined.end(), openvino_table.begin(), openvino_table.end());
    joined.insert(joined.end(), tflite_table.begin(), tflite_table.end());
    return joined;
  }();
  return all;
}

std::vector<const Rewriting*> rewritings_of(std::string_view system) {
  std::vector<const Rewriting*> of_system;
  for (const Rewriting& rewriting : all_rewritings()) {
    if (rewriting.system == system) of_system.push_back(&rewriting);
  }
  return of_system;
}

const Rewriting* find_rewriting(std::string_view system, std::string_view name) {
  const auto is_meant = [&](const Rewriting& each) { return each.system == system && each.name == name; };
  const auto found = std::ranges::find_if(all_rewritings(), is_meant);
  return found == all_rewritings().end() ? nullptr : &*found;
}

bool names_rewritings(std::string_view system, std::string_view name) {
  const std::size_t end = name.find(between_rewritings);
  if (find_rewriting(system, name.substr(0, end)) == nullptr) return false;
  return end == std::string_view::npos || names_rewritings(system, name.substr(end + between_rewritings.size()));
}

ModelFiles rewritten_by(const Rewriting& rewriting, const ModelFiles& files) {
  ModelFiles made = files;
  rewriting.rewrite(made);
  if (made.bytes == files.bytes) throw NotMade("it would change nothing");
  made.folder = opaque_name(made);
  return made;
}

}  // namespace ifcert::conformance
