// One <layers> and <edges> of IR, the model's own or a body's: layers, the source of each of their inputs, and an order
// in which they can be evaluated.
#pragma once

#include <cstdint>
#include <optional>
#include <pugixml.hpp>
#include <string_view>
#include <vector>

#include "model/findings.hpp"

namespace ifcert::openvino {

/// An output port: the number of its layer, and its number in the layer.
struct Source {
  std::size_t layer;
  std::size_t port;
};

struct InputPort {
  std::uint32_t id;
  std::optional<Source> source;  // nullopt where a fault was reported
};

struct OutputPort {
  std::uint32_t id;
  std::string_view names, precision;
};

/// Ports are in the file's order. The texts live as long as the document.
struct Layer {
  pugi::xml_node xml;
  std::uint32_t id;
  std::string_view name, type, version;
  std::vector<InputPort> inputs;
  std::vector<OutputPort> outputs;

  Place place(const Place& outer) const { return outer.layer(type, name, id); }
};

struct Network {
  std::vector<Layer> layers;       // in the file's order
  std::vector<std::size_t> order;  // their numbers, each after its inputs; without layers on a cycle
};

/// Reads the network below `xml`, which is <net> or, where `is_body`, a body. Throws UnreadableModel where the ids of
/// layers and ports are ambiguous; other faults are reported as findings.
Network read_network(const pugi::xml_node& xml, bool is_body, const Place& place, Findings& findings);

}  // namespace ifcert::openvino
