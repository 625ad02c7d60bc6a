#include <fmt/format.h>

#include <map>
#include <string>

#include "conformance/fuzz/generator/relations/relate.hpp"

namespace ifcert::generator::relations {
namespace {

/// Assigns new names: equal old names get equal new ones.
class Renaming {
 public:
  explicit Renaming(Random& random) : random_(random) {}

  std::string fresh() { return fmt::format("r{}_{}", ++made_, random_.below(1000)); }

  std::string of(const std::string& old) {
    const auto [entry, is_new] = names_.try_emplace(old);
    if (is_new) entry->second = fresh();
    return entry->second;
  }

 private:
  Random& random_;
  std::size_t made_ = 0;
  std::map<std::string, std::string> names_;
};

void rename(Type& type, Renaming& symbols) {
  if (type.shape) {
    for (Dim& dim : *type.shape) {
      if (!dim.symbol.empty()) dim.symbol = symbols.of(dim.symbol);
    }
  }
  for (Type& item : type.item) rename(item, symbols);
}

}  // namespace

std::optional<Related> rename_everything(const Generated& generated, Random& random) {
  Model model = generated.model;
  Renaming names(random), functions(random), domains(random), symbols(random);
  for (Graph& graph : model.graphs) {
    graph.name = names.fresh();
    for (SlotInfo& slot : graph.slots) {
      slot.name = names.fresh();
      rename(slot.declared, symbols);
    }
    for (Node& node : graph.nodes) {
      node.name = names.fresh();
      if (!node.call) continue;
      node.op = functions.of(node.op);
      node.domain = domains.of(node.domain);
    }
  }
  for (Function& function : model.functions) {
    function.name = functions.of(function.name);
    function.domain = domains.of(function.domain);
    model.graphs[function.graph].name = function.name;
  }
  std::map<std::string, std::int64_t, std::less<>> opsets;
  for (const auto& [domain, version] : model.opsets)
    opsets.emplace(domain.empty() ? domain : domains.of(domain), version);
  model.opsets = std::move(opsets);
  return with_same_inputs(generated, std::move(model));
}

}  // namespace ifcert::generator::relations
