// Element types, shapes and types.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ifcert {

/// Every element type that If lists in ONNX 1.23 (versions 1 to 25); OpenVINO's and TFLite's are among them.
enum class ElementType : std::uint8_t {
  undefined,
  boolean,
  int2,
  int4,
  int8,
  int16,
  int32,
  int64,
  uint2,
  uint4,
  uint8,
  uint16,
  uint32,
  uint64,
  float16,
  bfloat16,
  float32,
  float64,
  float8e4m3fn,
  float8e4m3fnuz,
  float8e5m2,
  float8e5m2fnuz,
  float8e8m0,
  float4e2m1,
  complex64,
  complex128,
  string,
};

/// "float32", "bool", …: the names of docs/protocol.md. "undefined" for no type.
std::string_view name_of(ElementType type);

/// The type of that name; `undefined` where there is none.
ElementType element_type_named(std::string_view name);

/// The number of bits of one element: 8 for bool, 4 or 2 for the packed types, 0 for string and undefined.
std::size_t bits_of(ElementType type);

/// The number of bytes of `count` elements, rounded up to whole bytes for packed types. Throws std::length_error on
/// overflow.
std::size_t bytes_of(ElementType type, std::uint64_t count);

/// One dimension of a declared shape: known, named (a symbol), or unknown.
struct Dim {
  std::int64_t value = -1;  // the size; negative where it is not known
  std::string symbol;       // the name of a symbolic size; empty where there is none

  bool known() const { return value >= 0; }
  bool operator==(const Dim&) const = default;
};

/// The dims of a tensor type; a rank-0 tensor has none. "No shape declared" is std::nullopt where a Shape is optional.
using Shape = std::vector<Dim>;

/// The dims of a value.
using Dims = std::vector<std::int64_t>;

/// A declared or inferred type. A tensor may lack its element type or its shape.
struct Type {
  enum class Kind : std::uint8_t { unknown, tensor, sequence, optional, map, sparse_tensor, opaque };

  Kind kind = Kind::unknown;
  ElementType element = ElementType::undefined;  // of a tensor
  std::optional<Shape> shape;                    // of a tensor; nullopt: even the rank is unknown
  std::vector<Type> item;                        // one for a sequence or optional, none otherwise

  static Type tensor(ElementType element, std::optional<Shape> shape = std::nullopt);
  static Type sequence_of(Type item);
  static Type optional_of(Type item);

  bool known() const { return kind != Kind::unknown; }
  bool is_tensor() const { return kind == Kind::tensor; }
  bool operator==(const Type&) const = default;
};

/// A shape with every dim known.
Shape static_shape(const Dims& dims);

/// Number of elements; 1 for a scalar. Throws std::length_error on a negative dim or overflow.
std::uint64_t element_count(const Dims& dims);

/// "tensor(float32)", "seq(tensor(int64))", "optional(…)": kind and element type without shapes. "?" where unknown.
std::string kind_text(const Type& type);

/// "float32[2, N, ?]", "seq(float32[2])", "float32" where no shape is declared.
std::string to_string(const Type& type);
std::string to_string(const Shape& shape);

}  // namespace ifcert
