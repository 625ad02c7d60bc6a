// Each further output of an .xml is a Result, behind all layers. The port that it reads gets a name where it has none.
#include <cstdint>
#include <new>
#include <pugixml.hpp>
#include <set>

#include "formats/openvino/port_names.hpp"
#include "formats/openvino/write_text.hpp"
#include "specialise/further_outputs.hpp"
#include "specialise/openvino_document.hpp"
#include "specialise/openvino_network.hpp"

namespace ifcert::openvino {
namespace {

void append_result(const pugi::xml_node& net, const EditedPort& value, std::uint32_t id, const std::string& name) {
  const pugi::xml_node layer = appended(net.child("layers"), "layer");
  set_attribute(layer, "id", id);
  set_attribute(layer, "name", name);
  set_attribute(layer, "type", std::string("Result"));
  set_attribute(layer, "version", std::string("opset1"));
  pugi::xml_node port = appended(appended(layer, "input"), "port");
  set_attribute(port, "id", 0);
  set_attribute(port, "precision", std::string(value.xml.attribute("precision").value()));
  for (const pugi::xml_node& dim : value.xml.children("dim")) {
    if (!port.append_copy(dim)) throw std::bad_alloc();
  }

  const pugi::xml_node edge = appended(net.child("edges"), "edge");
  set_attribute(edge, "from-layer", value.layer);
  set_attribute(edge, "from-port", value.port);
  set_attribute(edge, "to-layer", id);
  set_attribute(edge, "to-port", 0);
}

/// The next one after the largest; after the largest of all numbers the smallest that is free.
std::uint32_t free_id(std::set<std::uint32_t>& ids) {
  std::uint32_t id = ids.empty() ? 0 : *ids.rbegin() + 1;
  while (!ids.insert(id).second) ++id;
  return id;
}

}  // namespace

std::string with_outputs(const Model& model, std::span<const std::byte> xml, std::span<const FurtherOutput> outputs) {
  pugi::xml_document document;
  load_text(xml, document);
  const pugi::xml_node net = document.child("net");
  EditedPart part = part_of(0, net);
  std::set<std::uint32_t> ids;
  UniqueNames names;
  for (const auto& [id, layer] : part.layers) {
    ids.insert(id);
    names.claim(layer.attribute("name").value());
  }
  for (const FurtherOutput& output : outputs) {
    const EditedPort& value = part.ports.at(output.slot);
    const std::string& name = model.main().slots[output.slot].name;
    if (names_in(value.xml.attribute("names").value()).empty()) set_attribute(value.xml, "names", in_list(name));
    append_result(net, value, free_id(ids), names.make(name + "/result"));
  }
  return saved_text(document);
}

}  // namespace ifcert::openvino
