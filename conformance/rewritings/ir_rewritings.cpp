#include "conformance/rewritings/ir_rewritings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "conformance/rewritings/ir_tree.hpp"

namespace ifcert::conformance::ir_rewritings {
namespace {

using namespace ir_tree;
using IdMap = std::map<std::string, std::string, std::less<>>;

std::string& required_attribute(Node& element, std::string_view name) {
  std::string* value = attribute_of(element, name);
  if (value == nullptr) throw NotMade(fmt::format("a <{}> has no {}", element.name, name));
  return *value;
}

void replace_id(std::string& id, const IdMap& ids) {
  const auto found = ids.find(id);
  if (found == ids.end()) throw NotMade(fmt::format("nothing has the id {}", id));
  id = found->second;
}

/// The layers of a network or body.
std::vector<Node*> layers_of(Node& network) {
  std::vector<Node*> layers;
  for (Node* list : children_of(network, "layers")) {
    for (Node* layer : children_of(*list, "layer")) layers.push_back(layer);
  }
  return layers;
}

std::vector<Node*> edges_of(Node& network) {
  std::vector<Node*> edges;
  for (Node* list : children_of(network, "edges")) {
    for (Node* edge : children_of(*list, "edge")) edges.push_back(edge);
  }
  return edges;
}

std::string new_id(Ids ids, std::size_t index, std::size_t count) {
  if (ids == Ids::gaps) return std::to_string(3 + 7 * index);
  if (ids == Ids::falling) return std::to_string(count - 1 - index);
  return std::to_string((std::uint64_t{1} << 31U) + index);
}

/// Gives the layers of a network new ids, also in its edges; returns them by the old ones.
IdMap renumber_network(Node& network, Ids ids) {
  IdMap renumbered;
  const std::vector<Node*> layers = layers_of(network);
  for (std::size_t i = 0; i < layers.size(); ++i) {
    std::string& id = required_attribute(*layers[i], "id");
    std::string made = new_id(ids, i, layers.size());
    renumbered.emplace(id, made);
    id = std::move(made);
  }
  for (Node* edge : edges_of(network)) {
    replace_id(required_attribute(*edge, "from-layer"), renumbered);
    replace_id(required_attribute(*edge, "to-layer"), renumbered);
  }
  return renumbered;
}

struct Branch {
  std::string_view body, port_map;
};
constexpr std::array branches{Branch{"then_body", "then_port_map"}, Branch{"else_body", "else_port_map"}};

void renumber_bodies(Node& layer, Ids ids) {
  for (const auto& [body_name, map_name] : branches) {
    for (Node* body : children_of(layer, body_name)) {
      const IdMap renumbered = renumber_network(*body, ids);
      for (Node* port_map : children_of(layer, map_name)) {
        for (const char* direction : {"input", "output"}) {
          for (Node* entry : children_of(*port_map, direction))
            replace_id(required_attribute(*entry, "internal_layer_id"), renumbered);
        }
      }
    }
  }
}

bool has_port_maps(Node& layer) {
  return std::ranges::any_of(branches, [&](const Branch& each) { return !children_of(layer, each.port_map).empty(); });
}

/// Where a layer's ports are, and what an edge calls the layer and the port.
struct Side {
  const char *list, *layer, *port;
  std::size_t first_id;
};
constexpr Side outputs{"output", "from-layer", "from-port", 1000};
constexpr Side inputs{"input", "to-layer", "to-port", 500};

/// The ports of a layer get new ids. An If keeps its own: whether ids that are no numbers of ports must be accepted is
/// open (docs/doubts.md).
IdMap renumber_ports_of(Node& layer, const Side& side) {
  IdMap renumbered;
  if (has_port_maps(layer)) return renumbered;
  for (Node* list : children_of(layer, side.list)) {
    for (Node* port : children_of(*list, "port")) {
      std::string& id = required_attribute(*port, "id");
      std::string made = std::to_string(side.first_id + 10 * renumbered.size());
      renumbered.emplace(id, made);
      id = std::move(made);
    }
  }
  return renumbered;
}

void renumber_ports_in(Node& network, const Side& side) {
  std::map<std::string, IdMap, std::less<>> of_layer;
  for (Node* layer : layers_of(network)) of_layer[required_attribute(*layer, "id")] = renumber_ports_of(*layer, side);
  for (Node* edge : edges_of(network)) {
    const auto layer = of_layer.find(required_attribute(*edge, side.layer));
    if (layer == of_layer.end()) throw NotMade("an edge names no layer");
    if (!layer->second.empty()) replace_id(required_attribute(*edge, side.port), layer->second);
  }
}

/// The main network and all bodies.
void for_each_network(Node& document, const std::function<void(Node&)>& visit) {
  for (const char* name : {"net", "then_body", "else_body"}) for_each(document, name, visit);
}

/// Layers of that type keep the order that they have among each other: `from` has the layer that comes to each place.
void keep_in_order(std::vector<std::size_t>& from, const std::vector<Node*>& layers, std::string_view type) {
  std::vector<std::size_t*> places;
  std::vector<std::size_t> kept;
  for (std::size_t& i : from) {
    if (!has_value(*layers[i], "type", type)) continue;
    places.push_back(&i);
    kept.push_back(i);
  }
  std::ranges::sort(kept);
  for (std::size_t i = 0; i < kept.size(); ++i) *places[i] = kept[i];
}

/// No text says what else than their order in the file decides which of a network's inputs and outputs is the first
/// one: Parameters and Results keep it.
void permute_elements(Node& parent, std::string_view child, Order order) {
  const std::vector<Node*> places = children_of(parent, child);
  std::vector<std::size_t> from(places.size());
  std::iota(from.begin(), from.end(), std::size_t{0});
  if (order == Order::reversed) std::ranges::reverse(from);
  if (order == Order::rotated && from.size() > 2) std::ranges::rotate(from, from.begin() + 1);
  for (const char* type : {"Parameter", "Result"}) keep_in_order(from, places, type);
  std::vector<Node> moved;
  for (const std::size_t i : from) moved.push_back(std::move(*places[i]));
  for (std::size_t i = 0; i < places.size(); ++i) *places[i] = std::move(moved[i]);
}

/// The layers of that type in the reverse order, in the places that they have.
void reverse_layers(Node& network, std::string_view type) {
  std::vector<Node*> places = layers_of(network);
  std::erase_if(places, [type](Node* layer) { return !has_value(*layer, "type", type); });
  for (std::size_t i = 0; i < places.size() / 2; ++i) std::swap(*places[i], *places[places.size() - 1 - i]);
}

std::string layer_name(LayerNames names, std::size_t number) {
  if (names == LayerNames::lengthy) return fmt::format("{:x<290}{:010}", "a_long_name_", number);
  if (names == LayerNames::punctuated) return fmt::format("/a:0.b-c d/{}", number);
  return fmt::format("layer_{}", number);
}

/// The layers of the main network whose names its inputs and outputs have: Parameters and Results, and those that a
/// Result takes its value from.
std::set<std::string> interface_of(Node& network) {
  std::set<std::string> kept, results;
  for (Node* layer : layers_of(network)) {
    const std::string& id = required_attribute(*layer, "id");
    if (has_value(*layer, "type", "Result")) results.insert(id);
    if (has_value(*layer, "type", "Parameter") || has_value(*layer, "type", "Result")) kept.insert(id);
  }
  for (Node* edge : edges_of(network)) {
    if (results.contains(required_attribute(*edge, "to-layer"))) kept.insert(required_attribute(*edge, "from-layer"));
  }
  return kept;
}

std::filesystem::path weights_of(const ModelFiles& files) {
  const std::filesystem::path weights = std::filesystem::path(files.model).replace_extension(".bin");
  if (!files.bytes.contains(weights)) throw NotMade("it has no .bin");
  return weights;
}

std::size_t number_in(const std::string& text) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) throw NotMade("a range of the .bin is no number");
  return number;
}

/// Calls `visit` with the offset and the size of each constant.
void for_each_range(Node& document, const std::function<void(std::string& offset, std::size_t size)>& visit) {
  for_each(document, "data", [&visit](Node& data) {
    std::string* offset = attribute_of(data, "offset");
    const std::string* size = attribute_of(data, "size");
    if (offset != nullptr && size != nullptr) visit(*offset, number_in(*size));
  });
}

constexpr std::size_t padding = 64;  // keeps the alignment of every constant

}  // namespace

void reorder(ModelFiles& files, std::string_view parent, std::string_view child, Order order) {
  change_tree(files, [&](Node& document) {
    for_each(document, parent, [&](Node& element) { permute_elements(element, child, order); });
  });
}

void reverse_interfaces_of_bodies(ModelFiles& files) {
  change_tree(files, [](Node& document) {
    for (const Branch& branch : branches) {
      for_each(document, branch.body, [](Node& body) {
        for (const char* type : {"Parameter", "Result"}) reverse_layers(body, type);
      });
    }
  });
}

void reverse_port_map_inputs(ModelFiles& files) {
  for (const Branch& branch : branches) reorder(files, branch.port_map, "input", Order::reversed);
}

void reverse_port_map_outputs(ModelFiles& files) {
  for (const Branch& branch : branches) reorder(files, branch.port_map, "output", Order::reversed);
}

void reverse_attributes(ModelFiles& files) {
  change_tree(files, [](Node& document) {
    for_each(document, "", [](Node& element) { std::ranges::reverse(element.attributes); });
  });
}

void renumber_layers(ModelFiles& files, Ids ids) {
  change_tree(files, [ids](Node& document) {
    for_each(document, "net", [ids](Node& network) { renumber_network(network, ids); });
    for_each(document, "layer", [ids](Node& layer) { renumber_bodies(layer, ids); });
  });
}

void renumber_output_ports(ModelFiles& files) {
  change_tree(files, [](Node& document) {
    for_each_network(document, [](Node& network) { renumber_ports_in(network, outputs); });
  });
}

void renumber_input_ports(ModelFiles& files) {
  change_tree(files, [](Node& document) {
    for_each_network(document, [](Node& network) { renumber_ports_in(network, inputs); });
  });
}

void rename_layers(ModelFiles& files, LayerNames names) {
  change_tree(files, [names](Node& document) {
    std::size_t number = 0;
    for_each_network(document, [&](Node& network) {
      if (names == LayerNames::same_in_all_bodies) number = 0;
      if (names == LayerNames::same_in_all_bodies && network.name == "net") return;
      const std::set<std::string> kept = network.name == "net" ? interface_of(network) : std::set<std::string>{};
      for (Node* layer : layers_of(network)) {
        if (kept.contains(required_attribute(*layer, "id"))) continue;
        required_attribute(*layer, "name") = layer_name(names, number++);
      }
    });
  });
}

void add_comments(ModelFiles& files) {
  change_tree(files, [](Node& document) {
    for_each(document, "", [](Node& element) {
      if (element.children.empty()) return;
      const Node comment{.text = "<!-- <layer id=\"0\"/> & more -->"};
      element.children.insert(element.children.begin(), comment);
      element.children.push_back(comment);
    });
  });
}

void quote_with_apostrophes(ModelFiles& files) {
  change_tree(
      files,
      [](Node& document) {
        for_each(document, "", [](Node& element) {
          for (const auto& [name, value] : element.attributes) {
            if (value.find('\'') != std::string::npos) throw NotMade("a value of an attribute has an apostrophe");
          }
        });
      },
      '\'');
}

void write_character_references(ModelFiles& files) {
  change_tree(files, [](Node& document) {
    for_each(document, "", [](Node& element) {
      for (auto& [name, value] : element.attributes) {
        const bool is_letter = !value.empty() && ((value.front() >= 'a' && value.front() <= 'z') ||
                                                  (value.front() >= 'A' && value.front() <= 'Z'));
        if (is_letter) value = fmt::format("&#x{:x};{}", static_cast<unsigned>(value.front()), value.substr(1));
      }
    });
  });
}

void pad_weights(ModelFiles& files) {
  std::string& weights = files.bytes.at(weights_of(files));
  change_tree(files, [](Node& document) {
    for_each_range(document,
                   [](std::string& offset, std::size_t) { offset = std::to_string(number_in(offset) + padding); });
  });
  weights = std::string(padding, '\x7f') + weights + std::string(padding, '\x7f');
}

void reverse_weights(ModelFiles& files) {
  const std::filesystem::path file = weights_of(files);
  const std::string before = files.bytes.at(file);
  std::string after(padding, '\0');
  change_tree(files, [&](Node& document) {
    std::map<std::pair<std::size_t, std::size_t>, std::size_t> ranges;  // offset and size → the new offset
    for_each_range(document, [&](std::string& offset, std::size_t size) { ranges[{number_in(offset), size}] = 0; });
    for (auto range = ranges.rbegin(); range != ranges.rend(); ++range) {
      const auto& [offset, size] = range->first;
      if (offset > before.size()) throw NotMade("a constant begins after the .bin");
      after.resize((after.size() + padding - 1) / padding * padding);
      range->second = after.size();
      after += before.substr(offset, size);
    }
    for_each_range(document, [&](std::string& offset, std::size_t size) {
      offset = std::to_string(ranges.at({number_in(offset), size}));
    });
  });
  files.bytes.at(file) = std::move(after);
}

void share_weights(ModelFiles& files) {
  const std::filesystem::path file = weights_of(files);
  const std::string before = files.bytes.at(file);
  std::string after;
  change_tree(files, [&](Node& document) {
    std::map<std::string, std::size_t> places;  // of bytes → the new offset
    for_each_range(document, [&](std::string& offset, std::size_t size) {
      const std::size_t at = number_in(offset);
      if (at > before.size() || size > before.size() - at) throw NotMade("a constant ends after the .bin");
      after.resize((after.size() + padding - 1) / padding * padding);
      const auto [place, is_new] = places.try_emplace(before.substr(at, size), after.size());
      if (is_new) after += place->first;
      offset = std::to_string(place->second);
    });
  });
  files.bytes.at(file) = std::move(after);
}

}  // namespace ifcert::conformance::ir_rewritings
