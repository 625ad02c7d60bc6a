// Branches that agree in everything but one thing: an implementation that takes one for the other returns what the
// other one returns.
#include <algorithm>

#include "conformance/fuzz/generator/steps.hpp"

namespace ifcert::generator {
namespace {

/// What a branch computes: the sum of each row of a constant, as floats.
struct Twin {
  std::vector<std::int64_t> numbers;
  Dims dims;
  ElementType element = ElementType::int64;
  std::int64_t keepdims = 0;
  std::string name = "twin";

  Value held() const { return tensor_value(element, dims, numbers); }

  Facts sum() const {
    Extents extents{dims[0]};
    if (keepdims == 1) extents.push_back(1);
    return tensor_of(ElementType::float32, extents, {.bound = 64});
  }
};

/// The other twin, which differs in one thing.
Twin other_twin(Maker& maker, const Twin& twin) {
  Twin other = twin;
  switch (maker.random.below(5)) {
    case 0:
      other.numbers.back() += 1;
      break;
    case 1:
      std::ranges::reverse(other.dims);
      break;
    case 2:
      other.element = ElementType::int32;
      break;
    case 3:
      other.keepdims = 1 - twin.keepdims;
      break;
    default:
      other.name = "other";
      break;
  }
  return other;
}

/// Its constant is the first value of the graph, its sum the first node that is no Constant.
void make_twin(Maker& maker, Scope& scope, const Twin& twin) {
  const ScopedValue held = constant(maker, scope, twin.held(), {.bound = 16});
  Facts sum = twin.sum();
  sum.element = twin.element;
  const ScopedValue summed =
      add(maker, scope, "ReduceSum", {held, list(maker, scope, {1})}, sum, {{"keepdims", twin.keepdims}});
  constexpr std::int64_t float32 = 1;  // TensorProto.DataType
  add_output(maker, scope, add(maker, scope, "Cast", {summed}, twin.sum(), {{"to", float32}}));
  for (SlotInfo& slot : scope.graph.slots) slot.declared = {};
  scope.graph.slots.front().name = twin.name;
}

/// The same graph as another twin's.
Graph changed_into(Graph graph, const Twin& twin) {
  graph.slots.front().name = twin.name;
  for (Constant& constant : graph.constants) {
    if (constant.slot == 0) constant.value = twin.held();
  }
  for (Node& node : graph.nodes) {
    if (node.op == "Constant" && node.outputs[0] == 0) node.attributes.find("value")->second = twin.held();
    if (node.op == "ReduceSum") node.attributes.find("keepdims")->second = twin.keepdims;
  }
  return graph;
}

}  // namespace

bool add_twins(Maker& maker, Scope& scope) {
  if (scope.depth >= deepest_body || maker.opset < 13) return false;
  const ScopedValue cond = any_cond(maker, scope);
  const AxisSize mark = maker.sizes.mark();
  Twin twin{.numbers = {1, 2, 3, 4, 5, 6}, .dims = {2, 3}};
  for (std::int64_t& number : twin.numbers) number = maker.random.between(-8, 8);
  twin.keepdims = maker.random.between(0, 1);
  const Twin other = other_twin(maker, twin);
  Scope first = inside(scope);
  make_twin(maker, first, twin);
  Scope second = inside(scope);
  second.graph = changed_into(first.graph, other);
  const Facts result = either(twin.sum(), other.sum(), mark, maker.sizes);
  std::vector<Body> bodies{finished(maker, first, "then_branch"), finished(maker, second, "else_branch")};
  add_node(maker, scope, "If", {cond}, {result}, {}, std::move(bodies));
  scope.cond = cond;
  return true;
}

}  // namespace ifcert::generator
