// What a relation makes of a model.
#pragma once

#include <cstddef>
#include <ifcert/graph.hpp>
#include <ifcert/values.hpp>
#include <vector>

namespace ifcert::generator {

/// Inputs with which the changed model must return the same outputs, in the same order, as the original in its run
/// `number`.
struct RelatedRun {
  std::size_t number = 0;
  std::vector<Value> inputs;
};

struct Related {
  Model model;
  std::vector<RelatedRun> runs;
};

}  // namespace ifcert::generator
