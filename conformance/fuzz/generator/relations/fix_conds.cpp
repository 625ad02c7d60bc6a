#include <algorithm>

#include "conformance/fuzz/generator/relations/relate.hpp"

namespace ifcert::generator::relations {
namespace {

bool is_single_bool(const Value& value) {
  const Tensor* tensor = value.tensor();
  return tensor != nullptr && tensor->type == ElementType::boolean && tensor->count() == 1;
}

}  // namespace

std::optional<Related> fix_conds(const Generated& generated, Random& random) {
  const std::size_t number = random.below(generated.runs.size());
  const std::vector<Value>& run = generated.runs[number];
  Related related{generated.model, {{number, run}}};
  Graph& main = related.model.graphs.front();
  bool changes = false;
  for (std::size_t i = run.size(); i-- > 0;) {
    const Slot slot = main.inputs[i];
    if (!is_single_bool(run[i])) continue;
    std::erase_if(main.constants, [&](const Constant& constant) { return constant.slot == slot; });
    main.constants.push_back({slot, run[i]});
    remove_input(related, i);
    changes = true;
  }
  return changes ? std::optional(std::move(related)) : std::nullopt;
}

std::optional<Related> feed_conds(const Generated& generated, Random& /*random*/) {
  Related related = with_same_inputs(generated, generated.model);
  Graph& main = related.model.graphs.front();
  const auto feed = [&](Slot slot, const Value& value) {
    if (!is_single_bool(value) || std::ranges::count(main.inputs, slot) > 0) return false;
    main.inputs.push_back(slot);
    main.slots[slot].declared = type_of(value);
    for (RelatedRun& run : related.runs) run.inputs.push_back(value);
    return true;
  };
  std::size_t changed =
      std::erase_if(main.constants, [&](const Constant& constant) { return feed(constant.slot, constant.value); });
  changed += std::erase_if(main.nodes, [&](const Node& node) {
    const auto value = node.attributes.find("value");
    return node.op == "Constant" && value != node.attributes.end() &&
           feed(node.outputs[0], std::get<Value>(value->second));
  });
  return changed > 0 ? std::optional(std::move(related)) : std::nullopt;
}

}  // namespace ifcert::generator::relations
