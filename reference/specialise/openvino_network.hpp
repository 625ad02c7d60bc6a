// A network of an .xml that is edited: it takes in layers and edges from the bodies of its Ifs.
#pragma once

#include <cstdint>
#include <pugixml.hpp>
#include <string>
#include <unordered_set>
#include <vector>

#include "formats/openvino/write_text.hpp"
#include "specialise/openvino_part.hpp"

namespace ifcert::openvino {

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

  /// Lets the edges of the part lead from where its values are now, and removes those to layers that are replaced.
  void rewire(const EditedPart& part);

  /// Removes the layers of the body `xml` that only replaced layers needed, and the entries of its Parameters in the
  /// port map, after rewire(): OpenVINO 2026.4.1 passes wrong values to bodies with a Parameter that no result needs.
  void discard_unread(const pugi::xml_node& xml, const pugi::xml_node& port_map);

  /// Removes an element, with the white space before it.
  void discard(pugi::xml_node element);

 private:
  void take_layer(EditedPart& part, pugi::xml_node layer);
  std::uint32_t own_id(std::uint32_t id);
  void make_names_unique(pugi::xml_node port);

  pugi::xml_node discarded_;
  std::unordered_set<std::uint32_t> ids_;
  std::uint32_t next_id_ = 0;
  UniqueNames layer_names_, tensor_names_;
  std::vector<std::uint32_t> lost_readers_;  // layers from which an edge led to a replaced one
};

/// Sets an attribute, which is appended where the element has none. Throws std::bad_alloc.
void set_attribute(pugi::xml_node element, const char* name, const std::string& value);
void set_attribute(pugi::xml_node element, const char* name, std::uint32_t value);

/// A new last element. Throws std::bad_alloc.
pugi::xml_node appended(pugi::xml_node parent, const char* name);

}  // namespace ifcert::openvino
