#include "conformance/commands/json_value.hpp"

#include <fmt/format.h>

#include <cctype>
#include <ifcert/elements.hpp>
#include <ifcert/small_floats.hpp>
#include <limits>
#include <optional>

#include "conformance/system/error.hpp"

namespace ifcert::conformance {
namespace {

using nlohmann::json;

/// The dims of nested lists, read along their first elements.
Dims dims_of(const json& lists) {
  Dims dims;
  for (const json* at = &lists; at->is_array(); at = &at->front()) {
    dims.push_back(static_cast<std::int64_t>(at->size()));
    if (at->empty()) break;
  }
  return dims;
}

/// The leaves in row order; every list must have the length in `dims`.
void collect(const json& lists, std::span<const std::int64_t> dims, std::vector<const json*>& leaves) {
  if (dims.empty() ? lists.is_array() : !lists.is_array() || static_cast<std::int64_t>(lists.size()) != dims.front()) {
    throw Error(fmt::format("the lists are ragged at {}", lists.dump()));
  }
  if (dims.empty()) {
    leaves.push_back(&lists);
    return;
  }
  for (const json& item : lists) collect(item, dims.subspan(1), leaves);
}

bool is_floating(ElementType type) {
  return type == ElementType::float32 || type == ElementType::float64 || is_small_float(type);
}

/// "nan", "inf" or "-inf", also as Python and JavaScript write them.
std::optional<double> named_number(std::string name) {
  const bool negative = name.starts_with('-');
  if (negative) name.erase(0, 1);
  for (char& letter : name) letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (name == "inf" || name == "infinity") return negative ? -infinity : infinity;
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  if (name == "nan") return negative ? -nan : nan;
  return std::nullopt;
}

Error no_element(const json& leaf, ElementType type) {
  return Error(fmt::format("{} is not an element of {}", leaf.dump(), name_of(type)));
}

/// Writes one element; a number that the type does not have is refused, except that floating point rounds.
void write_element(Tensor& tensor, std::span<std::byte> bytes, std::uint64_t index, const json& leaf) {
  const ElementType type = tensor.type;
  if (leaf.is_boolean() != (type == ElementType::boolean)) throw no_element(leaf, type);
  Number number;
  if (leaf.is_boolean())
    number = std::uint64_t{leaf.get<bool>()};
  else if (leaf.is_number_unsigned())
    number = leaf.get<std::uint64_t>();
  else if (leaf.is_number_integer())
    number = leaf.get<std::int64_t>();
  else if (leaf.is_number_float())
    number = leaf.get<double>();
  else if (leaf.is_string() && is_floating(type) && named_number(leaf.get<std::string>()))
    number = *named_number(leaf.get<std::string>());
  else
    throw no_element(leaf, type);
  write_number(bytes, type, index, number);
  const Number held = read_number(tensor, index);
  if (std::holds_alternative<double>(held)) return;
  const bool same = std::visit(
      [&](auto literal) {
        return std::visit(
            [&](auto kept) { return static_cast<long double>(literal) == static_cast<long double>(kept); }, held);
      },
      number);
  if (!same) throw no_element(leaf, type);
}

Value strings_from(Dims dims, const std::vector<const json*>& leaves) {
  std::vector<std::string> strings;
  for (const json* leaf : leaves) {
    if (!leaf->is_string()) throw Error(fmt::format("{} is not a string", leaf->dump()));
    strings.push_back(leaf->get<std::string>());
  }
  return make_strings(std::move(dims), std::move(strings));
}

Value tensor_from(const json& lists, ElementType type) {
  Dims dims = dims_of(lists);
  std::vector<const json*> leaves;
  collect(lists, dims, leaves);
  if (type == ElementType::string) return strings_from(std::move(dims), leaves);
  if (type == ElementType::complex64 || type == ElementType::complex128) {
    throw Error("JSON has no complex numbers; use a .npy file");
  }
  std::byte* bytes = nullptr;
  const std::size_t size = bytes_of(type, leaves.size());
  Tensor tensor{type, std::move(dims), Buffer::allocate(size, &bytes), {}};
  for (std::size_t i = 0; i < leaves.size(); ++i) write_element(tensor, {bytes, size}, i, *leaves[i]);
  return tensor;
}

json element_json(const Tensor& tensor, std::uint64_t index) {
  if (tensor.type == ElementType::string) return tensor.strings[index];
  const std::string text = element_text(tensor, index);
  json number = json_of_lists(text);
  return number.is_discarded() ? json(text) : number;
}

json tensor_json(const Tensor& tensor, std::span<const std::int64_t> dims, std::uint64_t& next) {
  if (dims.empty()) return element_json(tensor, next++);
  json list = json::array();
  for (std::int64_t i = 0; i < dims.front(); ++i) list.push_back(tensor_json(tensor, dims.subspan(1), next));
  return list;
}

}  // namespace

json json_of_lists(const std::string& text) {
  // nlohmann reads "-0" as the integer 0; "-0.0" keeps its sign.
  std::string signed_zeros;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    signed_zeros += text[i];
    if (text[i] == '"') quoted = !quoted;
    if (quoted && text[i] == '\\' && i + 1 < text.size()) signed_zeros += text[++i];
    if (quoted || !std::string_view(text).substr(0, i + 1).ends_with("-0")) continue;
    const char before = i < 2 ? ' ' : text[i - 2];
    const char after = i + 1 < text.size() ? text[i + 1] : ' ';
    const bool is_zero = std::string_view("0123456789.eE").find(after) == std::string_view::npos;
    if (is_zero && before != 'e' && before != 'E') signed_zeros += ".0";
  }
  return json::parse(signed_zeros, nullptr, false);
}

Value value_from_json(const json& source, const Type& type) {
  if (type.kind == Type::Kind::optional) {
    return Optional{type.item.front(), source.is_null() ? Value{} : value_from_json(source, type.item.front())};
  }
  if (type.kind == Type::Kind::sequence) {
    if (!source.is_array()) throw Error(fmt::format("{} is not a list of tensors", source.dump()));
    Sequence sequence{type.item.front(), {}};
    for (const json& item : source) sequence.items.push_back(value_from_json(item, type.item.front()));
    return sequence;
  }
  return tensor_from(source, type.element == ElementType::undefined ? ElementType::float32 : type.element);
}

json json_from_value(const Value& value) {
  if (const Tensor* tensor = value.tensor()) {
    std::uint64_t next = 0;
    return tensor_json(*tensor, tensor->dims, next);
  }
  if (const Sequence* sequence = value.sequence()) {
    json list = json::array();
    for (const Value& item : sequence->items) list.push_back(json_from_value(item));
    return list;
  }
  const Optional* optional = value.optional();
  return optional == nullptr ? json() : json_from_value(optional->value);
}

}  // namespace ifcert::conformance
