#include "conformance/fuzz/generator/relations.hpp"

#include <algorithm>
#include <array>

#include "conformance/fuzz/generator/relations/relate.hpp"

namespace ifcert::generator {
namespace {

constexpr std::array relations_in_order{
    Relation{"negate-conds", relations::negate_conds},
    Relation{"fix-conds", relations::fix_conds},
    Relation{"feed-conds", relations::feed_conds},
    Relation{"wrap-in-if", relations::wrap_in_if},
    Relation{"copy-captures", relations::copy_captures},
    Relation{"inline-calls", relations::inline_calls},
    Relation{"rename-everything", relations::rename_everything},
    Relation{"permute-nodes", relations::permute_nodes},
    Relation{"through-openvino", relations::through_openvino},
    Relation{"through-tflite", relations::through_tflite},
    Relation{"reverse-runs", relations::reverse_runs},
    Relation{"run-once", relations::run_once},
};

}  // namespace

std::span<const Relation> all_relations() {
  return relations_in_order;
}

const Relation* find_relation(std::string_view name) {
  const auto found = std::ranges::find(relations_in_order, name, &Relation::name);
  return found == relations_in_order.end() ? nullptr : &*found;
}

namespace relations {

Related with_same_inputs(const Generated& generated, Model model) {
  Related related{std::move(model), {}};
  for (std::size_t i = 0; i < generated.runs.size(); ++i) related.runs.push_back({i, generated.runs[i]});
  return related;
}

void remove_input(Related& related, std::size_t position) {
  const auto at = static_cast<std::ptrdiff_t>(position);
  Graph& main = related.model.graphs.front();
  main.inputs.erase(main.inputs.begin() + at);
  for (RelatedRun& run : related.runs) run.inputs.erase(run.inputs.begin() + at);
}

}  // namespace relations
}  // namespace ifcert::generator
