// Whether the reference finds a rewritten model legal and computes the same for it.
#pragma once

#include <ifcert/reference.hpp>
#include <string>
#include <vector>

#include "conformance/certify/reference_runs.hpp"
#include "conformance/suite/model_folder.hpp"
#include "conformance/suite/suite.hpp"

namespace ifcert::conformance {

/// A vector's own model with its runs.
class OriginalModel {
 public:
  /// Throws NoSibling where the model breaks a rule, or the reference cannot evaluate it.
  explicit OriginalModel(const Vector& vector);

  /// Inputs and outputs must have the same names in the same order. Why these files are not the same model: "it breaks
  /// onnx/if/…: …", "it computes something else"; empty if they are.
  std::string objection(const ModelFiles& rewritten);

 private:
  std::vector<ModelRun> runs_;
  std::vector<std::string> inputs_, outputs_;  // their names, in the order of the runs
  ModelFolder folder_;
};

}  // namespace ifcert::conformance
