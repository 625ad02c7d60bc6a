// The part that one graph has in an .xml that is edited: its layers and edges, by the ids that they had, and where its
// values are now.
#pragma once

#include <cstdint>
#include <ifcert/graph.hpp>
#include <pugixml.hpp>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace ifcert::openvino {

/// An output port of a layer.
struct EditedPort {
  std::uint32_t layer, port;
  pugi::xml_node xml;

  std::uint64_t key() const { return static_cast<std::uint64_t>(layer) << 32U | port; }
};

/// Ids are those of the file that was read, except in `ports`.
struct EditedPart {
  GraphIndex graph;
  std::vector<EditedPort> ports;                                  // by slot: who has its value now
  std::unordered_map<std::uint64_t, Slot> slots;                  // by EditedPort::key()
  std::unordered_map<std::uint32_t, std::vector<Slot>> outputs;   // of each layer
  std::unordered_map<std::uint32_t, pugi::xml_node> layers;       // by id
  std::unordered_map<std::uint32_t, std::uint32_t> new_ids = {};  // of layers that moved
  std::unordered_set<std::uint32_t> replaced = {};                // layers that others stand for: their edges go
  std::vector<pugi::xml_node> edges;
  std::unordered_map<std::uint32_t, pugi::xml_node> first_edges;  // by the id of the layer that it leads to
};

/// The part of a graph that was read from the network below `xml`.
EditedPart part_of(GraphIndex graph, const pugi::xml_node& xml);

/// The number that the attribute has in a file that was read.
std::uint32_t id_in(const pugi::xml_node& element, const char* attribute);

}  // namespace ifcert::openvino
