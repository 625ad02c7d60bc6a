// Relations: changes of a model after which it must still return the same values. They need no reference to tell what
// is right.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "generator/generate.hpp"
#include "generator/random.hpp"

namespace ifcert::generator {

/// Inputs of the changed model, with which it returns the same outputs, in the same order, as the original does in its
/// run of that number.
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
