#include <ifcert/rules.hpp>
#include <ifcert/translate.hpp>

#include "convert/inline_functions.hpp"
#include "convert/own_names.hpp"
#include "convert/translators.hpp"

namespace ifcert {
namespace translation {
namespace {

Model from_functionless_onnx(const Model& model, const SlotTypes& types, Format to) {
  return to == Format::tflite ? onnx_to_tflite(model, types) : onnx_to_openvino(model, types);
}

/// An operand that a call leaves out may be missing once the function is inlined.
Model from_onnx(const Model& model, const SlotTypes& types, Format to) {
  if (model.functions.empty()) return from_functionless_onnx(model, types, to);
  Model inlined = inlined_functions(model);
  try {
    const LegalModel made = legal(std::move(inlined), "");
    return from_functionless_onnx(made.model, made.types, to);
  } catch (const Inexpressible& refusal) {
    throw Inexpressible(fmt::format("functions inlined, {}", refusal.place()), refusal.reason());
  }
}

/// The rules find what the translators cannot see, such as a type that the other format's operator does not accept.
LegalModel to_or_from_onnx(const Model& model, const SlotTypes& types, Format to) {
  if (model.format == Format::tflite) return tflite_to_onnx(model, types);
  return legal(model.format == Format::openvino ? openvino_to_onnx(model, types) : from_onnx(model, types, to),
               translated);
}

}  // namespace

LegalModel legal(Model model, std::string_view how) {
  Checked result = checked(model);
  const std::vector<Diagnostic> broken = errors_in(result.findings);
  if (broken.empty()) return {std::move(model), std::move(result.types)};
  const Diagnostic& first = broken.front();
  throw Inexpressible(first.place, fmt::format("{}it breaks {}: {}", how, first.rule, first.found));
}

void refuse(const Place& place, const std::string& reason) {
  throw Inexpressible(to_string(place), reason);
}

std::vector<TranslationSite::Facts> operands_of(const Node& node, const Scope& scope) {
  std::vector<TranslationSite::Facts> operands;
  for (const Slot slot : node.inputs) operands.push_back(slot == no_slot ? TranslationSite::Facts{} : scope[slot]);
  return operands;
}

}  // namespace translation

Model translate(const Model& model, const SlotTypes& types, Format to) {
  if (model.format == to) return model;
  if (model.format == Format::onnx || to == Format::onnx)
    return translation::with_own_names(translation::to_or_from_onnx(model, types, to).model);
  const translation::LegalModel onnx = translation::to_or_from_onnx(model, types, Format::onnx);
  return translation::with_own_names(translation::to_or_from_onnx(onnx.model, onnx.types, to).model);
}

Model translate(const Model& model, Format to) {
  return model.format == to ? model : translate(model, infer_types(model), to);
}

}  // namespace ifcert
