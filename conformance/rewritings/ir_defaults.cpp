#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/rewritings/ir_rewritings.hpp"
#include "conformance/rewritings/ir_tree.hpp"

namespace ifcert::conformance::ir_rewritings {
namespace {

using namespace ir_tree;

struct Default {
  std::string_view operation, attribute, value;
};

constexpr auto defaults = std::to_array<Default>({
    {"Add", "auto_broadcast", "numpy"},
    {"Divide", "auto_broadcast", "numpy"},
    {"Equal", "auto_broadcast", "numpy"},
    {"Greater", "auto_broadcast", "numpy"},
    {"Less", "auto_broadcast", "numpy"},
    {"LogicalAnd", "auto_broadcast", "numpy"},
    {"LogicalOr", "auto_broadcast", "numpy"},
    {"LogicalXor", "auto_broadcast", "numpy"},
    {"MatMul", "transpose_a", "false"},
    {"MatMul", "transpose_b", "false"},
    {"Multiply", "auto_broadcast", "numpy"},
    {"Power", "auto_broadcast", "numpy"},
    {"ReduceMax", "keep_dims", "false"},
    {"ReduceProd", "keep_dims", "false"},
    {"ReduceSum", "keep_dims", "false"},
    {"Select", "auto_broadcast", "numpy"},
    {"Subtract", "auto_broadcast", "numpy"},
});

/// Calls `visit` with each layer, once for each of its defaults.
template <typename Visit>
void for_each_default(Node& document, Visit visit) {
  for_each(document, "layer", [&](Node& layer) {
    for (const Default& each : defaults) {
      if (has_value(layer, "type", each.operation)) visit(layer, each);
    }
  });
}

/// The only <data> of a layer, which comes first in it where there was none.
Node& data_of(Node& layer) {
  const std::vector<Node*> found = children_of(layer, "data");
  if (found.size() > 1) throw NotMade("a layer has more than one <data>");
  if (!found.empty()) return *found.front();
  return *layer.children.insert(layer.children.begin(), Node{.name = "data"});
}

}  // namespace

void write_defaults(ModelFiles& files) {
  change_tree(files, [](Node& document) {
    for_each_default(document, [](Node& layer, const Default& each) {
      Node& data = data_of(layer);
      if (attribute_of(data, each.attribute) == nullptr) data.attributes.emplace_back(each.attribute, each.value);
    });
  });
}

void omit_defaults(ModelFiles& files) {
  change_tree(files, [](Node& document) {
    for_each_default(document, [](Node& layer, const Default& each) {
      for (Node* data : children_of(layer, "data")) {
        if (has_value(*data, each.attribute, each.value))
          std::erase_if(data->attributes, [&](const auto& own) { return own.first == each.attribute; });
      }
    });
  });
}

void add_meta_data(ModelFiles& files) {
  change_tree(files, [](Node& document) {
    for (Node* network : children_of(document, "net")) {
      if (!children_of(*network, "meta_data").empty()) throw NotMade("it has a <meta_data>");
      const Node version{.name = "MO_version", .attributes = {{"value", "2022.3"}}};
      const Node parameters{.name = "cli_parameters",
                            .children = {Node{.name = "data_type", .attributes = {{"value", "float"}}}}};
      network->children.push_back(Node{.name = "meta_data", .children = {version, parameters}});
    }
  });
}

}  // namespace ifcert::conformance::ir_rewritings
