// What all runs feed alike, as constants of the main network.
#include <fmt/ranges.h>

#include <filesystem>
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

constexpr std::size_t alignment = 64;  // of constants in the .bin

/// The edges from a layer, without those to Results.
std::vector<Node*> edges_from(Node& network, Node& layer) {
  std::vector<Node*> edges;
  for (Node* edge : children_of(child_of(network, "edges"), "edge")) {
    if (value_of(*edge, "from-layer") == value_of(layer, "id") &&
        !has_value(layer_with(network, value_of(*edge, "to-layer")), "type", "Result"))
      edges.push_back(edge);
  }
  return edges;
}

/// "2,3"
std::string shape_text(const std::vector<std::int64_t>& dims) {
  return fmt::format("{}", fmt::join(dims, ","));
}

/// Whether a Parameter declares the whole type of what is fed: a Constant that shows more may make types known that
/// must agree then.
bool declares(Node& parameter, const FedTensor& fed) {
  Node& data = child_of(parameter, "data");
  return has_value(data, "shape", shape_text(fed.dims)) && !has_value(data, "element_type", "dynamic");
}

/// A Constant that the .bin has at this offset, of the type that a Parameter declares.
Node constant_of(const FedTensor& fed, Node& parameter, const std::string& id, std::size_t offset) {
  Node& port = child_of(child_of(parameter, "output"), "port");
  Node made = port;
  std::erase_if(made.attributes, [](const auto& attribute) { return attribute.first == "names"; });
  *attribute_of(made, "id") = "0";
  const Node data = element("data", {{"element_type", value_of(child_of(parameter, "data"), "element_type")},
                                     {"shape", shape_text(fed.dims)},
                                     {"offset", std::to_string(offset)},
                                     {"size", std::to_string(fed.bytes.size())}});
  return element("layer", {{"id", id}, {"name", "always_" + id}, {"type", "Const"}, {"version", "opset1"}},
                 {data, element("output", {}, {std::move(made)})});
}

/// Other layers than Results read a constant in the place of the Parameter of that name, if there is one.
void read_instead(Node& network, const FedTensor& fed, std::string& weights) {
  for (Node* layer : children_of(child_of(network, "layers"), "layer")) {
    if (!has_value(*layer, "type", "Parameter") || !has_value(*layer, "name", fed.input)) continue;
    const std::vector<Node*> edges = edges_from(network, *layer);
    if (edges.empty() || !declares(*layer, fed)) return;
    const std::string id = unused_id(network);
    weights.resize((weights.size() + alignment - 1) / alignment * alignment);
    Node constant = constant_of(fed, *layer, id, weights.size());
    weights += fed.bytes;
    for (Node* edge : edges) {
      *attribute_of(*edge, "from-layer") = id;
      *attribute_of(*edge, "from-port") = "0";
    }
    child_of(network, "layers").children.push_back(std::move(constant));
    return;
  }
}

}  // namespace

void fix_inputs(ModelFiles& files) {
  if (files.fed.empty()) throw NotMade("its runs feed no input alike");
  const std::filesystem::path file = std::filesystem::path(files.model).replace_extension(".bin");
  const std::string before = files.bytes.contains(file) ? files.bytes.at(file) : "";
  std::string weights = before;
  change_tree(files, [&](Node& document) {
    for (const FedTensor& fed : files.fed) read_instead(child_of(document, "net"), fed, weights);
  });
  if (weights != before) files.bytes[file] = std::move(weights);
}

}  // namespace ifcert::conformance::ir_rewritings
