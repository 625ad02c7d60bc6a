// Parts of a network or body of an IR.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/rewritings/ir_tree.hpp"

namespace ifcert::conformance::ir_network {

/// Each throws NotMade where there is none: the value of an attribute; the only child of that name.
std::string value_of(ir_tree::Node& element, std::string_view name);
ir_tree::Node& child_of(ir_tree::Node& element, std::string_view name);

ir_tree::Node element(std::string name, std::vector<std::pair<std::string, std::string>> attributes,
                      std::vector<ir_tree::Node> children = {});

/// Ids that no layer of the network has.
std::vector<std::string> unused_ids(ir_tree::Node& network, std::size_t count);
std::string unused_id(ir_tree::Node& network);

/// The layer with that id. Throws NotMade where there is none.
ir_tree::Node& layer_with(ir_tree::Node& network, const std::string& id);

/// The ports of a layer in its <input> or <output>.
std::vector<ir_tree::Node*> ports_of(ir_tree::Node& layer, std::string_view list);

/// The port of the layer that an edge begins at, and the edge to an input of a layer. They throw NotMade where there is
/// none.
ir_tree::Node& source_of(ir_tree::Node& network, ir_tree::Node& edge);
ir_tree::Node& edge_to(ir_tree::Node& network, ir_tree::Node& layer, ir_tree::Node& port);

ir_tree::Node edge_between(const std::string& from, const std::string& from_port, const std::string& to,
                           const std::string& to_port);

/// Throws NotMade where a port has no dims: it is of a scalar, or of anything.
void require_dims(ir_tree::Node& port);

/// How many bodies of Ifs an element has in each other.
int depth_of_ifs(ir_tree::Node& element);
inline constexpr int deepest_if = 20;

}  // namespace ifcert::conformance::ir_network
