#include "conformance/rewritings/ir_network.hpp"

#include <fmt/format.h>

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

std::string unused_id(Node& network) {
  std::set<std::string> used;
  for (Node* layer : children_of(child_of(network, "layers"), "layer")) used.insert(value_of(*layer, "id"));
  std::size_t id = 0;
  while (used.contains(std::to_string(id))) ++id;
  return std::to_string(id);
}

Node& layer_with(Node& network, const std::string& id) {
  for (Node* layer : children_of(child_of(network, "layers"), "layer")) {
    if (value_of(*layer, "id") == id) return *layer;
  }
  throw NotMade("an edge ends nowhere");
}

}  // namespace ifcert::conformance::ir_network
