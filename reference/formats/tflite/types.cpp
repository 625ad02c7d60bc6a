#include "formats/tflite/types.hpp"

#include <algorithm>
#include <array>

namespace ifcert::tflite {
namespace {

struct Row {
  schema::TensorType theirs;
  ElementType ours;
};

constexpr std::array rows{
    Row{schema::TensorType_FLOAT32, ElementType::float32},
    Row{schema::TensorType_FLOAT16, ElementType::float16},
    Row{schema::TensorType_INT32, ElementType::int32},
    Row{schema::TensorType_UINT8, ElementType::uint8},
    Row{schema::TensorType_INT64, ElementType::int64},
    Row{schema::TensorType_STRING, ElementType::string},
    Row{schema::TensorType_BOOL, ElementType::boolean},
    Row{schema::TensorType_INT16, ElementType::int16},
    Row{schema::TensorType_COMPLEX64, ElementType::complex64},
    Row{schema::TensorType_INT8, ElementType::int8},
    Row{schema::TensorType_FLOAT64, ElementType::float64},
    Row{schema::TensorType_COMPLEX128, ElementType::complex128},
    Row{schema::TensorType_UINT64, ElementType::uint64},
    Row{schema::TensorType_RESOURCE, ElementType::undefined},
    Row{schema::TensorType_VARIANT, ElementType::undefined},
    Row{schema::TensorType_UINT32, ElementType::uint32},
    Row{schema::TensorType_UINT16, ElementType::uint16},
    Row{schema::TensorType_INT4, ElementType::int4},
    Row{schema::TensorType_BFLOAT16, ElementType::bfloat16},
};

}  // namespace

std::optional<ElementType> element_type_of(schema::TensorType type) {
  const auto* found = std::ranges::find(rows, type, &Row::theirs);
  return found == rows.end() ? std::nullopt : std::optional(found->ours);
}

std::optional<schema::TensorType> tensor_type_of(ElementType type) {
  const auto* found = std::ranges::find(rows, type, &Row::ours);
  return found == rows.end() || type == ElementType::undefined ? std::nullopt : std::optional(found->theirs);
}

}  // namespace ifcert::tflite
