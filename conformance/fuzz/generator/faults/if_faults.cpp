// Faults of an If: its cond, its attributes, its branches and what they return.
#include <array>
#include <ifcert/reference.hpp>

#include "conformance/fuzz/generator/faults/fault.hpp"

namespace ifcert::generator::faults {
namespace {

using Files = std::vector<WrittenFile>;

/// The file of the model, whether or not the model is legal.
Files written(const Model& model) {
  return {{"model.onnx", onnx::write(model)}};
}

/// Makes a change to a random If of the model.
template <class Change>
Files change_any_if(Model model, Random& random, const Change& change) {
  const auto position = any_position(all_ifs(model), random);
  if (!position) return {};
  change(model, *position);
  return written(model);
}

Node& node_at(Model& model, NodePosition position) {
  return model.graphs[position.graph].nodes[position.node];
}

/// The If after `inserted` nodes were inserted before it.
Node& if_behind(Model& model, NodePosition position, std::size_t inserted) {
  return model.graphs[position.graph].nodes[position.node + inserted];
}

/// The end of a branch.
NodePosition end_of(const Model& model, const Body& branch) {
  return {branch.graph, model.graphs[branch.graph].nodes.size()};
}

/// The value that a branch returns for an additional output.
struct Returned {
  std::int64_t count;
  ElementType element;
};

/// Adds an output to a random If, which nothing uses.
Files add_output(Model model, Random& random, Returned first, Returned second, const Type& declared) {
  std::vector<NodePosition> positions = all_ifs(model);
  if (declared.known()) std::erase_if(positions, [](const NodePosition& position) { return position.in_function; });
  const auto position = any_position(positions, random);
  if (!position) return {};
  const std::array returned{first, second};
  for (std::size_t i = 0; i < returned.size(); ++i) {
    const Body branch = node_at(model, *position).bodies[i];
    const Slot slot = insert_constant(model, end_of(model, branch), returned[i].count, returned[i].element);
    model.graphs[branch.graph].outputs.push_back(slot);
  }
  const Slot output = model.graphs[position->graph].add_slot("", declared);
  node_at(model, *position).outputs.push_back(output);
  return written(model);
}

Files number_as_cond(Model model, Random& random) {
  return change_any_if(std::move(model), random, [](Model& changed, NodePosition position) {
    const Slot number = insert_constant(changed, position, 1, ElementType::int64);
    if_behind(changed, position, 1).inputs[0] = number;
  });
}

Files several_conds(Model model, Random& random) {
  const std::int64_t count = random.percent(50) ? 2 : 0;
  return change_any_if(std::move(model), random, [&](Model& changed, NodePosition position) {
    const Slot bools = insert_constant(changed, position, count, ElementType::boolean);
    if_behind(changed, position, 1).inputs[0] = bools;
  });
}

Files second_input(Model model, Random& random) {
  return change_any_if(std::move(model), random, [](Model& changed, NodePosition position) {
    Node& node = node_at(changed, position);
    node.inputs.push_back(node.inputs[0]);
  });
}

Files no_input(Model model, Random& random) {
  return change_any_if(std::move(model), random,
                       [](Model& changed, NodePosition position) { node_at(changed, position).inputs.clear(); });
}

Files unknown_attribute(Model model, Random& random) {
  return change_any_if(std::move(model), random, [](Model& changed, NodePosition position) {
    node_at(changed, position).attributes.emplace("unroll", std::int64_t{1});
  });
}

Files branch_with_input(Model model, Random& random) {
  const std::size_t which = random.below(2);
  return change_any_if(std::move(model), random, [&](Model& changed, NodePosition position) {
    Graph& branch = changed.graphs[node_at(changed, position).bodies[which].graph];
    branch.inputs.push_back(branch.add_slot("formal", Type::tensor(ElementType::float32)));
  });
}

Files surplus_output(Model model, Random& random) {
  const std::size_t which = random.below(2);
  return change_any_if(std::move(model), random, [&](Model& changed, NodePosition position) {
    const Body branch = node_at(changed, position).bodies[which];
    const Slot slot = insert_constant(changed, end_of(changed, branch), 1);
    changed.graphs[branch.graph].outputs.push_back(slot);
  });
}

constexpr ElementType float32 = ElementType::float32;
constexpr ElementType int64 = ElementType::int64;

Files two_types(Model model, Random& random) {
  return add_output(std::move(model), random, {1, float32}, {1, int64}, {});
}

Files other_declared_type(Model model, Random& random) {
  return add_output(std::move(model), random, {1, float32}, {1, float32}, Type::tensor(int64));
}

Files other_declared_shape(Model model, Random& random) {
  return add_output(std::move(model), random, {2, float32}, {3, float32}, Type::tensor(float32, static_shape({2})));
}

Files type_of_a_later_opset(Model model, Random& random) {
  constexpr std::int64_t opset_with_bfloat16 = 16;
  if (model.opsets.find("")->second >= opset_with_bfloat16) return {};
  return add_output(std::move(model), random, {1, ElementType::bfloat16}, {1, ElementType::bfloat16}, {});
}

constexpr std::array if_table{
    Fault{"number-as-cond", "onnx/if/cond-is-bool", number_as_cond},
    Fault{"several-conds", "onnx/if/cond-single-element", several_conds},
    Fault{"second-input", "onnx/if/one-input", second_input},
    Fault{"no-input", "onnx/if/one-input", no_input},
    Fault{"unknown-attribute", "onnx/if/both-branches-required", unknown_attribute},
    Fault{"branch-with-input", "onnx/if/branches-take-no-inputs", branch_with_input},
    Fault{"surplus-output", "onnx/if/output-count", surplus_output},
    Fault{"two-types", "onnx/if/same-data-type", two_types},
    Fault{"other-declared-type", "onnx/if/declared-type-agrees", other_declared_type},
    Fault{"other-declared-shape", "onnx/if/declared-shape-compatible", other_declared_shape},
    Fault{"type-of-a-later-opset", "onnx/if/types-of-opset", type_of_a_later_opset},
};

}  // namespace

std::span<const Fault> faults_of_if() {
  return if_table;
}

}  // namespace ifcert::generator::faults
