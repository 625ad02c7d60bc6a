// .xml and .bin → graphs: ports become slots, port maps become captures and outputs of bodies, and broken rules are
// reported.
#include <fmt/format.h>

#include <algorithm>
#include <ifcert/openvino.hpp>
#include <system_error>

#include "formats/mend.hpp"
#include "formats/openvino/network.hpp"
#include "formats/openvino/port_map.hpp"
#include "formats/openvino/port_names.hpp"
#include "formats/openvino/types.hpp"
#include "formats/openvino/weights.hpp"
#include "formats/openvino/write_text.hpp"
#include "formats/openvino/xml.hpp"
#include "limits/out_of_memory.hpp"
#include "model/allowed.hpp"
#include "model/findings.hpp"
#include "model/node_kind.hpp"

namespace ifcert::openvino {
namespace {

constexpr std::uint32_t newest_opset = 17;  // as of OpenVINO 2026.4

/// If was added in opset8; the XML of the draft of If-8 has opset7 (docs/doubts.md).
constexpr std::uint32_t opset_of_if = 7;

/// The version of a layer that belongs to no operator set.
constexpr std::string_view extension = "extension";

/// The slots of a network's outputs: slots[layer][port].
using Slots = std::vector<std::vector<Slot>>;

class Reader {
 public:
  explicit Reader(Weights weights) : weights_(std::move(weights)) {}

  Reading read(const pugi::xml_node& net);

 private:
  BodyLayers read_graph(const pugi::xml_node& xml, GraphIndex graph, const Place& place);
  void read_further_names(std::string_view list);
  void read_parameter(const Layer& layer, Slot slot, GraphIndex graph, const Place& place);
  void read_constant(const Layer& layer, Slot slot, GraphIndex graph, const Place& place);
  Node read_node(const Layer& layer, std::size_t number, const Slots& slots, const Place& place);
  int read_version(const Layer& layer, const Place& place);
  void read_bodies(Node& node, const Layer& layer, const Place& place);
  std::size_t read_body(Node& node, const PortMapSite& site, const char* role, const char* map_role);
  pugi::xml_node only_child(const Layer& layer, const char* name, const Place& place);
  void check_counts(const Node& node, std::size_t then_results, std::size_t else_results, const Place& place);
  GraphIndex add_graph(std::string_view name) {
    reading_.model.graphs.emplace_back().name = name;
    return static_cast<GraphIndex>(reading_.model.graphs.size() - 1);
  }
  Graph& graph(GraphIndex index) { return reading_.model.graphs[index]; }

  Weights weights_;
  Reading reading_;
  Findings findings_;
  std::size_t depth_ = 0;
};

// Rule: openvino/ir/version.
Reading Reader::read(const pugi::xml_node& net) {
  const auto version = unsigned_number(attribute_of(net, "version").value_or(""));
  if (version != 10U && version != 11U) {
    throw UnreadableModel({"openvino/ir/version", "model", attribute_text(net, "version"), "IR version 10 or 11"});
  }
  reading_.model.format = Format::openvino;
  reading_.model.ir_version = *version;
  const std::string_view name = attribute_of(net, "name").value_or("");
  add_graph(name);
  read_graph(net, 0, Place{.kind = Place::Kind::named, .what = "graph", .name = name});
  reading_.broken = findings_.take();
  if (weights_.file() != nullptr) reading_.files.push_back(weights_.file()->path());
  return std::move(reading_);
}

/// The layer's name, with the port's number where the layer has several; shortened then, because a small file can have
/// many ports.
std::string name_of_layer(const Layer& layer, std::size_t port) {
  if (layer.outputs.size() == 1) return std::string(layer.name);
  return fmt::format("{}.{}", shortened(layer.name, 200), port);
}

/// Only the element types of an If's ports count as declarations: the texts require them to be the types of the values,
/// and are silent about shapes. The types at ports of other layers follow from the texts of their operations.
Type declared_type(const Layer& layer, std::size_t port) {
  if (layer.type != "If") return {};
  return Type::tensor(element_type_of(layer.outputs[port].precision).value_or(ElementType::undefined));
}

/// The value of each port has the first of the port's names, or else a name like its layer's that no port has.
Slots make_slots(const Network& network, Graph& graph) {
  Slots slots;
  UniqueNames unique;
  for (const Layer& layer : network.layers) {
    std::vector<Slot>& ports = slots.emplace_back();
    for (std::size_t i = 0; i < layer.outputs.size(); ++i) {
      const std::vector<std::string> names = names_in(layer.outputs[i].names);
      ports.push_back(graph.add_slot(names.empty() ? "" : names.front(), declared_type(layer, i)));
      if (!names.empty()) unique.claim(names.front());
    }
  }
  for (std::size_t i = 0; i < slots.size(); ++i) {
    for (std::size_t port = 0; port < slots[i].size(); ++port) {
      std::string& name = graph.slots[slots[i][port]].name;
      if (name.empty() && !network.layers[i].name.empty()) name = unique.make(name_of_layer(network.layers[i], port));
    }
  }
  return slots;
}

/// The attribute output_names of a Result, which IR version 11 may have, replaces the names of the value: OpenVINO
/// reads it so, and writes it.
void take_output_names(Network& network) {
  for (const Layer& layer : network.layers) {
    if (layer.type != "Result" || !layer.inputs[0].source) continue;
    const auto [from, port] = *layer.inputs[0].source;
    const std::string_view names = attribute_of(layer.xml, "output_names").value_or("");
    if (!names.empty()) network.layers[from].outputs[port].names = names;
  }
}

/// Whether the layer becomes a slot or an output of its graph; every other one becomes a node.
bool computes_nothing(const Layer& layer) {
  return layer.type == "Parameter" || layer.type == "Result" || layer.type == "Const";
}

/// The main graph's Parameters and Results are its inputs and outputs; those of a body are used by its port map.
/// Rules: openvino/if/pass-through, openvino/ir/nesting-limit.
BodyLayers Reader::read_graph(const pugi::xml_node& xml, GraphIndex index, const Place& place) {
  if (depth_ > nesting_limit) {
    throw UnreadableModel({"openvino/ir/nesting-limit", to_string(place),
                           fmt::format("bodies are nested more than {} deep", nesting_limit),
                           "a model within this reader's limits"});
  }
  ++depth_;
  const bool is_main = index == 0;
  Network network = read_network(xml, !is_main, place, findings_);
  if (is_main && reading_.model.ir_version >= 11) take_output_names(network);
  const Slots slots = make_slots(network, graph(index));
  BodyLayers layers;
  for (std::size_t i = 0; i < network.layers.size(); ++i) {
    const Layer& layer = network.layers[i];
    if (computes_nothing(layer)) read_version(layer, layer.place(place));
    if (layer.type == "Parameter") {
      read_parameter(layer, slots[i][0], index, layer.place(place));
      layers.parameters.emplace(layer.id, slots[i][0]);
      if (is_main) graph(index).inputs.push_back(slots[i][0]);
      if (is_main) read_further_names(layer.outputs[0].names);
    } else if (layer.type == "Result") {
      const auto source = layer.inputs[0].source;
      const Slot slot = source ? slots[source->layer][source->port] : graph(index).add_slot("");
      layers.results.emplace(layer.id, slot);
      if (is_main) graph(index).outputs.push_back(slot);
      if (is_main && source) read_further_names(network.layers[source->layer].outputs[source->port].names);
    } else if (layer.type == "Const") {
      const Place here = layer.place(place);
      naming_out_of_memory(here, [&] { read_constant(layer, slots[i][0], index, here); });
    }
  }
  for (const std::size_t i : network.order) {
    const Layer& layer = network.layers[i];
    if (computes_nothing(layer)) continue;
    const Place here = layer.place(place);
    Node node = naming_out_of_memory(here, [&] { return read_node(layer, i, slots, here); });
    graph(index).nodes.push_back(std::move(node));
  }
  --depth_;
  return layers;
}

/// Where two ports have one first name, the first port's names count: OpenVINO renames the second.
void Reader::read_further_names(std::string_view list) {
  std::vector<std::string> names = names_in(list);
  if (names.empty()) return;
  reading_.model.further_names.try_emplace(names.front(), std::make_move_iterator(names.begin() + 1),
                                           std::make_move_iterator(names.end()));
}

// Rule: openvino/ir/types-are-known.
void Reader::read_parameter(const Layer& layer, Slot slot, GraphIndex index, const Place& place) {
  const pugi::xml_node data = layer.xml.child("data");
  const auto type = element_type_of(attribute_of(data, "element_type").value_or(""));
  const auto text = attribute_of(data, "shape");  // empty for a scalar
  const auto written = text ? shape_of(*text) : std::nullopt;
  if (type && written) {
    graph(index).slots[slot].declared = Type::tensor(*type, written->shape);
    return;
  }
  findings_.report("openvino/ir/types-are-known", place,
                   fmt::format("{}, {}", attribute_text(data, "element_type"), attribute_text(data, "shape")),
                   "an element type that the reference has, and a shape");
}

void Reader::read_constant(const Layer& layer, Slot slot, GraphIndex index, const Place& place) {
  Value value = weights_.constant(layer.xml.child("data"), place, findings_);
  if (!value.empty()) graph(index).constants.push_back({slot, std::move(value)});
}

Node Reader::read_node(const Layer& layer, std::size_t number, const Slots& slots, const Place& place) {
  Node node;
  node.name = layer.name;
  node.op = layer.type;
  node.layer = layer.id;
  if (layer.version == extension) node.domain = layer.version;
  node.version = read_version(layer, place);
  for (const InputPort& input : layer.inputs)
    node.inputs.push_back(input.source ? slots[input.source->layer][input.source->port] : no_slot);
  node.outputs = slots[number];
  if (is_if(node)) {
    read_bodies(node, layer, place);
    return node;
  }
  for (const pugi::xml_attribute& attribute : layer.xml.child("data").attributes())
    node.attributes.emplace(attribute.name(), std::string(attribute.value()));
  return node;
}

/// The number of the operator set; 0 where the layer is of an extension, or a fault was reported.
/// Sentence: opsets-opset-of-each.
/// Rule: openvino/ir/operator-set-is-known.
int Reader::read_version(const Layer& layer, const Place& place) {
  constexpr std::string_view prefix = "opset";
  if (layer.version == extension) return 0;
  std::uint32_t number = 0;
  if (layer.version.starts_with(prefix)) number = unsigned_number(layer.version.substr(prefix.size())).value_or(0);
  const std::uint32_t oldest = layer.type == "If" ? opset_of_if : 1;
  if (number >= oldest && number <= newest_opset) return static_cast<int>(number);
  findings_.report("openvino/ir/operator-set-is-known", place, attribute_text(layer.xml, "version"),
                   layer.type == "If" ? fmt::format("an operator set that has If, opset8 to opset{}", newest_opset)
                                      : fmt::format("opset1 to opset{}, or extension", newest_opset));
  return 0;
}

/// Sentences: if-8-two-bodies, if-8-two-port-maps.
/// Rule: openvino/if/two-bodies-two-port-maps.
pugi::xml_node Reader::only_child(const Layer& layer, const char* name, const Place& place) {
  const auto children = layer.xml.children(name);
  const auto count = std::distance(children.begin(), children.end());
  if (count == 1) return *children.begin();
  findings_.report(
      "openvino/if/two-bodies-two-port-maps", place,
      count == 0 ? fmt::format("there is no <{}>", name) : fmt::format("<{}> appears {} times", name, count),
      "then_body, else_body, then_port_map and else_port_map, each once");
  return {};
}

/// then_body first, else_body second, whatever the file's order: from here on bodies are found by position.
/// Rules: openvino/if/then-when-true, openvino/if/else-when-false, openvino/if/cond-required, openvino/if/has-outputs.
void Reader::read_bodies(Node& node, const Layer& layer, const Place& place) {
  if (layer.inputs.empty())
    findings_.report("openvino/if/cond-required", place, "the If has no input", "its first input is cond");
  if (layer.outputs.empty())
    findings_.report("openvino/if/has-outputs", place, "the If has no output", "more than zero outputs");
  const PortMapSite site{layer, node, place};
  const std::size_t then_results = read_body(node, site, "then_body", "then_port_map");
  const std::size_t else_results = read_body(node, site, "else_body", "else_port_map");
  check_counts(node, then_results, else_results, place);
}

/// Returns the number of the body's Results.
/// Rules: openvino/if/body-has-result, openvino/if/port-maps-independent, openvino/if/nesting.
std::size_t Reader::read_body(Node& node, const PortMapSite& site, const char* role, const char* map_role) {
  const pugi::xml_node xml = only_child(site.layer, role, site.place);
  const pugi::xml_node map = only_child(site.layer, map_role, site.place);
  if (!xml) return 0;
  Body body{role, add_graph(role), {}, {}};
  const Place place = site.place.word(role);
  const BodyLayers layers = read_graph(xml, body.graph, place);
  if (layers.results.empty())
    findings_.report("openvino/if/body-has-result", place, "the body has no Result", "at least one Result");
  if (map) read_port_map(map, site, layers, body, graph(body.graph), findings_);
  node.bodies.push_back(std::move(body));
  return layers.results.size();
}

/// Sentence: if-8-counts-equal.
/// Rule: openvino/if/output-count.
void Reader::check_counts(const Node& node, std::size_t then_results, std::size_t else_results, const Place& place) {
  const std::size_t outputs = node.outputs.size();
  if (outputs == 0 || then_results == 0 || else_results == 0) return;  // other rules report this
  if (then_results == outputs && else_results == outputs) return;
  findings_.report(
      "openvino/if/output-count", place,
      fmt::format("then_body has {} Results, else_body {} and the If {} outputs", then_results, else_results, outputs),
      "the same number for all three");
}

Reading read_strictly(std::span<const std::byte> xml, Weights weights) {
  pugi::xml_document document;
  const pugi::xml_node net = parse(xml, document);
  return Reader(std::move(weights)).read(net);
}

/// make_weights() makes the weights for each reading.
template <class MakeWeights>
Reading read_with(std::span<const std::byte> xml, const AllowedRules& allowed, MakeWeights make_weights) {
  return with_allowed(
      read_strictly(xml, make_weights()), allowed, [&](const Reading&) { return mended(xml, allowed); },
      [&](const std::shared_ptr<const void>&, std::span<const std::byte> whole) {
        return read_strictly(whole, make_weights());
      });
}

}  // namespace

// NOLINTNEXTLINE(performance-unnecessary-value-param): the weights are kept alive in each reading
Reading read_bytes(std::span<const std::byte> xml, std::shared_ptr<const void> owner,
                   std::span<const std::byte> weights, const AllowedRules& allowed) {
  return read_with(xml, allowed, [&] { return Weights(owner, weights); });
}

// Rule: openvino/ir/well-formed.
Reading read_file(const std::filesystem::path& path, const AllowedRules& allowed) {
  Buffer file;
  try {
    file = read_whole(path);
  } catch (const std::system_error& error) {
    const bool irregular = error.code() == std::errc::invalid_argument;
    throw UnreadableModel({"openvino/ir/well-formed", path.string(),
                           irregular ? "not a regular file" : error.code().message(), "a readable .xml"});
  }
  Reading reading = read_with(file.bytes(), allowed, [&] { return Weights(path); });
  reading.model.path = path.string();
  reading.files.push_back(std::filesystem::absolute(path));
  return reading;
}

}  // namespace ifcert::openvino
