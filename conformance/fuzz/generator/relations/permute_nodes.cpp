#include "conformance/fuzz/generator/file_order.hpp"
#include "conformance/fuzz/generator/relations/relate.hpp"

namespace ifcert::generator::relations {

std::optional<Related> permute_nodes(const Generated& generated, Random& random) {
  Model model = generated.model;
  for (Graph& graph : model.graphs) generator::permute_nodes(graph, random);
  return with_same_inputs(generated, std::move(model));
}

}  // namespace ifcert::generator::relations
