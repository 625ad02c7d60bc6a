// Faults of names. The graph form has slots instead of names, so a name is changed in the written bytes: names of equal
// length can replace each other there.
#include <algorithm>
#include <array>
#include <ifcert/reference.hpp>
#include <string>

#include "conformance/fuzz/generator/faults/fault.hpp"

namespace ifcert::generator::faults {
namespace {

using Files = std::vector<WrittenFile>;

// Names of equal length, which no value of a generated model has.
const std::string used = "fault_used";
const std::string made = "fault_made";
const std::string none = "fault_none";

/// Inserts a Constant named `used`, and a node that reads it.
void insert_use(Model& model, NodePosition at) {
  const Slot slot = insert_constant(model, at, 1, ElementType::float32, used);
  insert(model, {at.graph, at.node + 1}, "Identity", {slot});
}

/// The node that reads `used` reads the other name instead: the last occurrence is its input.
Files with_use_of(const Model& model, const std::string& name) {
  std::string bytes = onnx::write(model);
  bytes.replace(bytes.rfind(used), used.size(), name);
  return {{"model.onnx", std::move(bytes)}};
}

/// Everything that is named `used` gets the other name.
Files with_both_named(const Model& model, const std::string& name) {
  std::string bytes = onnx::write(model);
  for (std::size_t at = bytes.find(used); at != std::string::npos; at = bytes.find(used, at))
    bytes.replace(at, used.size(), name);
  return {{"model.onnx", std::move(bytes)}};
}

/// Any If, and the position of a new node in a branch of it.
struct Inside {
  NodePosition if_position;
  NodePosition new_site;
};

std::optional<Inside> any_site_in_branch(const Model& model, Random& random) {
  const auto position = any_position(all_ifs(model), random);
  if (!position) return std::nullopt;
  const GraphIndex branch = model.graphs[position->graph].nodes[position->node].bodies[random.below(2)].graph;
  return Inside{*position, {branch, random.below(model.graphs[branch].nodes.size() + 1)}};
}

Files undefined(Model model, Random& random) {
  insert_use(model, *any_position(all_positions(model), random));
  return with_use_of(model, none);
}

Files made_later(Model model, Random& random) {
  const NodePosition at = *any_position(all_positions(model), random);
  insert_use(model, at);
  insert_constant(model, {at.graph, model.graphs[at.graph].nodes.size()}, 1, ElementType::float32, made);
  return with_use_of(model, made);
}

Files captured_before_made(Model model, Random& random) {
  const auto inside = any_site_in_branch(model, random);
  if (!inside) return {};
  insert_use(model, inside->new_site);
  insert_constant(model, {inside->if_position.graph, inside->if_position.node + 1}, 1, ElementType::float32, made);
  return with_use_of(model, made);
}

Files leaked(Model model, Random& random) {
  const auto inside = any_site_in_branch(model, random);
  if (!inside) return {};
  insert_constant(model, inside->new_site, 1, ElementType::float32, made);
  insert_use(model, {inside->if_position.graph, inside->if_position.node + 1});
  return with_use_of(model, made);
}

Files shadowed(Model model, Random& random) {
  const auto inside = any_site_in_branch(model, random);
  if (!inside) return {};
  insert_use(model, inside->new_site);
  insert_constant(model, inside->if_position, 1, ElementType::float32, made);
  return with_both_named(model, made);
}

Files made_twice(Model model, Random& random) {
  const NodePosition at = *any_position(all_positions(model), random);
  insert_use(model, at);
  insert_constant(model, at, 1, ElementType::float32, made);
  return with_both_named(model, made);
}

constexpr std::array name_table{
    Fault{"undefined", "onnx/model/every-use-is-defined", undefined},
    Fault{"made-later", "onnx/model/no-cycles", made_later},
    Fault{"captured-before-made", "onnx/if/definition-before-use", captured_before_made},
    Fault{"leaked", "onnx/if/no-leak", leaked},
    Fault{"shadowed", "onnx/if/no-shadowing", shadowed},
    Fault{"made-twice", "onnx/model/one-definition-per-name", made_twice},
};

}  // namespace

std::span<const Fault> faults_of_names() {
  return name_table;
}

}  // namespace ifcert::generator::faults
