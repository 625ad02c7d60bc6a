#include "if/if_versions.hpp"

#include <array>

namespace ifcert::rules {
namespace {

/// The first version of If that lists tensors of the type.
int tensor_since(ElementType type) {
  using enum ElementType;
  switch (type) {
    case undefined:
      return 1'000'000;  // no version lists it
    case bfloat16:
      return 16;
    case float8e4m3fn:
    case float8e4m3fnuz:
    case float8e5m2:
    case float8e5m2fnuz:
      return 19;
    case int4:
    case uint4:
      return 21;
    case float4e2m1:
      return 23;
    case float8e8m0:
      return 24;
    case int2:
    case uint2:
      return 25;
    default:
      return 1;
  }
}

}  // namespace

// Rule: onnx/if/version-of-opset.
int if_version(int opset) {
  constexpr std::array versions{25, 24, 23, 21, 19, 16, 13, 11};
  for (const int version : versions) {
    if (opset >= version) return version;
  }
  return 1;
}

// Rule: onnx/if/types-of-opset.
bool if_lists(int version, const Type& type) {
  if (type.is_tensor()) return tensor_since(type.element) <= version;
  if (type.kind != Type::Kind::sequence && type.kind != Type::Kind::optional) return false;
  const Type& item = type.item.front();
  if (type.kind == Type::Kind::sequence)
    return version >= 13 && item.is_tensor() && tensor_since(item.element) <= version;
  if (version < 16) return false;
  if (item.is_tensor()) return tensor_since(item.element) <= version;
  // optional(seq(tensor)): types of later versions than 16 were never added to this list.
  return item.kind == Type::Kind::sequence && item.item.front().is_tensor() &&
         tensor_since(item.item.front().element) <= 16;
}

bool fully_known(const Type& type) {
  switch (type.kind) {
    case Type::Kind::unknown:
      return false;
    case Type::Kind::tensor:
      return type.element != ElementType::undefined;
    case Type::Kind::sequence:
    case Type::Kind::optional:
      return fully_known(type.item.front());
    default:
      return true;
  }
}

}  // namespace ifcert::rules
