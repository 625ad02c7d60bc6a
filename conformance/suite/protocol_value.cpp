#include "conformance/suite/protocol_value.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "conformance/suite/element.hpp"
#include "conformance/system/file.hpp"
#include "conformance/system/json_text.hpp"

namespace ifcert::conformance {

using nlohmann::json;

namespace {

constexpr std::size_t shown_elements = 16;
constexpr std::size_t shown_bytes = 300;  // of an element that is a string
constexpr std::size_t shown_dimensions = 64;

/// The number of elements of a shape; nothing when no byte count could hold them.
std::optional<std::uint64_t> element_count(const json& shape) {
  std::uint64_t count = 1;
  bool zero = false;
  for (const json& dimension : shape) {
    const auto size = dimension.get<std::uint64_t>();
    zero = zero || size == 0;
    if (size != 0 && count > (std::uint64_t{1} << 56U) / size)
      count = std::uint64_t{1} << 57U;
    else
      count *= std::max<std::uint64_t>(size, 1);
  }
  if (zero) return 0;
  return count > (std::uint64_t{1} << 56U) ? std::nullopt : std::optional(count);
}

std::string string_tensor_contradiction(const json& tensor, std::optional<std::uint64_t> count) {
  const json& strings = tensor.at("strings");
  if (count != strings.size()) {
    return fmt::format("{} strings for the shape {}", strings.size(), shape_text(tensor.at("shape")));
  }
  for (const json& text : strings) {
    if (!decode_base64(text.get_ref<const std::string&>())) return "an element that is not base64";
  }
  return {};
}

std::string tensor_contradiction(const json& tensor) {
  const auto& type = tensor.at("type").get_ref<const std::string&>();
  const auto count = element_count(tensor.at("shape"));
  if (type == "string") return string_tensor_contradiction(tensor, count);
  const auto bits = element_bits(type);
  if (!bits) return fmt::format("the element type '{}'", printable(type));
  const auto bytes = decode_base64(tensor.at("data").get_ref<const std::string&>());
  if (!bytes) return "data that is not base64";
  if (!count || bytes->size() != (*count * *bits + 7) / 8) {
    return fmt::format("{} bytes of {} for the shape {}", bytes->size(), type, shape_text(tensor.at("shape")));
  }
  const auto used = (*count * *bits) % 8;
  if (used != 0 && (static_cast<unsigned char>(bytes->back()) >> used) != 0) return "padding bits that are not zero";
  return {};
}

std::string sequence_contradiction(const json& sequence) {
  const json& items = sequence.at("items");
  if (sequence.at("of").is_null()) return items.empty() ? "" : "a sequence with items but without an item type";
  for (const json& item : items) {
    if (sequence.at("of") != type_of(item)) {
      return fmt::format("an item of {} in a sequence of {}", type_of(item), sequence.at("of").get<std::string>());
    }
    if (std::string found = contradiction(item); !found.empty()) return found;
  }
  return {};
}

std::string readable_tensor(const json& tensor) {
  const std::string head = fmt::format("{} {}", tensor.at("type").get<std::string>(), shape_text(tensor.at("shape")));
  const std::vector<std::string> shown = elements(tensor, shown_elements + 1);
  if (shown.empty()) return head + ": no elements";
  const std::size_t count = std::min(shown.size(), shown_elements);
  return fmt::format("{}: {}{}", head,
                     fmt::join(shown.begin(), shown.begin() + static_cast<std::ptrdiff_t>(count), ", "),
                     shown.size() > shown_elements ? ", …" : "");
}

int sextet(char character) {
  if (character >= 'A' && character <= 'Z') return character - 'A';
  if (character >= 'a' && character <= 'z') return character - 'a' + 26;
  if (character >= '0' && character <= '9') return character - '0' + 52;
  if (character == '+') return 62;
  return character == '/' ? 63 : -1;
}

}  // namespace

std::optional<std::string> decode_base64(std::string_view text) {
  if (text.size() % 4 != 0) return std::nullopt;
  std::size_t padding = 0;
  while (padding < 2 && padding < text.size() && text[text.size() - 1 - padding] == '=') ++padding;
  text.remove_suffix(padding);
  std::string bytes;
  bytes.reserve(text.size() * 3 / 4);
  std::uint32_t held = 0;
  unsigned bits = 0;
  for (const char character : text) {
    const int value = sextet(character);
    if (value < 0) return std::nullopt;
    held = (held << 6U) | static_cast<std::uint32_t>(value);
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes += static_cast<char>((held >> bits) & 0xffU);
  }
  const bool stray_bits = (held & ((1U << bits) - 1U)) != 0;
  return stray_bits ? std::nullopt : std::optional(std::move(bytes));
}

std::string contradiction(const json& value) {
  const auto& kind = value.at("kind").get_ref<const std::string&>();
  if (kind == "tensor") return tensor_contradiction(value);
  if (kind == "sequence") return sequence_contradiction(value);
  if (kind != "optional" || !value.contains("value")) return {};
  const json& inner = value.at("value");
  if (!value.at("of").is_null() && value.at("of") != type_of(inner) && type_of(inner).find('?') == std::string::npos) {
    return fmt::format("{} in an optional of {}", type_of(inner), value.at("of").get<std::string>());
  }
  return contradiction(inner);
}

std::vector<std::string> elements(const json& tensor, std::size_t limit) {
  std::vector<std::string> texts;
  const auto& type = tensor.at("type").get_ref<const std::string&>();
  if (type == "string") {
    for (const json& text : tensor.at("strings")) {
      if (texts.size() == limit) break;
      const std::string bytes = decode_base64(text.get_ref<const std::string&>()).value_or("not base64");
      texts.push_back(json(cut_word(bytes, shown_bytes)).dump(-1, ' ', false, json::error_handler_t::replace));
    }
    return texts;
  }
  const std::string bytes = decode_base64(tensor.at("data").get_ref<const std::string&>()).value_or("");
  const std::uint64_t count = element_count(tensor.at("shape")).value_or(0);
  const std::uint64_t bits = element_bits(type).value_or(8);
  for (std::uint64_t i = 0; i < count && i < limit && (i + 1) * bits <= bytes.size() * 8; ++i) {
    texts.push_back(element_text(type, bytes, i));
  }
  return texts;
}

std::string type_of(const json& value) {
  const auto& kind = value.at("kind").get_ref<const std::string&>();
  if (kind == "tensor") return fmt::format("tensor({})", value.at("type").get_ref<const std::string&>());
  if (kind == "other") return printable(value.at("is").get_ref<const std::string&>());
  const std::string of = value.at("of").is_null() ? "?" : value.at("of").get<std::string>();
  return kind == "sequence" ? fmt::format("seq({})", of) : fmt::format("optional({})", of);
}

std::string shape_text(const json& shape) {
  if (shape.size() <= shown_dimensions) return shape.dump();
  const json first(shape.begin(), shape.begin() + shown_dimensions);
  const std::string text = first.dump();
  return fmt::format("{}, … ({} dimensions)]", text.substr(0, text.size() - 1), shape.size());
}

std::string readable(const json& value) {
  const auto& kind = value.at("kind").get_ref<const std::string&>();
  if (kind == "tensor") return readable_tensor(value);
  if (kind == "optional") {
    return fmt::format("{}: {}", type_of(value), value.contains("value") ? readable(value.at("value")) : "absent");
  }
  if (kind != "sequence") return type_of(value);
  std::vector<std::string> items;
  for (const json& item : value.at("items")) items.push_back(fmt::format("({})", readable(item)));
  return fmt::format("{}: {}", type_of(value), items.empty() ? "no items" : fmt::format("{}", fmt::join(items, ", ")));
}

}  // namespace ifcert::conformance
