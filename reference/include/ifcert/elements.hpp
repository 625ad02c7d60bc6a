// Single elements of tensors: packed codes, numbers and text.
#pragma once

#include <cstdint>
#include <ifcert/small_floats.hpp>
#include <ifcert/values.hpp>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace ifcert {

/// One element as a number, exactly: signed integers, unsigned integers and bool, floating point.
using Number = std::variant<std::int64_t, std::uint64_t, double>;

/// 2- and 4-bit types, of which several share a byte.
bool is_packed(ElementType type);

/// The code of element `index` among packed elements of `bits` bits each (2 or 4).
/// Throws std::out_of_range where there is no such element.
std::uint8_t packed_code(std::span<const std::byte> bytes, std::size_t bits, std::uint64_t index);

/// Sets element `index` to the low `bits` bits of `code`. Throws std::out_of_range.
void set_packed_code(std::span<std::byte> bytes, std::size_t bits, std::uint64_t index, std::uint8_t code);

/// The codes of a packed tensor, one per byte, not sign-extended. Throws std::invalid_argument for another type.
std::vector<std::uint8_t> unpack(const Tensor& tensor);

/// Packs codes, one per byte, into a tensor; unused bits of the last byte are zero. Throws std::invalid_argument for
/// another type, or where the number of codes does not match `dims`.
Tensor pack(ElementType type, Dims dims, std::span<const std::uint8_t> codes);

/// Element `index` as a number. Throws std::invalid_argument for complex and string, std::out_of_range.
Number read_number(const Tensor& tensor, std::uint64_t index);

/// Writes a number as element `index` of `bytes`, as ONNX's Cast converts: integers to integers keep the low bits,
/// everything to bool is "not zero", floating point rounds to nearest even.
/// Where Cast leaves the result undefined: floating point out of the range of an integer becomes the nearest end of the
/// range, NaN becomes 0; to a 2- or 4-bit integer it is rounded to nearest even and the low bits are kept. Throws
/// std::invalid_argument for complex and string, std::out_of_range.
void write_number(std::span<std::byte> bytes, ElementType type, std::uint64_t index, const Number& number,
                  const Rounding& rounding = {});

/// Element `index` as text: the shortest decimal that reads back as the same element; "true" and "false"; complex as
/// "(re, im)"; strings in quotes, bytes outside printable ASCII as "\x0a". Throws std::out_of_range.
std::string element_text(const Tensor& tensor, std::uint64_t index);

}  // namespace ifcert
