#include "conformance/fuzz/generator/steps.hpp"

#include <array>

namespace ifcert::generator {
namespace {

struct Weighted {
  Step step;
  unsigned weight;
};

// The rare one is the last.
constexpr std::array steps{
    Weighted{add_pairwise, 12},     Weighted{add_comparison, 4},
    Weighted{add_logic, 4},         Weighted{add_single, 4},
    Weighted{add_cast, 4},          Weighted{add_where, 4},
    Weighted{add_sum, 4},           Weighted{add_identity, 3},
    Weighted{add_concat, 4},        Weighted{add_transpose, 3},
    Weighted{add_reshape, 3},       Weighted{add_unsqueeze, 3},
    Weighted{add_slice, 4},         Weighted{add_gather, 4},
    Weighted{add_shape, 3},         Weighted{add_fill, 3},
    Weighted{add_constant, 4},      Weighted{add_sequence, 7},
    Weighted{add_item, 4},          Weighted{add_insertion, 3},
    Weighted{add_length, 2},        Weighted{add_optional, 4},
    Weighted{add_presence, 4},      Weighted{add_if, 16},
    Weighted{add_loop, 6},          Weighted{add_scan, 5},
    Weighted{add_call, 9},          Weighted{add_sequence_map, 16},
    Weighted{add_passing_call, 12}, Weighted{add_partial_call, 6},
    Weighted{add_twins, 5},         Weighted{add_edge_comparison, 3},
    Weighted{add_failing_node, 6},  Weighted{add_split, 4},
};

constexpr unsigned total = [] {
  unsigned sum = 0;
  for (const Weighted& each : steps) sum += each.weight;
  return sum;
}();

Step any_step(Maker& maker) {
  const unsigned end = maker.settings.rare_forms ? total : total - steps.back().weight;
  auto at = static_cast<unsigned>(maker.random.below(end));
  for (const Weighted& each : steps) {
    if (at < each.weight) return each.step;
    at -= each.weight;
  }
  return steps.back().step;
}

}  // namespace

void add_steps(Maker& maker, Scope& scope, std::size_t count) {
  constexpr std::size_t attempts_for_a_step = 4;
  for (std::size_t i = 0; i < count && maker.nodes_left > 0; ++i) {
    for (std::size_t attempt = 0; attempt < attempts_for_a_step; ++attempt) {
      if (any_step(maker)(maker, scope)) break;
    }
  }
}

}  // namespace ifcert::generator
