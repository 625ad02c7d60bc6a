#include <ifcert/reference.hpp>

#include "generator/relations/relate.hpp"
#include "translate/inline_functions.hpp"

namespace ifcert::generator::relations {
namespace {

std::optional<Related> through(const Generated& generated, Format format) {
  try {
    return with_same_inputs(generated, translate(translate(generated.model, format), Format::onnx));
  } catch (const Inexpressible&) {
    return std::nullopt;
  }
}

}  // namespace

std::optional<Related> inline_calls(const Generated& generated, Random& /*random*/) {
  if (generated.model.functions.empty()) return std::nullopt;
  return with_same_inputs(generated, translation::inlined_functions(generated.model));
}

std::optional<Related> through_openvino(const Generated& generated, Random& /*random*/) {
  return through(generated, Format::openvino);
}

std::optional<Related> through_tflite(const Generated& generated, Random& /*random*/) {
  return through(generated, Format::tflite);
}

}  // namespace ifcert::generator::relations
