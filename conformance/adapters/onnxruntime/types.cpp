#include "types.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace ifcert::onnxruntime {
namespace {

constexpr std::array<std::pair<std::string_view, ONNXTensorElementDataType>, 25> element_types{{
    {"float32", ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT},
    {"uint8", ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT8},
    {"int8", ONNX_TENSOR_ELEMENT_DATA_TYPE_INT8},
    {"uint16", ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT16},
    {"int16", ONNX_TENSOR_ELEMENT_DATA_TYPE_INT16},
    {"int32", ONNX_TENSOR_ELEMENT_DATA_TYPE_INT32},
    {"int64", ONNX_TENSOR_ELEMENT_DATA_TYPE_INT64},
    {"string", ONNX_TENSOR_ELEMENT_DATA_TYPE_STRING},
    {"bool", ONNX_TENSOR_ELEMENT_DATA_TYPE_BOOL},
    {"float16", ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT16},
    {"float64", ONNX_TENSOR_ELEMENT_DATA_TYPE_DOUBLE},
    {"uint32", ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT32},
    {"uint64", ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT64},
    {"complex64", ONNX_TENSOR_ELEMENT_DATA_TYPE_COMPLEX64},
    {"complex128", ONNX_TENSOR_ELEMENT_DATA_TYPE_COMPLEX128},
    {"bfloat16", ONNX_TENSOR_ELEMENT_DATA_TYPE_BFLOAT16},
    {"float8e4m3fn", ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT8E4M3FN},
    {"float8e4m3fnuz", ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT8E4M3FNUZ},
    {"float8e5m2", ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT8E5M2},
    {"float8e5m2fnuz", ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT8E5M2FNUZ},
    {"uint4", ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT4},
    {"int4", ONNX_TENSOR_ELEMENT_DATA_TYPE_INT4},
    {"float4e2m1", ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT4E2M1},
    {"uint2", ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT2},
    {"int2", ONNX_TENSOR_ELEMENT_DATA_TYPE_INT2},
}};

/// kind + "(" + inner + ")"; nothing where the inner type, which must be of one of the kinds, is not.
std::optional<std::string> wrapped(std::string_view kind, const std::optional<std::string>& inner,
                                   std::initializer_list<std::string_view> kinds) {
  const auto begins = [&](std::string_view wanted) { return inner && inner->starts_with(wanted); };
  if (std::ranges::none_of(kinds, begins)) return std::nullopt;
  return std::string(kind) + "(" + *inner + ")";
}

std::optional<std::string> tensor_name(const OrtTypeInfo* type) {
  const auto* const tensor = told<const OrtTensorTypeAndShapeInfo*>(api().CastTypeInfoToTensorInfo, type);
  const auto element = name_of(told<ONNXTensorElementDataType>(api().GetTensorElementType, tensor));
  return element.empty() ? std::nullopt : std::optional("tensor(" + std::string(element) + ")");
}

std::optional<std::string> sequence_name(const OrtTypeInfo* type) {
  const auto* const sequence = told<const OrtSequenceTypeInfo*>(api().CastTypeInfoToSequenceTypeInfo, type);
  const auto item = made<TypeInfo>(api().GetSequenceElementType, sequence);
  return wrapped("seq", name_of(item.get()), {"tensor("});
}

std::optional<std::string> optional_name(const OrtTypeInfo* type) {
  const auto* const optional = told<const OrtOptionalTypeInfo*>(api().CastTypeInfoToOptionalTypeInfo, type);
  const auto contained = made<TypeInfo>(api().GetOptionalContainedTypeInfo, optional);
  return wrapped("optional", name_of(contained.get()), {"tensor(", "seq("});
}

}  // namespace

std::string_view name_of(ONNXTensorElementDataType type) {
  const auto* const found = std::ranges::find(element_types, type, [](const auto& known) { return known.second; });
  return found == element_types.end() ? std::string_view() : found->first;
}

ONNXTensorElementDataType type_named(std::string_view name) {
  const auto* const found = std::ranges::find(element_types, name, [](const auto& known) { return known.first; });
  return found == element_types.end() ? ONNX_TENSOR_ELEMENT_DATA_TYPE_UNDEFINED : found->second;
}

std::optional<std::string> name_of(const OrtTypeInfo* type) {
  switch (told<ONNXType>(api().GetOnnxTypeFromTypeInfo, type)) {
    case ONNX_TYPE_TENSOR:
      return tensor_name(type);
    case ONNX_TYPE_SEQUENCE:
      return sequence_name(type);
    case ONNX_TYPE_OPTIONAL:
      return optional_name(type);
    default:
      return std::nullopt;
  }
}

std::optional<std::vector<adapter::Dim>> shape_of(const OrtTypeInfo* type) {
  if (told<ONNXType>(api().GetOnnxTypeFromTypeInfo, type) != ONNX_TYPE_TENSOR) return std::nullopt;
  const auto* const tensor = told<const OrtTensorTypeAndShapeInfo*>(api().CastTypeInfoToTensorInfo, type);
  if (!api().TensorTypeAndShape_HasShape(tensor)) return std::nullopt;
  const auto rank = told<std::size_t>(api().GetDimensionsCount, tensor);
  std::vector<std::int64_t> sizes(rank);
  std::vector<const char*> symbols(rank);
  require(api().GetDimensions(tensor, sizes.data(), rank));
  require(api().GetSymbolicDimensions(tensor, symbols.data(), rank));
  std::vector<adapter::Dim> shape(rank);
  for (std::size_t i = 0; i < rank; ++i) {
    if (sizes[i] >= 0)
      shape[i] = sizes[i];
    else if (*symbols[i] != '\0')
      shape[i] = std::string(symbols[i]);
  }
  return shape;
}

}  // namespace ifcert::onnxruntime
