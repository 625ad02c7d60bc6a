#include "conformance/system/canonical_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <vector>

#include "conformance/system/error.hpp"

namespace ifcert::conformance {
namespace {

using nlohmann::json;

constexpr std::int64_t largest_integer = std::int64_t{1} << 53;

/// In UTF-16 the characters of four bytes begin with D800 to DBFF, so they come before those from E000 on, whose first
/// byte is EE or EF.
int utf16_order(char byte) {
  const int value = static_cast<unsigned char>(byte);
  if (value >= 0xF0) return value - 0xF0 + 0xEE;
  return value >= 0xEE ? value + 0x10 : value;
}

bool comes_before(std::string_view a, std::string_view b) {
  return std::ranges::lexicographical_compare(a, b, {}, utf16_order, utf16_order);
}

/// The shortest digits that are read back as the same number, without the point, and the power of ten of the first.
struct Digits {
  std::string text;
  int exponent = 0;
};

Digits digits_of(double number) {
  std::string scientific(32, '\0');
  const auto written =
      std::to_chars(scientific.data(), scientific.data() + scientific.size(), number, std::chars_format::scientific);
  scientific.resize(static_cast<std::size_t>(written.ptr - scientific.data()));
  const std::size_t at = scientific.find('e');
  Digits digits{scientific.substr(0, at), std::stoi(scientific.substr(at + 1))};
  std::erase(digits.text, '.');
  return digits;
}

/// ECMAScript's Number::toString.
std::string number_text(double number) {
  if (!std::isfinite(number)) throw Error("canonical JSON has no number that is not finite");
  if (number == 0) return "0";
  if (number < 0) return "-" + number_text(-number);
  const auto [text, exponent] = digits_of(number);
  const int count = static_cast<int>(text.size());
  if (exponent >= 0 && exponent < 21) {
    if (count <= exponent + 1) return text + std::string(static_cast<std::size_t>(exponent + 1 - count), '0');
    return std::string(text).insert(static_cast<std::size_t>(exponent) + 1, ".");
  }
  if (exponent < 0 && exponent >= -6) return "0." + std::string(static_cast<std::size_t>(-exponent - 1), '0') + text;
  const std::string fraction = count > 1 ? "." + text.substr(1) : "";
  return fmt::format("{}{}e{}{}", text[0], fraction, exponent < 0 ? '-' : '+', std::abs(exponent));
}

std::string integer_text(const json& number) {
  const bool fits = number.is_number_unsigned() ? number.get<std::uint64_t>() <= std::uint64_t{largest_integer}
                                                : std::abs(number.get<std::int64_t>()) <= largest_integer;
  if (!fits) throw Error(fmt::format("canonical JSON has no integer as large as {}", number.dump()));
  return number.dump();
}

std::string object_text(const json& object) {
  std::vector<std::string> names;
  for (const auto& [name, value] : object.items()) names.push_back(name);
  std::ranges::sort(names, comes_before);
  std::string text;
  for (const std::string& name : names) {
    text += fmt::format("{}{}:{}", text.empty() ? "" : ",", canonical_json(name), canonical_json(object.at(name)));
  }
  return "{" + text + "}";
}

}  // namespace

std::string canonical_json(const json& value) {
  if (value.is_object()) return object_text(value);
  if (value.is_array()) {
    std::string text;
    for (const json& item : value) text += (text.empty() ? "" : ",") + canonical_json(item);
    return "[" + text + "]";
  }
  if (value.is_number_float()) return number_text(value.get<double>());
  if (value.is_number()) return integer_text(value);
  try {
    return value.dump();
  } catch (const json::type_error&) {
    throw Error("canonical JSON has no text that is not UTF-8");
  }
}

}  // namespace ifcert::conformance
