#include <algorithm>
#include <ifcert/rules.hpp>
#include <iterator>

#include "findings.hpp"
#include "inference/inference.hpp"
#include "inference/tflite_types.hpp"
#include "rules/declared_dims.hpp"
#include "rules/if_rules.hpp"
#include "rules/recursion.hpp"
#include "rules/tflite_rules.hpp"

namespace ifcert {
std::vector<Diagnostic> check(const Model& model) {
  if (model.format == Format::tflite) {
    Findings of_tflite;
    rules::check_tflite(model, of_tflite);
    return of_tflite.take();
  }
  std::vector<Diagnostic> recursion = rules::find_recursion(model);
  if (!recursion.empty()) return recursion;  // nothing can be inferred of functions without end
  Findings findings;
  const auto check_if = model.format == Format::openvino ? rules::check_openvino_if : rules::check_if;
  const auto types =
      inference::infer(model, findings, [&](const inference::IfSite& site) { check_if(site, findings); });
  if (model.format == Format::onnx) rules::check_declared_dims(model, types, findings);
  return findings.take();
}

std::vector<std::vector<Type>> infer_types(const Model& model) {
  if (model.format == Format::tflite) return inference::tflite_types(model);
  Findings findings;
  return inference::infer(model, findings);
}

std::vector<Diagnostic> check(const Reading& reading) {
  std::vector<Diagnostic> broken = reading.broken;
  std::ranges::move(check(reading.model), std::back_inserter(broken));
  return broken;
}

}  // namespace ifcert
