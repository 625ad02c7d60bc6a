#include <algorithm>

#include "conformance/fuzz/generator/relations/relate.hpp"

namespace ifcert::generator::relations {

std::optional<Related> reverse_runs(const Generated& generated, Random& /*random*/) {
  if (generated.runs.size() < 2) return std::nullopt;
  Related related = with_same_inputs(generated, generated.model);
  std::ranges::reverse(related.runs);
  return related;
}

std::optional<Related> run_once(const Generated& generated, Random& random) {
  const std::size_t number = random.below(generated.runs.size());
  return Related{generated.model, {{number, generated.runs[number]}}};
}

}  // namespace ifcert::generator::relations
