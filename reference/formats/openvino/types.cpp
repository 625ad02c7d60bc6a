#include "formats/openvino/types.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <memory>

namespace ifcert::openvino {
namespace {

struct Name {
  std::string_view attribute;  // of Parameter, Const, Convert
  std::string_view precision;  // of a port
  ElementType type;
};

constexpr std::array<Name, 23> names{{
    {"f16", "FP16", ElementType::float16},
    {"bf16", "BF16", ElementType::bfloat16},
    {"f32", "FP32", ElementType::float32},
    {"f64", "FP64", ElementType::float64},
    {"i4", "I4", ElementType::int4},
    {"i8", "I8", ElementType::int8},
    {"i16", "I16", ElementType::int16},
    {"i32", "I32", ElementType::int32},
    {"i64", "I64", ElementType::int64},
    {"u2", "U2", ElementType::uint2},
    {"u4", "U4", ElementType::uint4},
    {"u8", "U8", ElementType::uint8},
    {"u16", "U16", ElementType::uint16},
    {"u32", "U32", ElementType::uint32},
    {"u64", "U64", ElementType::uint64},
    {"boolean", "BOOL", ElementType::boolean},
    {"f8e4m3", "F8E4M3", ElementType::float8e4m3fn},
    {"f8e5m2", "F8E5M2", ElementType::float8e5m2},
    {"f8e8m0", "F8E8M0", ElementType::float8e8m0},
    {"f4e2m1", "F4E2M1", ElementType::float4e2m1},
    {"string", "STRING", ElementType::string},
    {"dynamic", "dynamic", ElementType::undefined},
    {"undefined", "UNSPECIFIED", ElementType::undefined},
}};

const Name* row_of(ElementType type) {
  const auto found = std::ranges::find(names, type, &Name::type);
  return found == names.end() ? nullptr : &*found;
}

std::string_view trimmed(std::string_view text) {
  const auto is_space = [](char letter) { return letter == ' ' || letter == '\t' || letter == '\n'; };
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

std::optional<std::int64_t> size_in(std::string_view text) {
  std::int64_t size = 0;
  const char* end = std::to_address(text.end());
  const auto [rest, error] = std::from_chars(std::to_address(text.begin()), end, size);
  if (error != std::errc() || rest != end || size < 0) return std::nullopt;
  return size;
}

std::optional<Dim> dim_of(std::string_view text) {
  if (text == "?" || text == "-1") return Dim{};
  if (const std::size_t dots = text.find(".."); dots != std::string_view::npos) {
    const std::string_view least = text.substr(0, dots);
    const std::string_view most = text.substr(dots + 2);
    const bool bounds = (least.empty() || size_in(least)) && (most.empty() || size_in(most));
    return bounds && !(least.empty() && most.empty()) ? std::optional(Dim{}) : std::nullopt;
  }
  const auto size = size_in(text);
  return size ? std::optional(Dim{*size, {}}) : std::nullopt;
}

}  // namespace

// Rule: openvino/if/any-type.
std::optional<ElementType> element_type_of(std::string_view name) {
  const auto found =
      std::ranges::find_if(names, [&](const Name& row) { return row.attribute == name || row.precision == name; });
  return found == names.end() ? std::nullopt : std::optional(found->type);
}

std::optional<ShapeText> shape_of(std::string_view text) {
  text = trimmed(text);
  if (text == "...") return ShapeText{};
  ShapeText written{Shape{}};
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    const auto dim = dim_of(trimmed(text.substr(0, comma)));
    if (!dim) return std::nullopt;
    written.shape->push_back(*dim);
    if (comma + 1 == text.size()) return std::nullopt;  // nothing after the last comma
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return written;
}

std::string_view attribute_name_of(ElementType type) {
  const Name* row = row_of(type);
  return row == nullptr ? "" : row->attribute;
}

std::string_view precision_of(ElementType type) {
  const Name* row = row_of(type);
  return row == nullptr ? "" : row->precision;
}

std::string shape_text(const std::optional<Shape>& shape) {
  if (!shape) return "...";
  std::string text;
  for (const Dim& dim : *shape)
    text += fmt::format("{}{}", text.empty() ? "" : ",", dim.known() ? std::to_string(dim.value) : "?");
  return text;
}

}  // namespace ifcert::openvino
