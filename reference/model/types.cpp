#include <fmt/format.h>

#include <array>
#include <ifcert/types.hpp>
#include <stdexcept>

#include "model/place.hpp"

namespace ifcert {
namespace {

struct ElementRow {
  std::string_view name;
  std::size_t bits;
};

// In the order of ElementType.
constexpr std::array<ElementRow, 27> element_rows{{
    {"undefined", 0},    {"bool", 8},           {"int2", 2},       {"int4", 4},         {"int8", 8},
    {"int16", 16},       {"int32", 32},         {"int64", 64},     {"uint2", 2},        {"uint4", 4},
    {"uint8", 8},        {"uint16", 16},        {"uint32", 32},    {"uint64", 64},      {"float16", 16},
    {"bfloat16", 16},    {"float32", 32},       {"float64", 64},   {"float8e4m3fn", 8}, {"float8e4m3fnuz", 8},
    {"float8e5m2", 8},   {"float8e5m2fnuz", 8}, {"float8e8m0", 8}, {"float4e2m1", 4},   {"complex64", 64},
    {"complex128", 128}, {"string", 0},
}};
static_assert(static_cast<std::size_t>(ElementType::string) + 1 == element_rows.size());

const ElementRow& row(ElementType type) {
  return element_rows.at(static_cast<std::size_t>(type));
}

}  // namespace

std::string_view name_of(ElementType type) {
  return row(type).name;
}

ElementType element_type_named(std::string_view name) {
  for (std::size_t i = 1; i < element_rows.size(); ++i) {
    if (element_rows[i].name == name) return static_cast<ElementType>(i);
  }
  return ElementType::undefined;
}

std::size_t bits_of(ElementType type) {
  return row(type).bits;
}

std::size_t bytes_of(ElementType type, std::uint64_t count) {
  const std::uint64_t bits = bits_of(type);
  if (bits != 0 && count > (std::numeric_limits<std::uint64_t>::max() - 7) / bits) {
    throw std::length_error(fmt::format("{} elements of {} are more than memory can hold", count, name_of(type)));
  }
  return static_cast<std::size_t>((count * bits + 7) / 8);
}

Type Type::tensor(ElementType element, std::optional<Shape> shape) {
  Type type;
  type.kind = Kind::tensor;
  type.element = element;
  type.shape = std::move(shape);
  return type;
}

Type Type::sequence_of(Type item) {
  Type type;
  type.kind = Kind::sequence;
  type.item.push_back(std::move(item));
  return type;
}

Type Type::optional_of(Type item) {
  Type type;
  type.kind = Kind::optional;
  type.item.push_back(std::move(item));
  return type;
}

Shape static_shape(const Dims& dims) {
  Shape shape;
  shape.reserve(dims.size());
  for (const std::int64_t dim : dims) shape.push_back({dim, {}});
  return shape;
}

std::uint64_t element_count(const Dims& dims) {
  std::uint64_t count = 1;
  bool zero = false;
  for (const std::int64_t dim : dims) {
    if (dim < 0) throw std::length_error(fmt::format("the dimension {} is negative", dim));
    zero = zero || dim == 0;
  }
  if (zero) return 0;
  for (const std::int64_t dim : dims) {
    if (__builtin_mul_overflow(count, static_cast<std::uint64_t>(dim), &count)) {
      throw std::length_error(
          fmt::format("a shape of {} has more elements than 64 bits can count", to_string(static_shape(dims))));
    }
  }
  return count;
}

std::string kind_text(const Type& type) {
  switch (type.kind) {
    case Type::Kind::unknown:
      return "?";
    case Type::Kind::tensor:
      return fmt::format("tensor({})", type.element == ElementType::undefined ? "?" : name_of(type.element));
    case Type::Kind::sequence:
      return fmt::format("seq({})", kind_text(type.item.front()));
    case Type::Kind::optional:
      return fmt::format("optional({})", kind_text(type.item.front()));
    case Type::Kind::map:
      return "map";
    case Type::Kind::sparse_tensor:
      return "sparse_tensor";
    case Type::Kind::opaque:
      return "opaque";
  }
  return "?";
}

std::string to_string(const Shape& shape) {
  constexpr std::size_t shown = 64;
  constexpr std::size_t longest_symbol = 200;
  std::string text = "[";
  for (const Dim& dim : shape) {
    if (text.size() > 1) text += ", ";
    if (&dim - shape.data() == shown) return text + fmt::format("… {} more]", shape.size() - shown);
    text += dim.known() ? std::to_string(dim.value) : dim.symbol.empty() ? "?" : shortened(dim.symbol, longest_symbol);
  }
  return text + "]";
}

std::string to_string(const Type& type) {
  switch (type.kind) {
    case Type::Kind::tensor:
      return fmt::format("{}{}", type.element == ElementType::undefined ? "?" : name_of(type.element),
                         type.shape ? to_string(*type.shape) : "");
    case Type::Kind::sequence:
      return fmt::format("seq({})", to_string(type.item.front()));
    case Type::Kind::optional:
      return fmt::format("optional({})", to_string(type.item.front()));
    default:
      return kind_text(type);
  }
}

}  // namespace ifcert
