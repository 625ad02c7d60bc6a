// One <layers> and <edges> of IR, the model's own or a body's: layers, what feeds each of their inputs, and an order in
// which they can be evaluated.
#pragma once

#include <cstdint>
#include <optional>
#include <pugixml.hpp>
#include <string_view>
#include <vector>

#include "findings.hpp"

namespace ifcert::openvino {

/// An output port, by the number of its layer and its own number in it.
struct Source {
  std::size_t layer;
  std::size_t port;
};

struct InputPort {
  std::uint32_t id;
  std::optional<Source> source;  // none where that was reported
};

struct OutputPort {
  std::uint32_t id;
  std::string_view names, precision;
};

/// Ports stand in the file's order. The texts live as long as the document.
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
  std::vector<std::size_t> order;  // their numbers, each behind what it takes; layers on a cycle are missing
};

/// Reads the network below `xml`, which is <net> or, where `is_body`, a body. Throws UnreadableModel where the ids of
/// layers and ports say nothing certain; what else is wrong is written down.
Network read_network(const pugi::xml_node& xml, bool is_body, const Place& place, Findings& findings);

}  // namespace ifcert::openvino
