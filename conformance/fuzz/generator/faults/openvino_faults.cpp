// Faults of OpenVINO IR: one element or attribute of the written XML is changed or removed.
#include <array>
#include <pugixml.hpp>
#include <sstream>
#include <string>

#include "conformance/fuzz/generator/faults/fault.hpp"

namespace ifcert::generator::faults {
namespace {

using Files = std::vector<WrittenFile>;
using pugi::xml_document;
using pugi::xml_node;

/// A random element that the path finds, anywhere in the file; an empty node if there is none.
xml_node any_found(const xml_document& document, const char* path, Random& random) {
  const pugi::xpath_node_set found = document.select_nodes(path);
  return found.empty() ? xml_node() : found[random.below(found.size())].node();
}

/// Changes a random element that the path finds.
template <class Change>
Files change_any(const Model& model, Random& random, const char* path, const Change& change) {
  Files files = write_model(model, "model.xml");
  xml_document document;
  document.load_string(files.back().bytes.c_str());
  const xml_node found = any_found(document, path, random);
  if (!found) return {};
  change(found);
  std::ostringstream text;
  document.save(text, "\t");
  files.back().bytes = std::move(text).str();
  return files;
}

Files set_any(const Model& model, Random& random, const char* path, const char* attribute, const char* value) {
  return change_any(model, random, path, [&](xml_node node) { node.attribute(attribute).set_value(value); });
}

Files remove_any(const Model& model, Random& random, const char* path) {
  return change_any(model, random, path, [](xml_node node) { node.parent().remove_child(node); });
}

constexpr const char* any_map_input = "//then_port_map/input | //else_port_map/input";
constexpr const char* any_map_output = "//then_port_map/output | //else_port_map/output";
constexpr const char* any_map_entry = "//then_port_map/* | //else_port_map/*";

Files no_port_map(Model model, Random& random) {
  return remove_any(model, random, "//then_port_map | //else_port_map");
}

Files no_body(Model model, Random& random) {
  return remove_any(model, random, "//then_body | //else_body");
}

Files parameter_without_entry(Model model, Random& random) {
  return remove_any(model, random, any_map_input);
}

Files output_without_entry(Model model, Random& random) {
  return remove_any(model, random, any_map_output);
}

Files entry_without_layer(Model model, Random& random) {
  return change_any(model, random, any_map_entry, [](xml_node node) { node.remove_attribute("internal_layer_id"); });
}

Files negative_port(Model model, Random& random) {
  return set_any(model, random, any_map_entry, "external_port_id", "-1");
}

Files fractional_layer(Model model, Random& random) {
  return set_any(model, random, any_map_entry, "internal_layer_id", "1.5");
}

Files entry_of_no_port(Model model, Random& random) {
  return set_any(model, random, any_map_input, "external_port_id", "99");
}

Files entry_of_no_parameter(Model model, Random& random) {
  return set_any(model, random, any_map_input, "internal_layer_id", "9999");
}

Files entry_of_no_result(Model model, Random& random) {
  return set_any(model, random, any_map_output, "internal_layer_id", "9999");
}

Files input_without_edge(Model model, Random& random) {
  return remove_any(model, random, "//edge");
}

Files edge_to_no_port(Model model, Random& random) {
  return set_any(model, random, "//edge", "from-port", "99");
}

Files unknown_opset(Model model, Random& random) {
  return set_any(model, random, "//layer[@type='If']", "version", "opset99");
}

Files unknown_type(Model model, Random& random) {
  return set_any(model, random, "//layer[@type='Const']/data", "element_type", "f33");
}

Files constant_beyond_the_weights(Model model, Random& random) {
  return set_any(model, random, "//layer[@type='Const']/data", "offset", "1000000");
}

Files unknown_version(Model model, Random& random) {
  return set_any(model, random, "/net", "version", "99");
}

constexpr std::array openvino_table{
    Fault{"no-port-map", "openvino/if/two-bodies-two-port-maps", no_port_map},
    Fault{"no-body", "openvino/if/two-bodies-two-port-maps", no_body},
    Fault{"parameter-without-entry", "openvino/if/every-parameter-mapped", parameter_without_entry},
    Fault{"output-without-entry", "openvino/if/every-output-mapped", output_without_entry},
    Fault{"entry-without-layer", "openvino/if/port-map-required", entry_without_layer},
    Fault{"negative-port", "openvino/if/port-map-required", negative_port},
    Fault{"fractional-layer", "openvino/if/port-map-required", fractional_layer},
    Fault{"entry-of-no-port", "openvino/if/external-port-in-range", entry_of_no_port},
    Fault{"entry-of-no-parameter", "openvino/if/internal-layer-is-parameter", entry_of_no_parameter},
    Fault{"entry-of-no-result", "openvino/if/internal-layer-is-result", entry_of_no_result},
    Fault{"input-without-edge", "openvino/ir/inputs-have-one-edge", input_without_edge},
    Fault{"edge-to-no-port", "openvino/ir/edges-name-ports", edge_to_no_port},
    Fault{"unknown-opset", "openvino/ir/operator-set-is-known", unknown_opset},
    Fault{"unknown-type", "openvino/ir/types-are-known", unknown_type},
    Fault{"constant-beyond-the-weights", "openvino/ir/constant-in-weights", constant_beyond_the_weights},
    Fault{"unknown-version", "openvino/ir/version", unknown_version},
};

}  // namespace

std::span<const Fault> faults_of_openvino() {
  return openvino_table;
}

}  // namespace ifcert::generator::faults
