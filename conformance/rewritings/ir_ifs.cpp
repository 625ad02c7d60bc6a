// The Ifs of an IR with their parts in another order, or with their bodies exchanged.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "conformance/rewritings/ir_network.hpp"
#include "conformance/rewritings/ir_rewritings.hpp"
#include "conformance/rewritings/ir_tree.hpp"

namespace ifcert::conformance::ir_rewritings {
namespace {

using namespace ir_tree;
using namespace ir_network;

/// What an If has twice, by name.
constexpr std::array<std::pair<std::string_view, std::string_view>, 2> parts_of_if{
    {{"then_port_map", "else_port_map"}, {"then_body", "else_body"}}};

/// The first input of an If.
Node& cond_of(Node& layer) {
  const std::vector<Node*> ports = ports_of(layer, "input");
  if (ports.empty()) throw NotMade("an If has no cond");
  return *ports.front();
}

/// Throws NotMade where a body reads cond.
void require_cond_is_not_passed(Node& layer) {
  const std::string cond = value_of(cond_of(layer), "id");
  for (const std::string_view name : {parts_of_if[0].first, parts_of_if[0].second}) {
    for (Node* entry : children_of(child_of(layer, name), "input")) {
      if (value_of(*entry, "external_port_id") == cond) throw NotMade("a body reads the cond of its If");
    }
  }
}

/// Puts a LogicalNot before the cond of the If that is the `place`-th layer of a network.
void negate_cond(Node& network, std::size_t place) {
  Node& layer = *children_of(child_of(network, "layers"), "layer")[place];
  require_cond_is_not_passed(layer);
  Node& edge = edge_to(network, layer, cond_of(layer));
  const std::vector<Node> dims = source_of(network, edge).children;
  const std::string id = unused_id(network);
  Node negation = element("layer", {{"id", id}, {"name", "not_" + id}, {"type", "LogicalNot"}, {"version", "opset1"}},
                          {element("input", {}, {element("port", {{"id", "0"}}, dims)}),
                           element("output", {}, {element("port", {{"id", "1"}, {"precision", "BOOL"}}, dims)})});
  Node onward = edge_between(id, "1", value_of(edge, "to-layer"), value_of(edge, "to-port"));
  *attribute_of(edge, "to-layer") = id;
  *attribute_of(edge, "to-port") = "0";
  child_of(network, "edges").children.push_back(std::move(onward));
  child_of(network, "layers").children.push_back(std::move(negation));
}

void negate_conds(Node& network) {
  const std::size_t count = children_of(child_of(network, "layers"), "layer").size();
  for (std::size_t i = 0; i < count; ++i) {
    if (has_value(*children_of(child_of(network, "layers"), "layer")[i], "type", "If")) negate_cond(network, i);
  }
}

/// The text, which means what it says. Throws NotMade for one with references or comments.
std::string plain(std::string text) {
  if (text.find_first_of("&<") != std::string::npos) throw NotMade("a type is written with references or comments");
  return text;
}

/// "FP32" → "f32"; "BOOL" → "boolean".
std::string element_type_of(Node& port) {
  std::string name = plain(value_of(port, "precision"));
  if (name == "BOOL") return "boolean";
  if (name.starts_with("FP")) name.erase(1, 1);
  for (char& letter : name) letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  return name;
}

/// "2,?,3"
std::string shape_of(Node& port) {
  std::string shape;
  for (Node* dim : children_of(port, "dim")) {
    std::string text;
    for (const Node& part : dim->children) text += part.text;
    shape += (shape.empty() ? "" : ",") + (plain(text) == "-1" ? "?" : text);
  }
  return shape;
}

/// A Parameter for a value that is made as at this port.
Node parameter(const std::string& id, Node& source) {
  return element(
      "layer", {{"id", id}, {"name", "taken_" + id}, {"type", "Parameter"}, {"version", "opset1"}},
      {element("data", {{"shape", shape_of(source)}, {"element_type", element_type_of(source)}}),
       element("output", {},
               {element("port", {{"id", "0"}, {"precision", value_of(source, "precision")}}, source.children)})});
}

/// What has an If alone in it, and the entries of its port map: Parameters have the first ids, then comes the If, then
/// the Results.
struct Around {
  Node body, port_map;
};

Around around(Node& network, Node& layer) {
  const std::vector<Node*> inputs = ports_of(layer, "input"), outputs = ports_of(layer, "output");
  for (std::size_t i = 1; i < inputs.size(); ++i) require_dims(source_of(network, edge_to(network, layer, *inputs[i])));
  for (Node* output : outputs) require_dims(*output);
  const std::string place = std::to_string(inputs.size());
  Node inside = layer;
  *attribute_of(inside, "id") = place;
  for (Node* port : ports_of(inside, "output"))
    std::erase_if(port->attributes, [](const auto& attribute) { return attribute.first == "names"; });
  std::vector<Node> layers, edges;
  Node port_map = element("", {});
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const std::string id = std::to_string(i), port = value_of(*inputs[i], "id");
    layers.push_back(parameter(id, source_of(network, edge_to(network, layer, *inputs[i]))));
    edges.push_back(edge_between(id, "0", place, port));
    port_map.children.push_back(element("input", {{"external_port_id", port}, {"internal_layer_id", id}}));
  }
  layers.push_back(std::move(inside));
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const std::string id = std::to_string(inputs.size() + 1 + i), port = value_of(*outputs[i], "id");
    layers.push_back(element("layer", {{"id", id}, {"name", "made_" + id}, {"type", "Result"}, {"version", "opset1"}},
                             {element("input", {}, {element("port", {{"id", "0"}}, outputs[i]->children)})}));
    edges.push_back(edge_between(place, port, id, "0"));
    port_map.children.push_back(element("output", {{"external_port_id", port}, {"internal_layer_id", id}}));
  }
  return {element("", {}, {element("layers", {}, std::move(layers)), element("edges", {}, std::move(edges))}),
          std::move(port_map)};
}

/// Names an element that is among the parts of an If.
Node named(Node part, std::string_view name) {
  part.name = name;
  return part;
}

/// The layer with other bodies, each of which has the old layer in it.
void put_into_another(Node& network, Node& layer) {
  const Around inside = around(network, layer);
  for (const auto& [then, otherwise] : parts_of_if) {
    for (const std::string_view name : {then, otherwise})
      child_of(layer, name) = named(then == "then_body" ? inside.body : inside.port_map, name);
  }
}

void for_each_if(Node& document, const std::function<void(Node&)>& visit) {
  for_each(document, "layer", [&visit](Node& layer) {
    if (has_value(layer, "type", "If")) visit(layer);
  });
}

}  // namespace

void exchange_bodies(ModelFiles& files) {
  change_tree(files, [](Node& document) {
    for (const char* network : {"net", "then_body", "else_body"}) for_each(document, network, negate_conds);
    for_each_if(document, [](Node& layer) {
      for (const auto& [then, otherwise] : parts_of_if) {
        Node &one = child_of(layer, then), &other = child_of(layer, otherwise);
        std::swap(one.name, other.name);
      }
    });
  });
}

void put_ifs_into_ifs(ModelFiles& files) {
  change_tree(files, [](Node& document) {
    Node& network = child_of(document, "net");
    if (depth_of_ifs(network) > deepest_if) throw NotMade("its Ifs nest too deep");
    for (Node* layer : children_of(child_of(network, "layers"), "layer")) {
      if (has_value(*layer, "type", "If")) put_into_another(network, *layer);
    }
  });
}

void reverse_parts_of_ifs(ModelFiles& files) {
  change_tree(files, [](Node& document) {
    for_each_if(document, [](Node& layer) {
      std::vector<Node*> parts;
      for (Node& child : layer.children) {
        const auto is_of = [&child](const auto& names) {
          return child.name == names.first || child.name == names.second;
        };
        if (std::ranges::any_of(parts_of_if, is_of)) parts.push_back(&child);
      }
      for (std::size_t i = 0; i < parts.size() / 2; ++i) std::swap(*parts[i], *parts[parts.size() - 1 - i]);
    });
  });
}

}  // namespace ifcert::conformance::ir_rewritings
