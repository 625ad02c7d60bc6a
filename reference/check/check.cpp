#include <ifcert/rules.hpp>
#include <utility>

#include "check/inference/inference.hpp"
#include "check/inference/tflite_types.hpp"
#include "check/model_rules.hpp"
#include "if/if_rules.hpp"
#include "model/findings.hpp"

namespace ifcert {

Checked checked(const Model& model) {
  Findings findings;
  if (model.format == Format::tflite) {
    SlotTypes types = inference::tflite_types(model);
    rules::check_tflite(model, types, findings);
    return {findings.take(), std::move(types), {}};
  }
  std::vector<Diagnostic> recursion = rules::find_recursion(model);
  if (!recursion.empty()) return {std::move(recursion), {}, {}};  // nothing can be inferred of functions without end
  const auto check_if = model.format == Format::openvino ? rules::check_openvino_if : rules::check_onnx_if;
  inference::Inferred inferred =
      inference::infer(model, findings, [&](const inference::InferredIfSite& site) { check_if(site, findings); });
  if (model.format == Format::onnx) rules::check_declared_dims(model, inferred.types, findings);
  return {findings.take(), std::move(inferred.types), std::move(inferred.trip_types)};
}

Checked checked(const Reading& reading) {
  Checked result = checked(reading.model);
  result.findings.insert(result.findings.begin(), reading.broken.begin(), reading.broken.end());
  return result;
}

std::vector<Diagnostic> check(const Model& model) {
  return checked(model).findings;
}

std::vector<Diagnostic> check(const Reading& reading) {
  return checked(reading).findings;
}

SlotTypes infer_types(const Model& model) {
  if (model.format == Format::tflite) return inference::tflite_types(model);
  Findings findings;
  return inference::infer(model, findings).types;
}

}  // namespace ifcert
