#include "conformance/reproduce/python_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <span>
#include <vector>

#include "conformance/suite/protocol_value.hpp"

namespace ifcert::conformance {
namespace {

using nlohmann::json;

constexpr std::size_t most_numbers = 64;

/// Python's repr of ASCII without a quote, a backslash or a control character is the text itself.
bool is_simple(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; });
}

std::string hex(std::string_view bytes) {
  std::string digits;
  for (const char byte : bytes) digits += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  return digits;
}

std::string python_bytes(std::string_view bytes) {
  return is_simple(bytes) ? fmt::format("b\"{}\"", bytes) : fmt::format("bytes.fromhex(\"{}\")", hex(bytes));
}

/// Numbers that Python reads as the same value; a NaN, an infinity and a complex number are none.
bool is_exact(const std::string& number) {
  return number.find_first_not_of("0123456789-+.e") == std::string::npos || number == "true" || number == "false";
}

std::string python_number(const std::string& number) {
  if (number == "true") return "True";
  if (number == "false") return "False";
  return number == "-0" ? "-0.0" : number;
}

/// "[[1, 2], [3, 4]]" for the shape [2, 2]; the elements are taken from `at` on.
std::string nested(const std::vector<std::string>& elements, std::span<const std::uint64_t> shape, std::size_t& at) {
  if (shape.empty()) return elements[at++];
  std::vector<std::string> parts;
  for (std::uint64_t i = 0; i < shape.front(); ++i) parts.push_back(nested(elements, shape.subspan(1), at));
  return fmt::format("[{}]", fmt::join(parts, ", "));
}

std::string python_array(const json& tensor) {
  const auto type = tensor.at("type").get<std::string>();
  const auto shape = tensor.at("shape").get<std::vector<std::uint64_t>>();
  if (std::ranges::find(shape, 0U) != shape.end())
    return fmt::format("np.zeros([{}], \"{}\")", fmt::join(shape, ", "), type);
  const std::vector<std::string> numbers = elements(tensor, most_numbers + 1);
  if (numbers.size() <= most_numbers && std::ranges::all_of(numbers, is_exact)) {
    std::size_t at = 0;
    std::vector<std::string> written;
    std::ranges::transform(numbers, std::back_inserter(written), python_number);
    return fmt::format("np.array({}, \"{}\")", nested(written, shape, at), type);
  }
  const std::string bytes = decode_base64(tensor.at("data").get<std::string>()).value_or("");
  return fmt::format("np.frombuffer(bytes.fromhex(\"{}\"), \"{}\").reshape([{}]).copy()", hex(bytes), type,
                     fmt::join(shape, ", "));
}

/// An array of objects. A string that is not UTF-8 is decoded as Python decodes names of files.
std::string python_strings(const json& tensor) {
  const auto shape = tensor.at("shape").get<std::vector<std::uint64_t>>();
  if (std::ranges::find(shape, 0U) != shape.end()) return fmt::format("np.zeros([{}], object)", fmt::join(shape, ", "));
  std::vector<std::string> texts;
  for (const json& text : tensor.at("strings"))
    texts.push_back(python_text(decode_base64(text.get<std::string>()).value_or("")));
  std::size_t at = 0;
  return fmt::format("np.array({}, object)", nested(texts, shape, at));
}

/// A type that numpy lacks, or strings: (type, shape, elements).
std::string python_tuple(const json& tensor) {
  const auto type = tensor.at("type").get<std::string>();
  std::string data;
  if (type == "string") {
    std::vector<std::string> texts;
    for (const json& text : tensor.at("strings"))
      texts.push_back(python_bytes(decode_base64(text.get<std::string>()).value_or("")));
    data = fmt::format("[{}]", fmt::join(texts, ", "));
  } else {
    data = fmt::format("bytes.fromhex(\"{}\")", hex(decode_base64(tensor.at("data").get<std::string>()).value_or("")));
  }
  return fmt::format("(\"{}\", {}, {})", type, tensor.at("shape").dump(), data);
}

}  // namespace

std::string python_text(std::string_view text) {
  if (is_simple(text)) return fmt::format("\"{}\"", text);
  return fmt::format("bytes.fromhex(\"{}\").decode(errors=\"surrogateescape\")", hex(text));
}

bool is_array(const json& value) {
  static constexpr std::array<std::string_view, 14> types{"bool",    "int8",    "int16",     "int32",     "int64",
                                                          "uint8",   "uint16",  "uint32",    "uint64",    "float16",
                                                          "float32", "float64", "complex64", "complex128"};
  return value.at("kind") == "tensor" &&
         std::ranges::find(types, value.at("type").get_ref<const std::string&>()) != types.end();
}

std::string python_value(const json& value) {
  if (is_array(value)) return python_array(value);
  if (value.at("kind") == "tensor") return python_tuple(value);
  if (value.at("kind") == "optional")
    return fmt::format("(\"optional\", {})", value.contains("value") ? python_value(value.at("value")) : "None");
  std::vector<std::string> items;
  for (const json& item : value.at("items")) items.push_back(python_value(item));
  return fmt::format("[{}]", fmt::join(items, ", "));
}

bool is_plain(const json& value) {
  if (value.at("kind") == "optional") return !value.contains("value") || is_plain(value.at("value"));
  if (value.at("kind") == "sequence") return std::ranges::all_of(value.at("items"), is_plain);
  return is_array(value) || value.at("type") == "string";
}

std::string plain_value(const json& value) {
  if (is_array(value)) return python_array(value);
  if (value.at("kind") == "tensor") return python_strings(value);
  if (value.at("kind") == "optional") return value.contains("value") ? plain_value(value.at("value")) : "None";
  std::vector<std::string> items;
  for (const json& item : value.at("items")) items.push_back(plain_value(item));
  return fmt::format("[{}]", fmt::join(items, ", "));
}

}  // namespace ifcert::conformance
