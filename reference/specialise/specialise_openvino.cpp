// The layers of a body stand where its If stood; edges lead from what the If's inputs came from to what read the
// Parameters, and from what the Results came from to what read the If's outputs. (Bodies of Loop and TensorIterator are
// not read, so that no If in them has a decision.)
#include <array>
#include <optional>
#include <pugixml.hpp>
#include <utility>
#include <vector>

#include "model/node_kind.hpp"
#include "model/node_place.hpp"
#include "specialise/openvino_document.hpp"
#include "specialise/openvino_main_names.hpp"
#include "specialise/openvino_network.hpp"
#include "specialise/specialise.hpp"

namespace ifcert::openvino {
namespace {

class Specialiser {
 public:
  Specialiser(const Model& model, const Decisions& decisions, pugi::xml_node discarded)
      : model_(model), decisions_(decisions), discarded_(discarded) {}

  /// A network that stays where it is: <net>, or the body of an If that stays, with its port map.
  void specialise_network(GraphIndex graph, const pugi::xml_node& xml, const pugi::xml_node& port_map,
                          const Place& place);

 private:
  /// The network that is edited, and the names of the main one.
  struct Edited {
    EditedNetwork network;
    std::optional<MainNames> names;
  };

  std::optional<bool> decision_of(GraphIndex graph, std::size_t node) const;
  EditedPart part_with_ifs(GraphIndex graph, const pugi::xml_node& xml) const;
  void replace_ifs(EditedPart& part, Edited& edited, const Place& place);
  void replace_if(EditedPart& part, const Node& node, const Body& taken, Edited& edited, const Place& place);

  const Model& model_;
  const Decisions& decisions_;
  pugi::xml_node discarded_;
};

std::optional<bool> Specialiser::decision_of(GraphIndex graph, std::size_t node) const {
  const auto found = decisions_.find({graph, node});
  if (found == decisions_.end() || !is_if(model_.graphs[graph].nodes[node])) return std::nullopt;
  return found->second;
}

/// Its Ifs that have a decision are among the layers that are replaced.
EditedPart Specialiser::part_with_ifs(GraphIndex graph, const pugi::xml_node& xml) const {
  EditedPart part = part_of(graph, xml);
  const std::vector<Node>& nodes = model_.graphs[graph].nodes;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (decision_of(graph, i)) part.replaced.insert(nodes[i].layer.value());
  }
  return part;
}

void Specialiser::specialise_network(GraphIndex graph, const pugi::xml_node& xml, const pugi::xml_node& port_map,
                                     const Place& place) {
  EditedPart part = part_with_ifs(graph, xml);
  Edited edited{EditedNetwork(part, discarded_), std::nullopt};
  if (graph == 0) edited.names.emplace(model_.main(), part, edited.network);
  replace_ifs(part, edited, place);
  edited.network.rewire(part);
  edited.network.write_names();
  if (port_map) edited.network.discard_unread(xml, port_map);
}

/// Nodes are in an order in which they can be evaluated: when an If is replaced, it is known where its inputs' values
/// are.
void Specialiser::replace_ifs(EditedPart& part, Edited& edited, const Place& place) {
  const Graph& graph = model_.graphs[part.graph];
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const Node& node = graph.nodes[i];
    if (!is_if(node)) continue;
    const Place here = place_of(graph, i, place);
    if (const auto taken = decision_of(part.graph, i)) {
      replace_if(part, node, node.bodies[*taken ? 0 : 1], edited, here);
      continue;
    }
    const pugi::xml_node layer = part.layers.at(node.layer.value());
    const std::array port_maps{layer.child("then_port_map"), layer.child("else_port_map")};
    for (std::size_t k = 0; k < node.bodies.size(); ++k) {
      const Body& body = node.bodies[k];
      specialise_network(body.graph, layer.child(body.role.c_str()), port_maps.at(k), here.word(body.role));
    }
  }
}

void Specialiser::replace_if(EditedPart& part, const Node& node, const Body& taken, Edited& edited,
                             const Place& place) {
  const std::uint32_t id = node.layer.value();
  const IfSite site{part.layers.at(id), part.first_edges.at(id)};
  const pugi::xml_node xml = site.layer.child(taken.role.c_str());
  EditedPart body = part_with_ifs(taken.graph, xml);
  for (const Capture& capture : taken.captures) body.ports[capture.inner] = part.ports[capture.outer];
  edited.network.take_in(body, xml, site);
  replace_ifs(body, edited, place.word(taken.role));
  edited.network.rewire(body);
  const std::vector<Slot>& results = model_.graphs[taken.graph].outputs;
  for (std::size_t i = 0; i < node.outputs.size(); ++i) {
    EditedPort& output = part.ports[node.outputs[i]];
    const EditedPort& value = body.ports[results[i]];
    const bool is_main_output = part.graph == 0 && edited.names->is_output(node.outputs[i]);
    if (is_main_output) {
      output = edited.names->named(value, node.outputs[i], output.xml, edited.network, site, place);
    } else {
      if (!edited.names || !edited.names->has(value)) edited.network.add_names(value, output.xml);
      output = value;
    }
  }
  edited.network.discard(site.layer);
}

}  // namespace

std::string specialised(const Model& model, std::span<const std::byte> xml, const Decisions& decisions) {
  pugi::xml_document document;
  load_text(xml, document);
  const pugi::xml_node discarded = appended(document, "discarded");
  Specialiser(model, decisions, discarded).specialise_network(0, document.child("net"), {}, place_of(model.main()));
  return saved_text(document, discarded);
}

}  // namespace ifcert::openvino
