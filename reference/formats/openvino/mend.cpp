#include "formats/mend.hpp"

#include <array>
#include <initializer_list>
#include <pugixml.hpp>
#include <set>
#include <string_view>
#include <vector>

namespace ifcert::openvino {
namespace {

class Text : public pugi::xml_writer {
 public:
  void write(const void* data, std::size_t size) override { text.append(static_cast<const char*>(data), size); }
  std::string text;
};

using Names = std::initializer_list<const char*>;

/// Removes the elements of that name that have the same ids, in attributes of these names, as an earlier one.
void remove_repeats(pugi::xml_node& parent, const char* element, Names attributes) {
  std::set<std::vector<std::uint32_t>> seen;
  std::vector<pugi::xml_node> repeats;
  for (const pugi::xml_node& child : parent.children(element)) {
    std::vector<std::uint32_t> ids;
    for (const char* name : attributes) ids.push_back(child.attribute(name).as_uint());
    if (!seen.insert(std::move(ids)).second) repeats.push_back(child);
  }
  for (const pugi::xml_node& repeat : repeats) parent.remove_child(repeat);
}

void mend_port_map(pugi::xml_node map, const AllowedRules& allowed) {
  const Names ids{"external_port_id", "internal_layer_id"};
  if (allowed.contains("openvino/if/every-parameter-mapped")) remove_repeats(map, "input", ids);
  // A repeated output entry breaks both rules.
  if (allowed.contains("openvino/if/every-output-mapped") && allowed.contains("openvino/if/one-result-one-output"))
    remove_repeats(map, "output", ids);
}

void mend_network(pugi::xml_node network, const AllowedRules& allowed) {
  pugi::xml_node edges = network.child("edges");
  if (allowed.contains("openvino/ir/inputs-have-one-edge"))
    remove_repeats(edges, "edge", {"from-layer", "from-port", "to-layer", "to-port"});
  for (const pugi::xml_node& layer : network.child("layers").children("layer")) {
    if (std::string_view(layer.attribute("type").value()) != "If") continue;
    for (const char* map : {"then_port_map", "else_port_map"}) mend_port_map(layer.child(map), allowed);
    for (const char* body : {"then_body", "else_body"}) mend_network(layer.child(body), allowed);
  }
}

}  // namespace

std::string mended(std::span<const std::byte> xml, const AllowedRules& allowed) {
  pugi::xml_document document;
  document.load_buffer(xml.data(), xml.size(), pugi::parse_full | pugi::parse_ws_pcdata, pugi::encoding_utf8);
  mend_network(document.child("net"), allowed);
  Text written;
  document.save(written, "", pugi::format_raw | pugi::format_no_declaration, pugi::encoding_utf8);
  return std::move(written.text);
}

}  // namespace ifcert::openvino
