// The element types that the operators of a format accept, as their pages list them. Translated models use no others.
#pragma once

#include <array>
#include <cstdint>
#include <ifcert/graph.hpp>
#include <initializer_list>
#include <string_view>

namespace ifcert::translation {

/// A set of element types.
class ElementTypes {
 public:
  constexpr ElementTypes() = default;
  constexpr ElementTypes(std::initializer_list<ElementType> types) {
    for (const ElementType type : types) bits_ |= bit_of(type);
  }

  constexpr bool empty() const { return bits_ == 0; }
  constexpr bool contains(ElementType type) const { return (bits_ & bit_of(type)) != 0; }
  constexpr ElementTypes operator|(ElementTypes other) const {
    other.bits_ |= bits_;
    return other;
  }

 private:
  static constexpr std::uint32_t bit_of(ElementType type) { return 1U << static_cast<unsigned>(type); }

  std::uint32_t bits_ = 0;
};

/// The element types of an operator's operands and result.
struct DefinedTypes {
  std::string_view operation;
  std::array<ElementTypes, 2> operands;  // of the first operand and of all others; empty: as the first
  ElementTypes result = {};              // empty: as an operand, or as an attribute specifies
};

/// Whether the released LiteRT has no kernel for a type that the operator's page lists.
bool litert_lacks(std::string_view operation, ElementType type);

/// The row of an operator; nullptr where there is none. ONNX has rows only for operators that do not have all types.
const DefinedTypes* defined_types(Format format, std::string_view operation);

}  // namespace ifcert::translation
