#include "specialise/openvino_part.hpp"

#include "formats/openvino/xml.hpp"

namespace ifcert::openvino {

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

}  // namespace ifcert::openvino
