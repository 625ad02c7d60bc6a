#include "conformance/rewritings/ir_network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace ifcert::conformance::ir_network {

using namespace ir_tree;

std::string value_of(Node& element, std::string_view name) {
  const std::string* value = attribute_of(element, name);
  if (value == nullptr) throw NotMade(fmt::format("a <{}> has no {}", element.name, name));
  return *value;
}

Node& child_of(Node& element, std::string_view name) {
  const std::vector<Node*> found = children_of(element, name);
  if (found.size() != 1) throw NotMade(fmt::format("a <{}> has {} <{}>", element.name, found.size(), name));
  return *found.front();
}

Node element(std::string name, std::vector<std::pair<std::string, std::string>> attributes,
             std::vector<Node> children) {
  return {.name = std::move(name), .attributes = std::move(attributes), .children = std::move(children)};
}

std::vector<std::string> unused_ids(Node& network, std::size_t count) {
  std::set<std::string> used;
  for (Node* layer : children_of(child_of(network, "layers"), "layer")) used.insert(value_of(*layer, "id"));
  std::vector<std::string> ids;
  for (std::size_t id = 0; ids.size() < count; ++id) {
    if (!used.contains(std::to_string(id))) ids.push_back(std::to_string(id));
  }
  return ids;
}

std::string unused_id(Node& network) {
  return unused_ids(network, 1).front();
}

Node& layer_with(Node& network, const std::string& id) {
  for (Node* layer : children_of(child_of(network, "layers"), "layer")) {
    if (value_of(*layer, "id") == id) return *layer;
  }
  throw NotMade("an edge ends nowhere");
}

std::vector<Node*> ports_of(Node& layer, std::string_view list) {
  return children_of(child_of(layer, list), "port");
}

Node& source_of(Node& network, Node& edge) {
  for (Node* layer : children_of(child_of(network, "layers"), "layer")) {
    if (value_of(*layer, "id") != value_of(edge, "from-layer")) continue;
    for (Node* port : children_of(child_of(*layer, "output"), "port")) {
      if (value_of(*port, "id") == value_of(edge, "from-port")) return *port;
    }
  }
  throw NotMade("an edge begins nowhere");
}

Node& edge_to(Node& network, Node& layer, Node& port) {
  for (Node* edge : children_of(child_of(network, "edges"), "edge")) {
    if (value_of(*edge, "to-layer") == value_of(layer, "id") && value_of(*edge, "to-port") == value_of(port, "id"))
      return *edge;
  }
  throw NotMade("nothing feeds an input");
}

Node edge_between(const std::string& from, const std::string& from_port, const std::string& to,
                  const std::string& to_port) {
  return element("edge", {{"from-layer", from}, {"from-port", from_port}, {"to-layer", to}, {"to-port", to_port}});
}

void require_dims(Node& port) {
  if (children_of(port, "dim").empty()) throw NotMade("a port of an If has no dims");
}

int depth_of_ifs(Node& element) {
  int depth = 0;
  for (Node& child : element.children) depth = std::max(depth, depth_of_ifs(child));
  return depth + (element.name == "then_body" || element.name == "else_body" ? 1 : 0);
}

}  // namespace ifcert::conformance::ir_network
