// One change that may make a model smaller, and the families of such changes. Each family is one file.
#pragma once

#include <functional>
#include <ifcert/reference.hpp>
#include <vector>

#include "conformance/fuzz/generator/generate.hpp"

namespace ifcert::generator::shrinking {

/// Changes the model and its runs; false if that is not possible.
using Edit = std::function<bool(Generated&)>;
using Edits = std::vector<Edit>;

/// The model that is to become smaller, and the types of its slots. They must outlive its edits.
struct Base {
  const Generated& generated;
  const SlotTypes& types;

  const Model& model() const { return generated.model; }
  Type type_of(GraphIndex graph, Slot slot) const;
};

// inputs_outputs.cpp
Edits fewer_runs(const Base& base);
Edits fewer_outputs(const Base& base);
Edits fewer_inputs(const Base& base);

// bodies.cpp
Edits fewer_bodies(const Base& base);
Edits fewer_results(const Base& base);

// nodes.cpp
Edits fewer_stretches(const Base& base);
Edits fewer_nodes(const Base& base);
Edits fewer_captures(const Base& base);

// values.cpp
Edits simpler_values(const Base& base);
Edits shorter_axes(const Base& base);

// metadata.cpp
Edits less_metadata(const Base& base);

// prune.cpp
/// Removes everything that is not used: graphs that nothing enters; captures, constants and slots that nothing reads.
void prune(Model& model);

}  // namespace ifcert::generator::shrinking
