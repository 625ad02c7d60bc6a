#include "conformance/suite/protocol_form.hpp"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <algorithm>
#include <ifcert/message.hpp>
#include <string>

#include "conformance/suite/protocol_value.hpp"
#include "conformance/system/error.hpp"

namespace ifcert::conformance {

using nlohmann::json;

namespace {

std::string encoded(std::span<const std::byte> bytes) {
  return encode_base64({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

json json_form(const Tensor& tensor) {
  json form{{"kind", "tensor"}, {"type", name_of(tensor.type)}, {"shape", tensor.dims}};
  if (tensor.type != ElementType::string) {
    form["data"] = encoded(tensor.data.bytes());
    return form;
  }
  form["strings"] = json::array();
  for (const std::string& text : tensor.strings) form["strings"].push_back(encoded(std::as_bytes(std::span(text))));
  return form;
}

json json_form(const Sequence& sequence) {
  json items = json::array();
  for (const Value& item : sequence.items) items.push_back(protocol_form(item));
  return {{"kind", "sequence"}, {"of", kind_text(sequence.item)}, {"items", std::move(items)}};
}

json json_form(const Optional& optional) {
  json form{{"kind", "optional"}, {"of", kind_text(optional.item)}};
  optional.value.empty() ? form["absent"] = true : form["value"] = protocol_form(optional.value);
  return form;
}

std::string decoded(const json& text) {
  std::optional<std::string> bytes = decode_base64(text.get_ref<const std::string&>());
  if (!bytes) throw Error(fmt::format("not base64: {}", printable(text.get<std::string>())));
  return std::move(*bytes);
}

}  // namespace

std::string encode_base64(std::string_view bytes) {
  std::string text((bytes.size() + 2) / 3 * 4, '\0');
  EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data()), reinterpret_cast<const unsigned char*>(bytes.data()),
                  static_cast<int>(bytes.size()));
  return text;
}

json protocol_form(const Value& value) {
  if (const Tensor* tensor = value.tensor()) return json_form(*tensor);
  if (const Sequence* sequence = value.sequence()) return json_form(*sequence);
  if (const Optional* optional = value.optional()) return json_form(*optional);
  throw Error("an empty value has no form");
}

namespace {

/// The type that the protocol calls "seq(tensor(int64))"; unknown where an answer leaves it open.
Type type_named(const json& name) {
  if (name.is_null()) return {};
  std::string_view text = name.get_ref<const std::string&>();
  const auto inside = [&](std::string_view word) {
    const bool is = text.starts_with(word);
    if (is) text = text.substr(word.size(), text.size() - word.size() - 1);
    return is;
  };
  if (inside("optional(")) return Type::optional_of(type_named(text));
  if (inside("seq(")) return Type::sequence_of(type_named(text));
  return inside("tensor(") ? Type::tensor(element_type_named(text)) : Type{};
}

Value sequence_from(const json& form) {
  Sequence sequence{type_named(form.at("of")), {}};
  for (const json& item : form.at("items")) sequence.items.push_back(value_from_protocol(item));
  if (!sequence.item.known() && !sequence.items.empty())
    sequence.item = Type::tensor(sequence.items.front().tensor()->type);
  return sequence;
}

Value optional_from(const json& form) {
  Optional optional{type_named(form.at("of")), {}};
  if (form.contains("value")) optional.value = value_from_protocol(form.at("value"));
  return optional;
}

}  // namespace

Value value_from_protocol(const json& value) {
  const auto kind = value.at("kind").get<std::string>();
  if (kind == "sequence") return sequence_from(value);
  if (kind == "optional") return optional_from(value);
  if (kind == "other")
    throw Error(fmt::format("no value of the protocol: {}", printable(value.at("is").get<std::string>())));
  const ElementType element = element_type_named(value.at("type").get<std::string>());
  const auto dims = value.at("shape").get<Dims>();
  if (element == ElementType::string) {
    std::vector<std::string> strings;
    for (const json& text : value.at("strings")) strings.push_back(decoded(text));
    if (strings.size() != element_count(dims)) throw Error("a tensor of strings contradicts itself");
    return make_strings(dims, std::move(strings));
  }
  const std::string bytes = decoded(value.at("data"));
  if (element == ElementType::undefined || bytes.size() != bytes_of(element, element_count(dims)))
    throw Error(fmt::format("a tensor contradicts itself: {}", printable(value.dump())));
  return Tensor{element, dims, Buffer::copy_of(std::as_bytes(std::span(bytes))), {}};
}

json named_values(const Graph& graph, std::span<const Slot> slots, std::span<const Value> values) {
  json all = json::array();
  for (std::size_t i = 0; i < slots.size(); ++i) {
    if (!values[i].empty()) all.push_back({{"name", graph.slots[slots[i]].name}, {"value", protocol_form(values[i])}});
  }
  return all;
}

}  // namespace ifcert::conformance
