#include "translate/onnx_release.hpp"

namespace ifcert::translation {
namespace {

Release release_with(ElementType type) {
  switch (type) {
    using enum ElementType;
    case float8e4m3fn:
    case float8e4m3fnuz:
    case float8e5m2:
    case float8e5m2fnuz:
      return {19, 9};
    case int4:
    case uint4:
      return {21, 10};
    case float4e2m1:
      return {23, 11};
    case float8e8m0:
      return {24, 12};
    case int2:
    case uint2:
      return {25, 13};
    default:
      return {16, 8};
  }
}

}  // namespace

Release release_for(const std::vector<std::vector<Type>>& types) {
  Release newest = release_with(ElementType::undefined);
  for (const std::vector<Type>& slots : types) {
    for (const Type& type : slots) {
      const Release required = release_with(type.element);
      if (required.opset > newest.opset) newest = required;
    }
  }
  return newest;
}

}  // namespace ifcert::translation
