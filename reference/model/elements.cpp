#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <cstring>
#include <ifcert/elements.hpp>
#include <limits>
#include <stdexcept>
#include <type_traits>

namespace ifcert {
namespace {

[[noreturn]] void no_number(ElementType type) {
  throw std::invalid_argument(fmt::format("an element of type {} is not a number", name_of(type)));
}

void check_index(std::size_t size, std::uint64_t index, std::size_t per_byte = 1) {
  if (index / per_byte >= size) throw std::out_of_range(fmt::format("there is no element {}", index));
}

template <class T>
T load(std::span<const std::byte> bytes, std::uint64_t index) {
  check_index(bytes.size() / sizeof(T), index);
  T value{};
  std::memcpy(&value, bytes.data() + index * sizeof(T), sizeof(T));
  return value;
}

template <class T>
void store(std::span<std::byte> bytes, std::uint64_t index, T value) {
  check_index(bytes.size() / sizeof(T), index);
  std::memcpy(bytes.data() + index * sizeof(T), &value, sizeof(T));
}

// The low `bits` bits of `code` as a two's complement number.
std::int64_t sign_extended(std::uint8_t code, std::size_t bits) {
  const std::int64_t sign = std::int64_t{1} << (bits - 1);
  return (static_cast<std::int64_t>(code) ^ sign) - sign;
}

std::uint32_t small_float_code(std::span<const std::byte> bytes, ElementType type, std::uint64_t index) {
  switch (bits_of(type)) {
    case 4:
      return packed_code(bytes, 4, index);
    case 8:
      return load<std::uint8_t>(bytes, index);
    default:
      return load<std::uint16_t>(bytes, index);
  }
}

// The number as T: integers keep their low bits, floating point is truncated and clamped to the range of an integer.
template <class T>
T converted(const Number& number) {
  return std::visit(
      [](auto value) -> T {
        if constexpr (std::is_integral_v<T> && std::is_same_v<decltype(value), double>) {
          if (std::isnan(value)) return 0;
          // The upper bound is a power of two, so that the comparison is exact where the largest T is not a double.
          if (value >= std::ldexp(1.0, std::numeric_limits<T>::digits)) return std::numeric_limits<T>::max();
          if (value <= static_cast<double>(std::numeric_limits<T>::min())) return std::numeric_limits<T>::min();
        }
        return static_cast<T>(value);
      },
      number);
}

std::uint8_t packed_integer(const Number& number) {
  const double* real = std::get_if<double>(&number);
  const auto low = converted<std::int64_t>(real != nullptr ? Number(std::nearbyint(*real)) : number);
  return static_cast<std::uint8_t>(low & 0xff);
}

double for_rounding(const Number& number) {
  if (const auto* real = std::get_if<double>(&number)) return *real;
  if (const auto* natural = std::get_if<std::uint64_t>(&number)) return double_for_rounding(*natural);
  const std::int64_t integer = std::get<std::int64_t>(number);
  const auto bits = static_cast<std::uint64_t>(integer);
  return integer < 0 ? -double_for_rounding(0 - bits) : double_for_rounding(bits);
}

bool is_zero(const Number& number) {
  return std::visit([](auto value) { return value == 0; }, number);
}

template <class T>
std::string shortest(T value) {
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  return {text.data(), end};
}

// The shortest decimal that rounds to the same code.
std::string small_float_text(ElementType type, std::uint32_t code) {
  const double value = decode_small_float(type, code);
  if (!std::isfinite(value)) return shortest(value);
  for (int digits = 1; digits <= std::numeric_limits<double>::max_digits10; ++digits) {
    std::array<char, 40> text{};
    const auto end =
        std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::general, digits).ptr;
    double read = 0;
    std::from_chars(text.data(), end, read);
    if (encode_small_float(type, read, {.e8m0 = Rounding::E8m0::nearest}) == code) return shortest(read);
  }
  return shortest(value);
}

std::string quoted(const std::string& string) {
  std::string text = "\"";
  for (const char c : string) {
    if (c == '"' || c == '\\') text += '\\';
    if (c >= ' ' && c <= '~') {
      text += c;
    } else {
      text += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    }
  }
  return text + "\"";
}

template <class T>
std::string complex_text(std::span<const std::byte> bytes, std::uint64_t index) {
  check_index(bytes.size() / (2 * sizeof(T)), index);
  return fmt::format("({}, {})", shortest(load<T>(bytes, 2 * index)), shortest(load<T>(bytes, 2 * index + 1)));
}

}  // namespace

bool is_packed(ElementType type) {
  const std::size_t bits = bits_of(type);
  return bits == 2 || bits == 4;
}

std::uint8_t packed_code(std::span<const std::byte> bytes, std::size_t bits, std::uint64_t index) {
  const std::size_t per_byte = 8 / bits;
  check_index(bytes.size(), index, per_byte);
  const auto byte = std::to_integer<unsigned>(bytes[index / per_byte]);
  return static_cast<std::uint8_t>((byte >> (index % per_byte * bits)) & ((1U << bits) - 1));
}

void set_packed_code(std::span<std::byte> bytes, std::size_t bits, std::uint64_t index, std::uint8_t code) {
  const std::size_t per_byte = 8 / bits;
  check_index(bytes.size(), index, per_byte);
  const std::size_t shift = index % per_byte * bits;
  const unsigned mask = ((1U << bits) - 1) << shift;
  std::byte& byte = bytes[index / per_byte];
  byte = static_cast<std::byte>((std::to_integer<unsigned>(byte) & ~mask) | ((unsigned{code} << shift) & mask));
}

std::vector<std::uint8_t> unpack(const Tensor& tensor) {
  if (!is_packed(tensor.type)) throw std::invalid_argument(fmt::format("{} is not packed", name_of(tensor.type)));
  std::vector<std::uint8_t> codes(tensor.count());
  for (std::uint64_t i = 0; i < codes.size(); ++i) {
    codes[i] = packed_code(tensor.data.bytes(), bits_of(tensor.type), i);
  }
  return codes;
}

Tensor pack(ElementType type, Dims dims, std::span<const std::uint8_t> codes) {
  if (!is_packed(type)) throw std::invalid_argument(fmt::format("{} is not packed", name_of(type)));
  if (codes.size() != element_count(dims)) {
    throw std::invalid_argument(fmt::format("{} codes for {} elements", codes.size(), element_count(dims)));
  }
  std::byte* writable = nullptr;
  Buffer buffer = Buffer::allocate(bytes_of(type, codes.size()), &writable);
  const std::span<std::byte> bytes(writable, buffer.bytes().size());
  for (std::uint64_t i = 0; i < codes.size(); ++i) set_packed_code(bytes, bits_of(type), i, codes[i]);
  return {type, std::move(dims), std::move(buffer), {}};
}

Number read_number(const Tensor& tensor, std::uint64_t index) {
  const std::span<const std::byte> bytes = tensor.data.bytes();
  switch (tensor.type) {
    case ElementType::boolean:
      return std::uint64_t{load<std::uint8_t>(bytes, index) != 0};
    case ElementType::int2:
      return sign_extended(packed_code(bytes, 2, index), 2);
    case ElementType::int4:
      return sign_extended(packed_code(bytes, 4, index), 4);
    case ElementType::int8:
      return std::int64_t{load<std::int8_t>(bytes, index)};
    case ElementType::int16:
      return std::int64_t{load<std::int16_t>(bytes, index)};
    case ElementType::int32:
      return std::int64_t{load<std::int32_t>(bytes, index)};
    case ElementType::int64:
      return load<std::int64_t>(bytes, index);
    case ElementType::uint2:
      return std::uint64_t{packed_code(bytes, 2, index)};
    case ElementType::uint4:
      return std::uint64_t{packed_code(bytes, 4, index)};
    case ElementType::uint8:
      return std::uint64_t{load<std::uint8_t>(bytes, index)};
    case ElementType::uint16:
      return std::uint64_t{load<std::uint16_t>(bytes, index)};
    case ElementType::uint32:
      return std::uint64_t{load<std::uint32_t>(bytes, index)};
    case ElementType::uint64:
      return load<std::uint64_t>(bytes, index);
    case ElementType::float32:
      return double{load<float>(bytes, index)};
    case ElementType::float64:
      return load<double>(bytes, index);
    default:
      if (!is_small_float(tensor.type)) no_number(tensor.type);
      return decode_small_float(tensor.type, small_float_code(bytes, tensor.type, index));
  }
}

void write_number(std::span<std::byte> bytes, ElementType type, std::uint64_t index, const Number& number,
                  const Rounding& rounding) {
  switch (type) {
    case ElementType::boolean:
      return store(bytes, index, static_cast<std::uint8_t>(is_zero(number) ? 0 : 1));
    case ElementType::int2:
    case ElementType::uint2:
      return set_packed_code(bytes, 2, index, packed_integer(number));
    case ElementType::int4:
    case ElementType::uint4:
      return set_packed_code(bytes, 4, index, packed_integer(number));
    case ElementType::int8:
      return store(bytes, index, converted<std::int8_t>(number));
    case ElementType::int16:
      return store(bytes, index, converted<std::int16_t>(number));
    case ElementType::int32:
      return store(bytes, index, converted<std::int32_t>(number));
    case ElementType::int64:
      return store(bytes, index, converted<std::int64_t>(number));
    case ElementType::uint8:
      return store(bytes, index, converted<std::uint8_t>(number));
    case ElementType::uint16:
      return store(bytes, index, converted<std::uint16_t>(number));
    case ElementType::uint32:
      return store(bytes, index, converted<std::uint32_t>(number));
    case ElementType::uint64:
      return store(bytes, index, converted<std::uint64_t>(number));
    case ElementType::float32:
      return store(bytes, index, converted<float>(number));
    case ElementType::float64:
      return store(bytes, index, converted<double>(number));
    default:
      break;
  }
  if (!is_small_float(type)) no_number(type);
  const std::uint32_t code = encode_small_float(type, for_rounding(number), rounding);
  switch (bits_of(type)) {
    case 4:
      return set_packed_code(bytes, 4, index, static_cast<std::uint8_t>(code));
    case 8:
      return store(bytes, index, static_cast<std::uint8_t>(code));
    default:
      return store(bytes, index, static_cast<std::uint16_t>(code));
  }
}

std::string element_text(const Tensor& tensor, std::uint64_t index) {
  const std::span<const std::byte> bytes = tensor.data.bytes();
  switch (tensor.type) {
    case ElementType::undefined:
      return "?";
    case ElementType::boolean:
      return load<std::uint8_t>(bytes, index) != 0 ? "true" : "false";
    case ElementType::string:
      return quoted(tensor.strings.at(index));
    case ElementType::complex64:
      return complex_text<float>(bytes, index);
    case ElementType::complex128:
      return complex_text<double>(bytes, index);
    case ElementType::float32:
      return shortest(load<float>(bytes, index));
    default:
      break;
  }
  if (is_small_float(tensor.type)) return small_float_text(tensor.type, small_float_code(bytes, tensor.type, index));
  return std::visit([](auto value) { return shortest(value); }, read_number(tensor, index));
}

}  // namespace ifcert
