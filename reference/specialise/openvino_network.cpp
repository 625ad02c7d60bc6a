#include "specialise/openvino_network.hpp"

#include <algorithm>
#include <new>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "formats/openvino/port_names.hpp"
#include "formats/openvino/xml.hpp"

namespace ifcert::openvino {
namespace {

/// Throws where pugixml had no memory.
pugi::xml_node made(const pugi::xml_node& element) {
  if (!element) throw std::bad_alloc();
  return element;
}

bool is_white_space(const pugi::xml_node& node) {
  return node.type() == pugi::node_pcdata &&
         std::string_view(node.value()).find_first_not_of(" \t\r\n") == std::string_view::npos;
}

/// The element, or the white space before it.
pugi::xml_node start_of(const pugi::xml_node& element) {
  const pugi::xml_node before = element.previous_sibling();
  return is_white_space(before) ? before : element;
}

void move_before(const pugi::xml_node& place, pugi::xml_node node) {
  const pugi::xml_node space = start_of(node);
  pugi::xml_node parent = place.parent();
  if (space != node) made(parent.insert_move_before(space, place));
  made(parent.insert_move_before(node, place));
}

/// The children that are not white space. They may be moved while these are visited.
std::vector<pugi::xml_node> content_of(const pugi::xml_node& parent) {
  std::vector<pugi::xml_node> content;
  std::ranges::copy_if(parent.children(), std::back_inserter(content),
                       [](const pugi::xml_node& child) { return !is_white_space(child); });
  return content;
}

bool is_layer(const pugi::xml_node& node) {
  return node.type() == pugi::node_element && std::string_view(node.name()) == "layer";
}

/// Whether the layer is a Parameter or a Result.
bool is_port_of_body(const pugi::xml_node& layer) {
  const std::string_view type = layer.attribute("type").value();
  return type == "Parameter" || type == "Result";
}

/// Whether a layer matters although nothing reads it: a variable is written by an Assign, which needs its ReadValue.
bool has_effect(const pugi::xml_node& layer) {
  return std::string_view(layer.attribute("type").value()) == "ReadValue";
}

}  // namespace

std::uint32_t id_in(const pugi::xml_node& element, const char* attribute) {
  return unsigned_number(attribute_of(element, attribute).value_or("")).value();
}

/// The reader gives the output ports of all layers, in the file's order, the slots 0, 1, …
EditedPart part_of(GraphIndex graph, const pugi::xml_node& xml) {
  EditedPart part{
      .graph = graph, .ports = {}, .slots = {}, .outputs = {}, .layers = {}, .edges = {}, .first_edges = {}};
  for (const pugi::xml_node& layer : xml.child("layers").children("layer")) {
    const std::uint32_t id = id_in(layer, "id");
    part.layers.emplace(id, layer);
    for (const pugi::xml_node& port : layer.child("output").children("port")) {
      const EditedPort& made = part.ports.emplace_back(EditedPort{id, id_in(port, "id"), port});
      const auto slot = static_cast<Slot>(part.ports.size() - 1);
      part.slots.emplace(made.key(), slot);
      part.outputs[id].push_back(slot);
    }
  }
  for (const pugi::xml_node& edge : xml.child("edges").children("edge")) {
    part.edges.push_back(edge);
    part.first_edges.emplace(id_in(edge, "to-layer"), edge);
  }
  return part;
}

void set_attribute(pugi::xml_node element, const char* name, const std::string& value) {
  pugi::xml_attribute attribute = element.attribute(name);
  if (!attribute) attribute = element.append_attribute(name);
  if (!attribute.set_value(value.c_str())) throw std::bad_alloc();
}

void set_attribute(pugi::xml_node element, const char* name, std::uint32_t value) {
  set_attribute(element, name, std::to_string(value));
}

pugi::xml_node appended(pugi::xml_node parent, const char* name) {
  return made(parent.append_child(name));
}

EditedNetwork::EditedNetwork(const EditedPart& part, pugi::xml_node discarded) : discarded_(discarded) {
  for (const auto& [id, layer] : part.layers) {
    ids_.insert(id);
    next_id_ = std::max(next_id_, id);
    if (!part.replaced.contains(id)) layer_names_.claim(layer.attribute("name").value());
  }
  for (const EditedPort& port : part.ports) {
    for (const std::string& name : names_in(port.xml.attribute("names").value())) tensor_names_.claim(name);
  }
}

void EditedNetwork::take_in(EditedPart& part, const pugi::xml_node& xml, const IfSite& site) {
  const pugi::xml_node layer_place = start_of(site.layer);
  for (const pugi::xml_node& child : content_of(xml.child("layers"))) {
    if (is_layer(child) && is_port_of_body(child)) {
      part.replaced.insert(id_in(child, "id"));
      continue;
    }
    if (is_layer(child)) take_layer(part, child);
    move_before(layer_place, child);
  }
  const pugi::xml_node edge_place = start_of(site.edge);
  for (const pugi::xml_node& child : content_of(xml.child("edges"))) move_before(edge_place, child);
}

void EditedNetwork::take_layer(EditedPart& part, pugi::xml_node layer) {
  const std::uint32_t old_id = id_in(layer, "id");
  const std::uint32_t id = own_id(old_id);
  if (id != old_id) {
    part.new_ids.emplace(old_id, id);
    set_attribute(layer, "id", id);
  }
  const std::string name = layer.attribute("name").value();
  if (!name.empty() && !part.replaced.contains(old_id)) {
    const std::string unique = layer_names_.make(name);
    if (unique != name) set_attribute(layer, "name", unique);
  }
  for (const Slot slot : part.outputs[old_id]) {
    part.ports[slot].layer = id;
    make_names_unique(part.ports[slot].xml);
  }
}

/// The id, or one that no layer has.
std::uint32_t EditedNetwork::own_id(std::uint32_t id) {
  if (ids_.insert(id).second) return id;
  while (!ids_.insert(next_id_).second) ++next_id_;
  return next_id_;
}

void EditedNetwork::make_names_unique(pugi::xml_node port) {
  std::string list;
  bool renamed = false;
  for (const std::string& name : names_in(port.attribute("names").value())) {
    const std::string unique = tensor_names_.make(name);
    renamed = renamed || unique != name;
    if (!list.empty()) list += ',';
    list += in_list(unique);
  }
  if (renamed) set_attribute(port, "names", list);
}

pugi::xml_node EditedNetwork::add_layer(const std::string& name, const char* type, const char* version,
                                        const IfSite& site) {
  const pugi::xml_node place = start_of(site.layer);
  const pugi::xml_node layer = made(place.parent().insert_child_before("layer", place));
  set_attribute(layer, "id", own_id(next_id_));
  set_attribute(layer, "name", layer_names_.make(name));
  set_attribute(layer, "type", type);
  set_attribute(layer, "version", version);
  return layer;
}

void EditedNetwork::add_edge(const EditedPort& from, std::uint32_t to_layer, std::uint32_t to_port,
                             const IfSite& site) {
  const pugi::xml_node place = start_of(site.edge);
  const pugi::xml_node edge = made(place.parent().insert_child_before("edge", place));
  set_attribute(edge, "from-layer", from.layer);
  set_attribute(edge, "from-port", from.port);
  set_attribute(edge, "to-layer", to_layer);
  set_attribute(edge, "to-port", to_port);
}

void EditedNetwork::add_names(const EditedPort& value, const pugi::xml_node& output) {
  const std::string list = output.attribute("names").value();
  if (list.empty()) return;
  AddedNames& added = added_names_[value.key()];
  added.port = value.xml;
  added.lists.push_back(list);
}

/// A name that ends in a backslash can only be the last of a list; another one is left out.
void EditedNetwork::write_names() {
  for (auto& [key, added] : added_names_) {
    added.lists.insert(added.lists.begin(), added.port.attribute("names").value());
    std::string all;
    for (std::size_t i = added.lists.size(); i-- > 0;) {
      const std::string& list = added.lists[i];
      if (list.empty() || (i > 0 && list.ends_with('\\'))) continue;
      if (!all.empty()) all += ',';
      all += list;
    }
    set_attribute(added.port, "names", all);
  }
}

void EditedNetwork::rewire(const EditedPart& part) {
  const auto set = [](const pugi::xml_node& edge, const char* name, std::uint32_t id) {
    if (id_in(edge, name) != id) set_attribute(edge, name, id);
  };
  for (const pugi::xml_node& edge : part.edges) {
    const std::uint32_t to = id_in(edge, "to-layer");
    const EditedPort from{id_in(edge, "from-layer"), id_in(edge, "from-port"), {}};
    const EditedPort& source = part.ports[part.slots.at(from.key())];
    if (part.replaced.contains(to)) {
      lost_readers_.push_back(source.layer);
      discard(edge);
      continue;
    }
    set(edge, "from-layer", source.layer);
    set(edge, "from-port", source.port);
    const auto moved = part.new_ids.find(to);
    if (moved != part.new_ids.end()) set(edge, "to-layer", moved->second);
  }
}

void EditedNetwork::discard_unread(const pugi::xml_node& xml, const pugi::xml_node& port_map) {
  std::unordered_map<std::uint32_t, pugi::xml_node> layers, inputs;
  std::unordered_map<std::uint32_t, std::size_t> readers;
  std::unordered_map<std::uint32_t, std::vector<pugi::xml_node>> edges;  // by the layer that they lead to
  for (const pugi::xml_node& layer : xml.child("layers").children("layer")) layers.emplace(id_in(layer, "id"), layer);
  for (const pugi::xml_node& entry : port_map.children("input"))
    inputs.emplace(id_in(entry, "internal_layer_id"), entry);
  for (const pugi::xml_node& edge : xml.child("edges").children("edge")) {
    ++readers[id_in(edge, "from-layer")];
    edges[id_in(edge, "to-layer")].push_back(edge);
  }
  while (!lost_readers_.empty()) {
    const std::uint32_t id = lost_readers_.back();
    lost_readers_.pop_back();
    const auto layer = layers.find(id);
    if (layer == layers.end() || readers[id] > 0 || has_effect(layer->second)) continue;
    for (const pugi::xml_node& edge : edges[id]) {
      const std::uint32_t source = id_in(edge, "from-layer");
      --readers[source];
      lost_readers_.push_back(source);
      discard(edge);
    }
    if (const auto entry = inputs.find(id); entry != inputs.end()) discard(entry->second);
    discard(layer->second);
    layers.erase(layer);
  }
}

void EditedNetwork::discard(pugi::xml_node element) {
  const pugi::xml_node space = start_of(element);
  if (space != element) element.parent().remove_child(space);
  made(discarded_.append_move(element));
}

}  // namespace ifcert::openvino
