// Relations: changes of a model that must not change its results. They show a fault without knowing the right values.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "conformance/fuzz/generator/generate.hpp"
#include "conformance/fuzz/generator/random.hpp"
#include "conformance/fuzz/generator/relations/related.hpp"

namespace ifcert::generator {

struct Relation {
  std::string_view name;

  /// The changed model; nullopt where the relation changes nothing in this one. The model must be an ONNX model.
  std::optional<Related> (*relate)(const Generated& generated, Random& random);
};

std::span<const Relation> all_relations();

/// The relation of that name; nullptr where there is none.
const Relation* find_relation(std::string_view name);

}  // namespace ifcert::generator
