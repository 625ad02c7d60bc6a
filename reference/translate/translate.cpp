#include <ifcert/rules.hpp>
#include <ifcert/translate.hpp>

#include "translate/inline_functions.hpp"
#include "translate/translators.hpp"

namespace ifcert {
namespace {

Model to_onnx(const Model& model) {
  return model.format == Format::tflite ? translation::tflite_to_onnx(model) : translation::openvino_to_onnx(model);
}

/// Refuses a model that breaks a rule.
void expect_legal(const Model& model, std::string_view what) {
  const std::vector<Diagnostic> broken = errors_in(check(model));
  if (broken.empty()) return;
  const Diagnostic& first = broken.front();
  throw Inexpressible(first.place, fmt::format("{}it breaks {}: {}", what, first.rule, first.found));
}

/// An operand that a call leaves out may be missing once the function is inlined.
Model from_onnx(const Model& model, Format to) {
  if (model.functions.empty())
    return to == Format::tflite ? translation::onnx_to_tflite(model) : translation::onnx_to_openvino(model);
  const Model inlined = translation::inlined_functions(model);
  try {
    expect_legal(inlined, "");
    return from_onnx(inlined, to);
  } catch (const Inexpressible& refusal) {
    throw Inexpressible(fmt::format("functions inlined, {}", refusal.place()), refusal.reason());
  }
}

}  // namespace

/// A legal model becomes a legal one. The rules find what the translators cannot see, such as a type that the other
/// format's operator does not accept.
Model translate(const Model& model, Format to) {
  if (model.format == to) return model;
  if (model.format != Format::onnx && to != Format::onnx) return translate(translate(model, Format::onnx), to);
  Model made = to == Format::onnx ? to_onnx(model) : from_onnx(model, to);
  expect_legal(made, "translated, ");
  return made;
}

namespace translation {

void refuse(const Place& place, const std::string& reason) {
  throw Inexpressible(to_string(place), reason);
}

std::vector<Site::Known> operands_of(const Node& node, const Scope& scope) {
  std::vector<Site::Known> operands;
  for (const Slot slot : node.inputs) operands.push_back(slot == no_slot ? Site::Known{} : scope[slot]);
  return operands;
}

}  // namespace translation
}  // namespace ifcert
