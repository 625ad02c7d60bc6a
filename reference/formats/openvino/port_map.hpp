// then_port_map and else_port_map of an If.
#pragma once

#include <ifcert/graph.hpp>
#include <map>
#include <pugixml.hpp>

#include "formats/openvino/network.hpp"
#include "model/findings.hpp"

namespace ifcert::openvino {

/// The slots of a body's Parameters and Results, by the id of the layer. A Result without an edge has a slot that
/// nothing fills.
struct BodyLayers {
  std::map<std::uint32_t, Slot> parameters, results;
};

/// An If whose port maps are read: its layer, and its node with inputs and outputs.
struct PortMapSite {
  const Layer& layer;
  const Node& node;
  const Place& place;
};

/// Reads the port map of one body: Parameters become captures of `body`, Results the outputs of its graph, in the order
/// of the If's outputs.
void read_port_map(const pugi::xml_node& map, const PortMapSite& site, const BodyLayers& layers, Body& body,
                   Graph& graph, Findings& findings);

}  // namespace ifcert::openvino
