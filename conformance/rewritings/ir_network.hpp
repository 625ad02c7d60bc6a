// Parts of a network or body of an IR.
#pragma once

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

/// An id that no layer of the network has.
std::string unused_id(ir_tree::Node& network);

/// The layer with that id. Throws NotMade where there is none.
ir_tree::Node& layer_with(ir_tree::Node& network, const std::string& id);

}  // namespace ifcert::conformance::ir_network
