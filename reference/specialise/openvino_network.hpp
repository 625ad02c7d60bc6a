// A network of an .xml that is edited: it takes in layers and edges from the bodies of its Ifs. Each graph has a part
// in it: its layers and edges, by the ids that they had, and where its values are now.
#pragma once

#include <cstdint>
#include <ifcert/graph.hpp>
#include <map>
#include <pugixml.hpp>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "formats/openvino/write_text.hpp"

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

/// Where other layers take the place of an If: its layer, and the first edge that leads to it.
struct IfSite {
  pugi::xml_node layer, edge;
};

class EditedNetwork {
 public:
  /// The network of `part`, which stays where it is. The names of layers that will be replaced are free. Removed
  /// elements are moved into `discarded`: pugixml would free nested ones recursively, however deep they are.
  EditedNetwork(const EditedPart& part, pugi::xml_node discarded);

  /// Ports, or layers, that are added do not get this name.
  void reserve_for_port(const std::string& name) { tensor_names_.claim(name); }
  void reserve_for_layer(const std::string& name) { layer_names_.claim(name); }

  /// Moves layers and edges of the part from the body `xml` to the site; Parameters and Results are left behind. Ids
  /// and names that are taken are changed. The ids at the edges stay, until rewire().
  void take_in(EditedPart& part, const pugi::xml_node& xml, const IfSite& site);

  /// Adds an empty layer at the site.
  pugi::xml_node add_layer(const std::string& name, const char* type, const char* version, const IfSite& site);

  /// Adds an edge at the site.
  void add_edge(const EditedPort& from, std::uint32_t to_layer, std::uint32_t to_port, const IfSite& site);

  /// The value of the port takes the place of an If's output: it gets the output's names, before its own. They are
  /// written by write_names(), because a value may take the place of many.
  void add_names(const EditedPort& value, const pugi::xml_node& output);
  void forget_names(const EditedPort& value) { added_names_.erase(value.key()); }
  void write_names();

  /// Lets the edges of the part lead from where its values are now, and removes those to layers that are replaced.
  void rewire(const EditedPart& part);

  /// Removes the layers of the body `xml` that only replaced layers needed, and the entries of its Parameters in the
  /// port map, after rewire(): OpenVINO 2026.4.1 passes wrong values to bodies with a Parameter that no result needs.
  void discard_unread(const pugi::xml_node& xml, const pugi::xml_node& port_map);

  /// Removes an element, with the white space before it.
  void discard(pugi::xml_node element);

 private:
  struct AddedNames {
    pugi::xml_node port;
    std::vector<std::string> lists;  // the latest last
  };

  void take_layer(EditedPart& part, pugi::xml_node layer);
  std::uint32_t own_id(std::uint32_t id);
  void make_names_unique(pugi::xml_node port);

  pugi::xml_node discarded_;
  std::unordered_set<std::uint32_t> ids_;
  std::uint32_t next_id_ = 0;
  UniqueNames layer_names_, tensor_names_;
  std::map<std::uint64_t, AddedNames> added_names_;  // by EditedPort::key()
  std::vector<std::uint32_t> lost_readers_;          // layers from which an edge led to a replaced one
};

/// Sets an attribute, which is appended where the element has none. Throws std::bad_alloc.
void set_attribute(pugi::xml_node element, const char* name, const std::string& value);
void set_attribute(pugi::xml_node element, const char* name, std::uint32_t value);

/// A new last element. Throws std::bad_alloc.
pugi::xml_node appended(pugi::xml_node parent, const char* name);

}  // namespace ifcert::openvino
