// The names of a model's inputs and outputs in an .xml that is edited: they are those of the ports that the values come
// from, and a value has one first name.
#pragma once

#include <cstdint>
#include <pugixml.hpp>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "model/place.hpp"
#include "specialise/openvino_network.hpp"

namespace ifcert::openvino {

class MainNames {
 public:
  /// `part` is that of the main graph, before anything is replaced. Reserves the names in `network`.
  MainNames(const Graph& main, const EditedPart& part, EditedNetwork& network);

  bool is_output(Slot slot) const { return outputs_.contains(slot); }

  /// Whether the value is an input or output.
  bool has(const EditedPort& value) const { return names_.contains(value.key()); }

  /// The value that becomes the output in that slot of the main graph, which was an If's output `port`: `value`, which
  /// gets the names of the port; or, where it is an input or output of another name, a copy of it, made at the site. A
  /// copy is a Reshape to the value's own shape. Throws Inexpressible where it would be a copy of strings, which
  /// Reshape does not accept.
  EditedPort named(const EditedPort& value, Slot output, pugi::xml_node port, EditedNetwork& network,
                   const IfSite& site, const Place& place);

 private:
  static EditedPort copy_of(const EditedPort& value, pugi::xml_node port, EditedNetwork& network, const IfSite& site);

  const Graph& main_;
  std::unordered_set<Slot> outputs_;
  std::unordered_map<std::uint64_t, std::string> names_;  // of inputs and outputs, by the key of their port
};

}  // namespace ifcert::openvino
