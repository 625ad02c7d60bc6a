#include "specialise/specialise.hpp"

namespace ifcert {

Decisions ObservedBranches::decisions() const {
  Decisions decisions;
  for (const auto& [node, taken] : taken_) {
    if (taken.size() == 1) decisions.emplace(node, *taken.begin());
  }
  return decisions;
}

std::string specialised(const Model& model, std::span<const std::byte> bytes, const Decisions& decisions) {
  switch (model.format) {
    case Format::onnx:
      return onnx::specialised(model, bytes, decisions);
    case Format::openvino:
      return openvino::specialised(model, bytes, decisions);
    default:
      return tflite::specialised(model, bytes, decisions);
  }
}

}  // namespace ifcert
