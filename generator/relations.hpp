// Relations: changes of a model that must not change its results. They show a fault without knowing the right values.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "generator/generate.hpp"
#include "generator/random.hpp"

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

struct Relation {
  std::string_view name;

  /// The changed model; nullopt where the relation changes nothing in this one. The model must be an ONNX model.
  std::optional<Related> (*relate)(const Generated& generated, Random& random);
};

std::span<const Relation> all_relations();

/// The relation of that name; nullptr where there is none.
const Relation* find_relation(std::string_view name);

}  // namespace ifcert::generator
