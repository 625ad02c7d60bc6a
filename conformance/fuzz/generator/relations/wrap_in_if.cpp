#include <algorithm>
#include <map>
#include <utility>

#include "conformance/fuzz/generator/relations/relate.hpp"

namespace ifcert::generator::relations {
namespace {

/// A copy of the graph, of the bodies that its nodes enter, and so on. Functions are not copied.
GraphIndex copy_of(Model& model, GraphIndex index) {
  Graph copy = model.graphs[index];
  for (Node& node : copy.nodes) {
    for (std::size_t i = node.call ? 1 : 0; i < node.bodies.size(); ++i) {
      if (node.bodies[i].reference.empty()) node.bodies[i].graph = copy_of(model, node.bodies[i].graph);
    }
  }
  model.graphs.push_back(std::move(copy));
  return static_cast<GraphIndex>(model.graphs.size() - 1);
}

Value truth() {
  const std::uint8_t yes = 1;
  return make_tensor<std::uint8_t>(ElementType::boolean, {}, {&yes, 1});
}

}  // namespace

/// A branch has the slots of the old main graph, and captures its inputs.
std::optional<Related> wrap_in_if(const Generated& generated, Random& /*random*/) {
  Model model = generated.model;
  Graph old = model.main();
  Graph main;
  main.name = old.name;
  Body branch{"then_branch", 0, {}, {}};
  for (const Slot slot : std::exchange(old.inputs, {})) {
    main.inputs.push_back(main.add_slot(old.slots[slot].name, old.slots[slot].declared));
    branch.captures.push_back({main.inputs.back(), slot});
    const auto initial = std::ranges::find(old.constants, slot, &Constant::slot);
    if (initial == old.constants.end()) continue;
    main.constants.push_back({main.inputs.back(), initial->value});
    old.constants.erase(initial);
  }
  Node choose;
  choose.op = "If";
  choose.version = static_cast<int>(model.opsets.find("")->second);
  choose.inputs = {main.add_slot("cond")};
  main.constants.push_back({choose.inputs[0], truth()});
  for (const Slot slot : old.outputs)
    choose.outputs.push_back(main.add_slot(old.slots[slot].name, old.slots[slot].declared));
  main.outputs = choose.outputs;
  old.name = branch.role;
  branch.graph = static_cast<GraphIndex>(model.graphs.size());
  model.graphs.push_back(std::move(old));
  Body other = branch;
  other.role = "else_branch";
  other.graph = copy_of(model, branch.graph);
  choose.bodies = {std::move(branch), std::move(other)};
  main.nodes.push_back(std::move(choose));
  model.graphs.front() = std::move(main);
  return with_same_inputs(generated, std::move(model));
}

}  // namespace ifcert::generator::relations
