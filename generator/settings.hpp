// What a generated model may contain.
#pragma once

#include <ifcert/graph.hpp>

namespace ifcert::generator {

struct Settings {
  /// The format in which the model must be expressible. It is made as an ONNX model in any case.
  Format format = Format::onnx;

  /// Also constructs about whose legality the texts of ONNX disagree: a branch that returns an outer value directly, or
  /// one value twice.
  bool doubtful = false;
};

}  // namespace ifcert::generator
