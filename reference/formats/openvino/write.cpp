// Graphs → networks: slots become ports, captures and the outputs of bodies become port maps. rt_info, bounds of dims,
// and the names beyond the first of values inside are not part of the graph form, and are not written.
#include <fmt/format.h>

#include <algorithm>
#include <ifcert/openvino.hpp>
#include <pugixml.hpp>
#include <stdexcept>
#include <unordered_map>

#include "formats/openvino/blob.hpp"
#include "formats/openvino/port_names.hpp"
#include "formats/openvino/types.hpp"
#include "formats/openvino/write_text.hpp"
#include "formats/openvino/written_xml.hpp"
#include "formats/written_limits.hpp"
#include "model/node_kind.hpp"
#include "model/node_place.hpp"

namespace ifcert::openvino {
namespace {

using pugi::xml_node;

[[noreturn]] void refuse(const Place& place, const std::string& reason) {
  throw Inexpressible(to_string(place), reason);
}

void set(xml_node element, const char* name, const std::string& value) {
  element.append_attribute(name).set_value(value.c_str());
}

void set(xml_node element, const char* name, std::size_t value) {
  set(element, name, std::to_string(value));
}

/// The output port with a slot's value.
struct WrittenPort {
  std::size_t layer;
  std::size_t port;
};

/// One <layers> and <edges> while it is written.
struct WrittenNetwork {
  const Graph& graph;
  std::vector<std::optional<WrittenPort>> sources;  // by slot
  std::vector<bool> keeps_name;                     // by slot: an input or output, found by its name
  UniqueNames layer_names = {}, tensor_names = {};
  std::size_t next_id = 0;
  std::string edges = {};  // their text, which follows that of the layers
};

/// The id of a network's first Result: Parameters, constants and nodes come before.
std::size_t first_result(const Graph& graph, std::size_t parameters) {
  return parameters + graph.constants.size() + graph.nodes.size();
}

/// The ids of an If's ports, as write_node numbers them: inputs by their slot, outputs after them.
struct Ports {
  std::unordered_map<Slot, std::size_t> inputs;
  std::size_t first_output;

  explicit Ports(const Node& node) : first_output(node.inputs.size()) {
    for (std::size_t i = 1; i < node.inputs.size(); ++i) inputs.emplace(node.inputs[i], i);
    inputs.emplace(node.inputs.front(), 0);  // a body may capture cond too, preferably through another input
  }
};

/// The text of a model with more levels is not indented: each level would be indented by three more steps than the one
/// around it, and a deep model would be mostly blanks.
constexpr std::size_t deepest_indented = 20;

class Writer {
 public:
  explicit Writer(const Model& model) : model_(model), xml_(is_within(0, deepest_indented)) {}

  Files write();

 private:
  bool is_within(GraphIndex index, std::size_t levels) const;
  void write_network(GraphIndex index, const std::vector<Slot>& parameters, const Place& place);
  void keep_names(WrittenNetwork& network, const std::vector<Slot>& slots) const;
  std::vector<std::string> names_of_results(WrittenNetwork& network, const Place& place);
  std::string list_of_names(const WrittenNetwork& network, Slot slot, const Place& place) const;
  xml_node layer_of(WrittenNetwork& network, const std::string& name, const std::string& type,
                    const std::string& version, const Place& place);
  xml_node named_layer_of(WrittenNetwork& network, const std::string& name, const std::string& type,
                          const std::string& version, const Place& place);
  void add_output(WrittenNetwork& network, xml_node layer, std::size_t port, Slot slot, const Place& place);
  void write_parameter(WrittenNetwork& network, Slot slot, const Place& place);
  void write_constant(WrittenNetwork& network, const Constant& constant, const Place& place);
  void write_node(WrittenNetwork& network, const Node& node, const Place& place);
  void write_result(WrittenNetwork& network, Slot slot, const std::string& name, const Place& place);
  void write_input(WrittenNetwork& network, xml_node input, std::size_t port, Slot slot, const Place& place);
  void write_attributes(xml_node layer, const Node& node, const Place& place);
  void write_port_map(xml_node map, const Node& node, const Body& body, const Place& place);
  void write_body(const char* name, const Body& body, const Place& place);

  const Model& model_;
  Blob weights_;
  WrittenLimits limits_;
  WrittenXml xml_;
};

/// Whether the graph has at most so many levels of bodies.
bool Writer::is_within(GraphIndex index, std::size_t levels) const {
  for (const Node& node : model_.graphs[index].nodes) {
    for (const Body& body : node.bodies) {
      if (body.reference.empty() && (levels == 0 || !is_within(body.graph, levels - 1))) return false;
    }
  }
  return true;
}

Files Writer::write() {
  const Graph& main = model_.main();
  const Place place{.kind = Place::Kind::named, .what = "graph", .name = main.name};
  xml_node net = xml_.element("net");
  set(net, "name", xml_text(main.name, place));
  set(net, "version", "11");
  xml_.open(net);
  write_network(0, main.inputs, place);
  xml_.close("net");
  return {xml_.take(), weights_.take()};
}

void Writer::write_network(GraphIndex index, const std::vector<Slot>& parameters, const Place& place) {
  const Graph& graph = model_.graphs[index];
  if (!graph.unevaluated.empty()) refuse(place, "IR has no sparse constants");
  WrittenNetwork network{.graph = graph, .sources = {}, .keeps_name = {}};
  network.sources.resize(graph.slots.size());
  network.keeps_name.resize(graph.slots.size());
  keep_names(network, parameters);
  keep_names(network, graph.outputs);
  xml_.open("layers");
  for (const Slot slot : parameters) write_parameter(network, slot, place.named("value", graph.slots[slot].name));
  const std::vector<std::string> result_names = names_of_results(network, place);
  for (const Constant& constant : graph.constants)
    write_constant(network, constant, place.named("constant", graph.slots[constant.slot].name));
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) write_node(network, graph.nodes[i], place_of(graph, i, place));
  for (std::size_t i = 0; i < graph.outputs.size(); ++i)
    write_result(network, graph.outputs[i], result_names[i], place.numbered("output", i));
  xml_.close("layers");
  if (network.edges.empty()) return xml_.add(xml_.element("edges"));
  xml_.open("edges");
  xml_.add_text(network.edges);
  xml_.close("edges");
}

/// Reserves the names, which other values of the network do not get.
void Writer::keep_names(WrittenNetwork& network, const std::vector<Slot>& slots) const {
  for (const Slot slot : slots) {
    if (slot == no_slot) continue;
    network.keeps_name[slot] = true;
    network.tensor_names.claim(network.graph.slots[slot].name);
  }
}

/// A Result is named after its value, before layers inside take the name.
std::vector<std::string> Writer::names_of_results(WrittenNetwork& network, const Place& place) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < network.graph.outputs.size(); ++i) {
    const Slot slot = network.graph.outputs[i];
    const std::string value = slot == no_slot ? std::string() : network.graph.slots[slot].name;
    limits_.add_name(value, place.numbered("output", i));
    names.push_back(network.layer_names.make(xml_text(value + "/sink_port_0", place.numbered("output", i))));
  }
  return names;
}

/// The name, and the further ones of an input or output of the model.
std::string Writer::list_of_names(const WrittenNetwork& network, Slot slot, const Place& place) const {
  const std::string& name = network.graph.slots[slot].name;
  std::string list = in_list(xml_text(name, place));
  const auto further = model_.further_names.find(name);
  if (&network.graph != &model_.main() || !network.keeps_name[slot] || further == model_.further_names.end())
    return list;
  for (const std::string& one : further->second) list.append(1, ',').append(in_list(xml_text(one, place)));
  return list;
}

xml_node Writer::layer_of(WrittenNetwork& network, const std::string& name, const std::string& type,
                          const std::string& version, const Place& place) {
  return named_layer_of(network, network.layer_names.make(xml_text(name.empty() ? type : name, place)), type, version,
                        place);
}

/// The name is one that no other layer of the network has.
xml_node Writer::named_layer_of(WrittenNetwork& network, const std::string& name, const std::string& type,
                                const std::string& version, const Place& place) {
  xml_node layer = xml_.element("layer");
  set(layer, "id", network.next_id++);
  set(layer, "name", name);
  set(layer, "type", xml_text(type, place));
  set(layer, "version", version);
  return layer;
}

/// Appends a port to the layer that was made last.
void Writer::add_output(WrittenNetwork& network, xml_node layer, std::size_t port, Slot slot, const Place& place) {
  xml_node outputs = layer.child("output") ? layer.child("output") : layer.append_child("output");
  xml_node xml = outputs.append_child("port");
  set(xml, "id", port);
  if (slot == no_slot) return set(xml, "precision", "dynamic");
  network.sources[slot] = WrittenPort{network.next_id - 1, port};
  const SlotInfo& info = network.graph.slots[slot];
  limits_.add_name(info.name, place);
  limits_.add_dims(info.declared.shape ? info.declared.shape->size() : 0, place);
  const std::string_view precision = precision_of(info.declared.element);
  if (precision.empty()) refuse(place, fmt::format("IR has no element type {}", name_of(info.declared.element)));
  set(xml, "precision", std::string(precision));
  const bool keeps_name = network.keeps_name[slot] || network.tensor_names.claim(info.name);
  if (!info.name.empty() && keeps_name) set(xml, "names", list_of_names(network, slot, place));
  if (!info.declared.shape) return;
  for (const Dim& dim : *info.declared.shape)
    xml.append_child("dim").text().set(std::to_string(dim.known() ? dim.value : -1).c_str());
}

void Writer::write_parameter(WrittenNetwork& network, Slot slot, const Place& place) {
  const Type& type = network.graph.slots[slot].declared;
  if (type.known() && !type.is_tensor()) refuse(place, fmt::format("IR has only tensors; this is {}", kind_text(type)));
  const std::string_view element = attribute_name_of(type.element);
  if (element.empty()) refuse(place, fmt::format("IR has no element type {}", name_of(type.element)));
  xml_node layer = layer_of(network, network.graph.slots[slot].name, "Parameter", "opset1", place);
  xml_node data = layer.append_child("data");
  set(data, "shape", shape_text(type.shape));
  set(data, "element_type", std::string(element));
  add_output(network, layer, 0, slot, place);
  xml_.add(layer);
}

void Writer::write_constant(WrittenNetwork& network, const Constant& constant, const Place& place) {
  const Tensor* tensor = constant.value.tensor();
  if (tensor == nullptr) refuse(place, "the value is not a tensor");
  if (network.sources[constant.slot]) refuse(place, "IR has no optional inputs");
  const std::string_view element = attribute_name_of(tensor->type);
  if (element.empty()) refuse(place, fmt::format("IR has no element type {}", name_of(tensor->type)));
  const Blob::Range range = weights_.add(*tensor);
  xml_node layer = layer_of(network, network.graph.slots[constant.slot].name, "Const", "opset1", place);
  xml_node data = layer.append_child("data");
  set(data, "element_type", std::string(element));
  set(data, "shape", shape_text(static_shape(tensor->dims)));
  set(data, "offset", range.offset);
  set(data, "size", range.size);
  add_output(network, layer, 0, constant.slot, place);
  xml_.add(layer);
}

void Writer::write_result(WrittenNetwork& network, Slot slot, const std::string& name, const Place& place) {
  xml_node layer = named_layer_of(network, name, "Result", "opset1", place);
  write_input(network, layer.append_child("input"), 0, slot, place);
  xml_.add(layer);
}

/// A port of the layer that was made last, and the edge that leads to it.
void Writer::write_input(WrittenNetwork& network, xml_node input, std::size_t port, Slot slot, const Place& place) {
  if (slot == no_slot) refuse(place, "IR has no optional inputs");
  const std::optional<WrittenPort>& source = network.sources[slot];
  if (!source) refuse(place, "the value is used before it is defined");
  set(input.append_child("port"), "id", port);
  xml_node edge = xml_.element("edge");
  set(edge, "from-layer", source->layer);
  set(edge, "from-port", source->port);
  set(edge, "to-layer", network.next_id - 1);
  set(edge, "to-port", port);
  network.edges += xml_.text_of(edge, 0);
}

void Writer::write_node(WrittenNetwork& network, const Node& node, const Place& place) {
  if (node.call) refuse(place, "IR has no functions");
  if (!node.domain.empty() && node.domain != "extension")
    refuse(place, fmt::format("IR has no domain \"{}\"", node.domain));
  if (is_if(node) != (node.bodies.size() == 2)) refuse(place, "If is the only layer with bodies that is written");
  const std::string version = node.domain.empty() ? fmt::format("opset{}", node.version) : node.domain;
  limits_.add_name(node.name, place);
  xml_node layer = layer_of(network, node.name, node.op, version, place);
  write_attributes(layer, node, place);
  if (!node.inputs.empty()) {
    xml_node input = layer.append_child("input");
    for (std::size_t i = 0; i < node.inputs.size(); ++i)
      write_input(network, input, i, node.inputs[i], place.numbered("input", i));
  }
  for (std::size_t i = 0; i < node.outputs.size(); ++i)
    add_output(network, layer, node.inputs.size() + i, node.outputs[i], place.numbered("output", i));
  if (!is_if(node)) return xml_.add(layer);
  write_port_map(layer.append_child("then_port_map"), node, node.bodies[0], place.word("then_body"));
  write_port_map(layer.append_child("else_port_map"), node, node.bodies[1], place.word("else_body"));
  xml_.open(layer);
  write_body("then_body", node.bodies[0], place.word("then_body"));
  write_body("else_body", node.bodies[1], place.word("else_body"));
  xml_.close("layer");
}

void Writer::write_attributes(xml_node layer, const Node& node, const Place& place) {
  if (node.attributes.empty()) return;
  xml_node data = layer.append_child("data");
  for (const auto& [name, value] : node.attributes) {
    const auto* text = std::get_if<std::string>(&value);
    if (text == nullptr) refuse(place.named("attribute", name), "attributes of IR are strings");
    set(data, name.c_str(), xml_text(*text, place.named("attribute", name)));
  }
}

/// The Parameters of a body are its first layers, its Results the last.
void Writer::write_port_map(xml_node map, const Node& node, const Body& body, const Place& place) {
  const Ports ports(node);
  for (std::size_t i = 0; i < body.captures.size(); ++i) {
    const auto port = ports.inputs.find(body.captures[i].outer);
    if (port == ports.inputs.end()) refuse(place, "the body captures a value that is not an input of the If");
    xml_node entry = map.append_child("input");
    set(entry, "external_port_id", port->second);
    set(entry, "internal_layer_id", i);
  }
  const Graph& graph = model_.graphs[body.graph];
  for (std::size_t i = 0; i < graph.outputs.size(); ++i) {
    xml_node entry = map.append_child("output");
    set(entry, "external_port_id", ports.first_output + i);
    set(entry, "internal_layer_id", first_result(graph, body.captures.size()) + i);
  }
}

void Writer::write_body(const char* name, const Body& body, const Place& place) {
  std::vector<Slot> parameters;
  for (const Capture& capture : body.captures) {
    limits_.add_captured(model_.graphs[body.graph].slots[capture.inner], place);
    parameters.push_back(capture.inner);
  }
  xml_.open(name);
  write_network(body.graph, parameters, place);
  xml_.close(name);
}

}  // namespace

Files write(const Model& model) {
  if (model.format != Format::openvino) throw std::invalid_argument("openvino::write: the model is of another format");
  return Writer(model).write();
}

}  // namespace ifcert::openvino
