#include "operators/operator.hpp"

#include "model/function_attributes.hpp"

namespace ifcert::kernels {

const AttributeValue* find_attribute(const Node& node, std::string_view name, const CallAttributes* call) {
  const auto found = node.attributes.find(name);
  if (found == node.attributes.end()) return nullptr;
  const auto* reference = std::get_if<AttributeReference>(&found->second);
  if (reference == nullptr) return &found->second;
  return call == nullptr ? nullptr : call->find(reference->name);
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
