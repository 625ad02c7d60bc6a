// The settings of the generator.
#pragma once

#include <ifcert/graph.hpp>

namespace ifcert::generator {

struct Settings {
  /// The format in which the model must be expressible. It is made as an ONNX model in any case.
  Format format = Format::onnx;

  /// Whether to generate constructs that ONNX's texts disagree about: a branch that returns an outer value directly, or
  /// one value twice.
  bool doubtful = false;
};

}  // namespace ifcert::generator
