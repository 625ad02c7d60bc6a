#include "formats/openvino/network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <unordered_map>
#include <utility>

#include "formats/openvino/xml.hpp"
#include "model/topological_order.hpp"

namespace ifcert::openvino {
namespace {

/// A port among those of all layers, by the layer's number and the port's id.
std::uint64_t key_of(std::size_t layer, std::uint32_t port) {
  return static_cast<std::uint64_t>(layer) << 32U | port;
}

/// One end of an edge, as written in the file.
struct EdgeEnd {
  const char* layer_name;
  const char* port_name;
  std::uint32_t layer, port;
};

class NetworkReader {
 public:
  NetworkReader(bool is_body, const Place& place, Findings& findings)
      : is_body_(is_body), place_(place), findings_(findings) {}

  Network read(const pugi::xml_node& xml);

 private:
  void read_layer(const pugi::xml_node& xml);
  void read_ports(Layer& layer, const Place& place);
  void expect_ports(const Layer& layer, const Place& place);
  void read_edge(const pugi::xml_node& xml, std::size_t number);
  void second_edge(const EdgeEnd& to, bool is_repeat, const Place& place);
  std::optional<Source> find(const EdgeEnd& end, const std::unordered_map<std::uint64_t, std::size_t>& ports,
                             const Place& place);
  void expect_edges();
  void sort();
  void report_cycle(const std::vector<bool>& sorted);
  // Rule: openvino/ir/ids-are-unique.
  [[noreturn]] void twice(const Place& place, const std::string& found) const {
    throw UnreadableModel({"openvino/ir/ids-are-unique", to_string(place), found,
                           "each layer of a network and each port of a layer has a distinct id"});
  }

  bool is_body_;
  const Place& place_;
  Findings& findings_;
  Network network_;
  std::unordered_map<std::uint32_t, std::size_t> layers_;                           // by id
  std::unordered_map<std::uint64_t, std::size_t> inputs_, outputs_;                 // by key_of
  std::unordered_map<std::uint64_t, std::pair<std::uint32_t, std::uint32_t>> fed_;  // inputs with an edge: its start
};

// Rule: openvino/ir/layer-is-whole.
Network NetworkReader::read(const pugi::xml_node& xml) {
  const pugi::xml_node layers = xml.child("layers");
  if (!layers) {
    throw UnreadableModel({"openvino/ir/layer-is-whole", to_string(place_), "there are no <layers>",
                           "a network has <layers> and <edges>"});
  }
  for (const pugi::xml_node& layer : layers.children("layer")) read_layer(layer);
  std::size_t number = 0;
  for (const pugi::xml_node& edge : xml.child("edges").children("edge")) read_edge(edge, number++);
  expect_edges();
  sort();
  return std::move(network_);
}

// Rule: openvino/ir/layer-is-whole.
void NetworkReader::read_layer(const pugi::xml_node& xml) {
  Layer layer{xml, required_id(xml, "id", place_.numbered("layer", network_.layers.size())), {}, {}, {}, {}, {}};
  layer.name = attribute_of(xml, "name").value_or("");
  layer.type = attribute_of(xml, "type").value_or("");
  layer.version = attribute_of(xml, "version").value_or("");
  const Place place = layer.place(place_);
  if (layer.type.empty()) {
    findings_.report("openvino/ir/layer-is-whole", place, attribute_text(xml, "type"), "each layer has a type");
  }
  if (!layers_.emplace(layer.id, network_.layers.size()).second)
    twice(place, fmt::format("a second layer has the id {}", layer.id));
  read_ports(layer, place);
  expect_ports(layer, place);
  network_.layers.push_back(std::move(layer));
}

void NetworkReader::read_ports(Layer& layer, const Place& place) {
  const std::size_t number = network_.layers.size();
  const auto claim = [&](auto& ports, std::uint32_t id, std::size_t port) {
    const std::uint64_t key = key_of(number, id);
    if (inputs_.contains(key) || outputs_.contains(key)) twice(place, fmt::format("a second port has the id {}", id));
    ports.emplace(key, port);
  };
  for (const pugi::xml_node& port : layer.xml.child("input").children("port")) {
    const std::uint32_t id = required_id(port, "id", place);
    claim(inputs_, id, layer.inputs.size());
    layer.inputs.push_back({id, std::nullopt});
  }
  for (const pugi::xml_node& port : layer.xml.child("output").children("port")) {
    const std::uint32_t id = required_id(port, "id", place);
    claim(outputs_, id, layer.outputs.size());
    layer.outputs.push_back(
        {id, attribute_of(port, "names").value_or(""), attribute_of(port, "precision").value_or("")});
  }
}

// Rule: openvino/ir/layer-is-whole.
void NetworkReader::expect_ports(const Layer& layer, const Place& place) {
  const bool source = layer.type == "Parameter" || layer.type == "Const";
  const bool sink = layer.type == "Result";
  const std::size_t outputs = source ? 1 : 0;
  const std::size_t inputs = sink ? 1 : 0;
  if (!source && !sink) return;
  if (layer.inputs.size() == inputs && (sink || layer.outputs.size() == outputs)) return;
  throw UnreadableModel({"openvino/ir/layer-is-whole", to_string(place),
                         fmt::format("{} inputs and {} outputs", layer.inputs.size(), layer.outputs.size()),
                         fmt::format("a {} has {} and {}", layer.type, inputs, outputs)});
}

// Rules: openvino/if/bodies-are-closed, openvino/ir/edges-name-ports.
std::optional<Source> NetworkReader::find(const EdgeEnd& end,
                                          const std::unordered_map<std::uint64_t, std::size_t>& ports,
                                          const Place& place) {
  const auto layer = layers_.find(end.layer);
  if (layer == layers_.end()) {
    findings_.report(is_body_ ? "openvino/if/bodies-are-closed" : "openvino/ir/edges-name-ports", place,
                     fmt::format("{}=\"{}\" names no layer of this network", end.layer_name, end.layer),
                     is_body_ ? "a body has edges only between its own layers; its inputs are Parameters"
                              : "an edge leads from a layer to a layer");
    return std::nullopt;
  }
  const auto port = ports.find(key_of(layer->second, end.port));
  if (port != ports.end()) return Source{layer->second, port->second};
  findings_.report("openvino/ir/edges-name-ports", place,
                   fmt::format("{}=\"{}\" names no such port of layer {}", end.port_name, end.port, end.layer),
                   "an edge leads from an output port to an input port");
  return std::nullopt;
}

void NetworkReader::read_edge(const pugi::xml_node& xml, std::size_t number) {
  const Place place = place_.numbered("edge", number);
  const auto end = [&](const char* layer, const char* port) {
    return EdgeEnd{layer, port, required_id(xml, layer, place), required_id(xml, port, place)};
  };
  const EdgeEnd from_end = end("from-layer", "from-port");
  const EdgeEnd to_end = end("to-layer", "to-port");
  const auto to = find(to_end, inputs_, place);
  if (to) {
    const std::pair from_ids(from_end.layer, from_end.port);
    const auto [fed, is_first] = fed_.emplace(key_of(to->layer, static_cast<std::uint32_t>(to->port)), from_ids);
    if (!is_first) return second_edge(to_end, fed->second == from_ids, place);
  }
  const auto from = find(from_end, outputs_, place);
  if (from && to) network_.layers[to->layer].inputs[to->port].source = from;
}

/// `is_repeat`: it is the first edge again, so that the two have one meaning.
/// Rule: openvino/ir/inputs-have-one-edge.
void NetworkReader::second_edge(const EdgeEnd& to, bool is_repeat, const Place& place) {
  findings_.report("openvino/ir/inputs-have-one-edge", place,
                   fmt::format("a second edge leads to port {} of layer {}", to.port, to.layer),
                   "one edge leads to each input port", Level::error, is_repeat);
}

// Rule: openvino/ir/inputs-have-one-edge.
void NetworkReader::expect_edges() {
  for (std::size_t i = 0; i < network_.layers.size(); ++i) {
    const Layer& layer = network_.layers[i];
    for (std::size_t k = 0; k < layer.inputs.size(); ++k) {
      if (fed_.contains(key_of(i, static_cast<std::uint32_t>(k)))) continue;
      findings_.report("openvino/ir/inputs-have-one-edge", layer.place(place_),
                       fmt::format("no edge leads to port {}", layer.inputs[k].id),
                       "one edge leads to each input port");
    }
  }
}

void NetworkReader::sort() {
  const std::vector<Layer>& layers = network_.layers;
  std::vector<Precedence> edges;
  for (std::size_t i = 0; i < layers.size(); ++i) {
    for (const InputPort& input : layers[i].inputs) {
      if (input.source)
        edges.push_back({static_cast<std::uint32_t>(input.source->layer), static_cast<std::uint32_t>(i)});
    }
  }
  const auto [order, placed] = topological_order(static_cast<std::uint32_t>(layers.size()), edges);
  std::ranges::copy_if(order, std::back_inserter(network_.order), [&](std::uint32_t i) { return placed[i]; });
  if (network_.order.size() < layers.size()) report_cycle(placed);
}

/// Following the edges backwards from a layer that could not be sorted leads to the cycle.
/// Rule: openvino/ir/no-cycles.
void NetworkReader::report_cycle(const std::vector<bool>& sorted) {
  std::vector<bool> seen(sorted.size());
  auto at = static_cast<std::size_t>(std::ranges::find(sorted, false) - sorted.begin());
  while (!seen[at]) {
    seen[at] = true;
    const auto back = std::ranges::find_if(network_.layers[at].inputs, [&](const InputPort& input) {
      return input.source && !sorted[input.source->layer];
    });
    at = back->source->layer;
  }
  findings_.report("openvino/ir/no-cycles", network_.layers[at].place(place_), "the layer depends on its own output",
                   "edges do not form a cycle");
}

}  // namespace

Network read_network(const pugi::xml_node& xml, bool is_body, const Place& place, Findings& findings) {
  return NetworkReader(is_body, place, findings).read(xml);
}

}  // namespace ifcert::openvino
