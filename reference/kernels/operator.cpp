#include "operator.hpp"

namespace ifcert::kernels {

const AttributeValue* find_attribute(const Node& node, std::string_view name, const Attributes* given) {
  const auto found = node.attributes.find(name);
  if (found == node.attributes.end()) return nullptr;
  const auto* reference = std::get_if<AttributeReference>(&found->second);
  if (reference == nullptr) return &found->second;
  if (given == nullptr) return nullptr;
  const auto passed = given->find(reference->name);
  const bool absent = passed == given->end() || std::holds_alternative<AttributeReference>(passed->second);
  return absent ? nullptr : &passed->second;
}

const Operator* find_operator(Format format, std::string_view name, int version) {
  switch (format) {
    case Format::onnx:
      return find_onnx_operator(name, version);
    case Format::openvino:
      return find_openvino_operator(name, version);
    case Format::tflite:
      return find_tflite_operator(name);
  }
  return nullptr;
}

}  // namespace ifcert::kernels
