// The numeric types of ONNX's arithmetic as C++ types, and a visit by element type.
#pragma once

#include <cstdint>
#include <ifcert/small_floats.hpp>
#include <ifcert/types.hpp>
#include <type_traits>

namespace ifcert::kernels {

/// A float16 or bfloat16 element. Computations convert it to double and round the result once.
template <ElementType type>
struct Half {
  std::uint16_t bits;

  double value() const { return decode_small_float(type, bits); }
  static Half of(double value) { return {static_cast<std::uint16_t>(encode_small_float(type, value))}; }
};

using Float16 = Half<ElementType::float16>;
using BFloat16 = Half<ElementType::bfloat16>;

template <class T>
inline constexpr bool is_half = std::is_same_v<T, Float16> || std::is_same_v<T, BFloat16>;

/// An element as a C++ number: double for a half, else itself.
template <class T>
auto number_of(T element) {
  if constexpr (is_half<T>) {
    return element.value();
  } else {
    return element;
  }
}

/// A computed number as an element.
template <class T, class Number>
T element_of(Number number) {
  if constexpr (is_half<T>) {
    return T::of(number);
  } else {
    return static_cast<T>(number);
  }
}

/// Calls `visitor.template operator()<T>()` with the C++ type of a numeric element type (8 to 64 bits); false for
/// others.
template <class Visitor>
bool visit_numeric(ElementType type, Visitor&& visitor) {
  switch (type) {
    case ElementType::int8:
      return visitor.template operator()<std::int8_t>(), true;
    case ElementType::int16:
      return visitor.template operator()<std::int16_t>(), true;
    case ElementType::int32:
      return visitor.template operator()<std::int32_t>(), true;
    case ElementType::int64:
      return visitor.template operator()<std::int64_t>(), true;
    case ElementType::uint8:
      return visitor.template operator()<std::uint8_t>(), true;
    case ElementType::uint16:
      return visitor.template operator()<std::uint16_t>(), true;
    case ElementType::uint32:
      return visitor.template operator()<std::uint32_t>(), true;
    case ElementType::uint64:
      return visitor.template operator()<std::uint64_t>(), true;
    case ElementType::float16:
      return visitor.template operator()<Float16>(), true;
    case ElementType::bfloat16:
      return visitor.template operator()<BFloat16>(), true;
    case ElementType::float32:
      return visitor.template operator()<float>(), true;
    case ElementType::float64:
      return visitor.template operator()<double>(), true;
    default:
      return false;
  }
}

/// True for the types that visit_numeric visits.
inline bool is_numeric(ElementType type) {
  return visit_numeric(type, []<class T>() {});
}

/// visit_numeric for the types for which `Wanted<T>` is true.
template <template <class> class Wanted, class Visitor>
bool visit_numeric_if(ElementType type, Visitor&& visitor) {
  bool visited = false;
  visit_numeric(type, [&]<class T>() {
    if constexpr (Wanted<T>::value) {
      visited = true;
      visitor.template operator()<T>();
    }
  });
  return visited;
}

template <class T>
struct IsFloating
    : std::bool_constant<std::is_floating_point_v<T> || std::is_same_v<T, Float16> || std::is_same_v<T, BFloat16>> {};

/// The same for the floating-point types among them: float16, bfloat16, float32 and float64.
template <class Visitor>
bool visit_floating(ElementType type, Visitor&& visitor) {
  return visit_numeric_if<IsFloating>(type, visitor);
}

/// True for the types that visit_floating visits.
inline bool is_floating(ElementType type) {
  return visit_floating(type, []<class T>() {});
}

/// uint8, uint16, uint32, uint64.
inline bool is_unsigned(ElementType type) {
  return type == ElementType::uint8 || type == ElementType::uint16 || type == ElementType::uint32 ||
         type == ElementType::uint64;
}

}  // namespace ifcert::kernels
