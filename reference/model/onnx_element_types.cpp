#include "model/onnx_element_types.hpp"

#include <algorithm>
#include <array>

namespace ifcert::onnx {
namespace {

struct DataType {
  std::string_view name;
  ElementType type;
};

// In the order of their numbers.
constexpr std::array<DataType, 27> data_types{{
    {"UNDEFINED", ElementType::undefined},
    {"FLOAT", ElementType::float32},
    {"UINT8", ElementType::uint8},
    {"INT8", ElementType::int8},
    {"UINT16", ElementType::uint16},
    {"INT16", ElementType::int16},
    {"INT32", ElementType::int32},
    {"INT64", ElementType::int64},
    {"STRING", ElementType::string},
    {"BOOL", ElementType::boolean},
    {"FLOAT16", ElementType::float16},
    {"DOUBLE", ElementType::float64},
    {"UINT32", ElementType::uint32},
    {"UINT64", ElementType::uint64},
    {"COMPLEX64", ElementType::complex64},
    {"COMPLEX128", ElementType::complex128},
    {"BFLOAT16", ElementType::bfloat16},
    {"FLOAT8E4M3FN", ElementType::float8e4m3fn},
    {"FLOAT8E4M3FNUZ", ElementType::float8e4m3fnuz},
    {"FLOAT8E5M2", ElementType::float8e5m2},
    {"FLOAT8E5M2FNUZ", ElementType::float8e5m2fnuz},
    {"UINT4", ElementType::uint4},
    {"INT4", ElementType::int4},
    {"FLOAT4E2M1", ElementType::float4e2m1},
    {"FLOAT8E8M0", ElementType::float8e8m0},
    {"UINT2", ElementType::uint2},
    {"INT2", ElementType::int2},
}};

}  // namespace

ElementType element_type_of(std::int64_t number) {
  if (number < 0 || number >= static_cast<std::int64_t>(data_types.size())) return ElementType::undefined;
  return data_types[static_cast<std::size_t>(number)].type;
}

ElementType element_type_of(std::string_view name) {
  for (const DataType& row : data_types) {
    if (row.name == name) return row.type;
  }
  return ElementType::undefined;
}

std::int32_t data_type_of(ElementType type) {
  const auto row = std::ranges::find(data_types, type, &DataType::type);
  return static_cast<std::int32_t>(row - data_types.begin());
}

}  // namespace ifcert::onnx
