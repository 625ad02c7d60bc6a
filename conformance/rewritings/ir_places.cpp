// The whole main network, put into both bodies of an If.
#include <fmt/format.h>

#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/rewritings/ir_network.hpp"
#include "conformance/rewritings/ir_rewritings.hpp"
#include "conformance/rewritings/ir_tree.hpp"

namespace ifcert::conformance::ir_rewritings {
namespace {

using namespace ir_tree;
using namespace ir_network;

std::vector<Node*> layers_of_type(Node& network, std::string_view type) {
  std::vector<Node*> found;
  for (Node* layer : children_of(child_of(network, "layers"), "layer")) {
    if (has_value(*layer, "type", type)) found.push_back(layer);
  }
  return found;
}

/// The only port of a Parameter or Result.
Node& port_of(Node& layer, std::string_view list) {
  return child_of(child_of(layer, list), "port");
}

/// Throws NotMade where what a network keeps, or how it calls an output, may matter.
void require_plain(Node& network) {
  if (depth_of_ifs(network) >= deepest_if) throw NotMade("its Ifs nest too deep");
  for (const std::string_view type : {"ReadValue", "Assign"}) {
    if (!layers_of_type(network, type).empty()) throw NotMade("it keeps a value between runs");
  }
  std::set<std::string> names;
  for (Node* result : layers_of_type(network, "Result")) {
    Node& source = source_of(network, edge_to(network, *result, port_of(*result, "input")));
    require_dims(source);
    if (!names.insert(value_of(source, "names")).second) throw NotMade("it returns a value twice");
  }
  for (Node* parameter : layers_of_type(network, "Parameter")) {
    if (names.contains(value_of(port_of(*parameter, "output"), "names"))) throw NotMade("it returns what it takes");
  }
}

/// The network's layers and edges, whose tensors have no names that callers know.
Node body_of(const Node& network) {
  Node body = network;
  body.attributes.clear();
  std::erase_if(body.children, [](const Node& child) { return child.name != "layers" && child.name != "edges"; });
  for_each(body, "port", [](Node& port) {
    std::erase_if(port.attributes, [](const auto& attribute) { return attribute.first == "names"; });
  });
  return body;
}

/// A scalar true, which the .bin has at this offset.
Node constant_true(const std::string& id, std::size_t offset) {
  return element(
      "layer", {{"id", id}, {"name", "always_" + id}, {"type", "Const"}, {"version", "opset1"}},
      {element("data", {{"element_type", "boolean"}, {"shape", ""}, {"offset", std::to_string(offset)}, {"size", "1"}}),
       element("output", {}, {element("port", {{"id", "0"}, {"precision", "BOOL"}})})});
}

/// An If of the network's Parameters and Results, and the edges to it and from it. Its input ports count from 0, where
/// cond is; its output ports follow.
struct Choice {
  Node layer;
  std::vector<Node> edges;
};

Choice choice_of(Node& network, const std::string& id, const std::string& cond) {
  Node inputs = element("input", {}, {element("port", {{"id", "0"}})}), outputs = element("output", {});
  Node port_map = element("then_port_map", {});
  std::vector<Node> edges{edge_between(cond, "0", id, "0")};
  int next = 1;
  for (Node* parameter : layers_of_type(network, "Parameter")) {
    Node& source = port_of(*parameter, "output");
    const std::string port = std::to_string(next++), layer = value_of(*parameter, "id");
    inputs.children.push_back(element("port", {{"id", port}}, source.children));
    port_map.children.push_back(element("input", {{"external_port_id", port}, {"internal_layer_id", layer}}));
    edges.push_back(edge_between(layer, value_of(source, "id"), id, port));
  }
  for (Node* result : layers_of_type(network, "Result")) {
    Node& input = port_of(*result, "input");
    Node made = source_of(network, edge_to(network, *result, input));
    const std::string port = std::to_string(next++), layer = value_of(*result, "id");
    *attribute_of(made, "id") = port;
    outputs.children.push_back(std::move(made));
    port_map.children.push_back(element("output", {{"external_port_id", port}, {"internal_layer_id", layer}}));
    edges.push_back(edge_between(id, port, layer, value_of(input, "id")));
  }
  Node else_port_map = port_map, then_body = body_of(network), else_body = then_body;
  else_port_map.name = "else_port_map";
  then_body.name = "then_body";
  else_body.name = "else_body";
  return {element("layer", {{"id", id}, {"name", "whole_" + id}, {"type", "If"}, {"version", "opset8"}},
                  {std::move(inputs), std::move(outputs), std::move(port_map), std::move(else_port_map),
                   std::move(then_body), std::move(else_body)}),
          std::move(edges)};
}

}  // namespace

void put_main_into_bodies(ModelFiles& files) {
  const std::filesystem::path file = std::filesystem::path(files.model).replace_extension(".bin");
  std::string weights = files.bytes.contains(file) ? files.bytes.at(file) : "";
  change_tree(files, [&weights](Node& document) {
    Node& network = child_of(document, "net");
    require_plain(network);
    const std::vector<std::string> ids = unused_ids(network, 2);
    Choice choice = choice_of(network, ids[0], ids[1]);
    Node& layers = child_of(network, "layers");
    std::erase_if(layers.children, [](Node& layer) {
      return layer.name == "layer" && !has_value(layer, "type", "Parameter") && !has_value(layer, "type", "Result");
    });
    layers.children.push_back(constant_true(ids[1], weights.size()));
    layers.children.push_back(std::move(choice.layer));
    child_of(network, "edges").children = std::move(choice.edges);
  });
  files.bytes[file] = weights + '\1';
}

}  // namespace ifcert::conformance::ir_rewritings
