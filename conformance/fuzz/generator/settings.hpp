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

  /// Whether to use older and rarer forms too, which few runtimes read but every translator must: operator set 11 with
  /// axes as attributes, optional operands and attributes, arguments that a call leaves out, difficult names.
  bool rare_forms = false;
};

}  // namespace ifcert::generator
