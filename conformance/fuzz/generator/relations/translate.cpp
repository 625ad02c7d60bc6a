#include <fmt/format.h>

#include <ifcert/reference.hpp>

#include "conformance/fuzz/generator/relations/relate.hpp"
#include "convert/inline_functions.hpp"

namespace ifcert::generator::relations {
namespace {

/// Names the values of bodies apart from all others, and leaves nodes without names. A copy of a function's body may
/// have the names of a later value or of another copy's node, and runtimes may hold that such names collide
/// (docs/doubts.md).
Model with_distinct_names(Model model) {
  for (GraphIndex index = 0; index < model.graphs.size(); ++index) {
    Graph& graph = model.graphs[index];
    for (Node& node : graph.nodes) node.name.clear();
    for (Slot slot = 0; index > 0 && slot < graph.slots.size(); ++slot)
      graph.slots[slot].name = fmt::format("body{}_{}", index, slot);
  }
  return model;
}

std::optional<Related> through(const Generated& generated, Format format) {
  try {
    return with_same_inputs(generated,
                            with_distinct_names(translate(translate(generated.model, format), Format::onnx)));
  } catch (const Inexpressible&) {
    return std::nullopt;
  }
}

}  // namespace

std::optional<Related> inline_calls(const Generated& generated, Random& /*random*/) {
  if (generated.model.functions.empty()) return std::nullopt;
  return with_same_inputs(generated, with_distinct_names(translation::inlined_functions(generated.model)));
}

std::optional<Related> through_openvino(const Generated& generated, Random& /*random*/) {
  return through(generated, Format::openvino);
}

std::optional<Related> through_tflite(const Generated& generated, Random& /*random*/) {
  return through(generated, Format::tflite);
}

}  // namespace ifcert::generator::relations
