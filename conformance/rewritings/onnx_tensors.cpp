#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "conformance/rewritings/onnx_rewritings.hpp"

namespace ifcert::conformance::onnx_rewritings {
namespace {

using namespace onnx_tree;
using Tensor = fields::TensorProto;

/// How the numbers of an element type are stored: each value of the typed field is `size` bytes of raw_data.
struct Payload {
  std::int64_t data_type;
  Number field;
  Wire wire;         // of one number in the typed field
  std::size_t size;  // in bytes
  bool is_signed = false;
};

// 4-bit and 2-bit elements: a value of int32_data is a byte of several elements, as in raw_data.
constexpr auto payloads = std::to_array<Payload>({
    {1, Tensor::float_data, Wire::fixed32, 4},       // float
    {2, Tensor::int32_data, Wire::varint, 1},        // uint8
    {3, Tensor::int32_data, Wire::varint, 1, true},  // int8
    {4, Tensor::int32_data, Wire::varint, 2},        // uint16
    {5, Tensor::int32_data, Wire::varint, 2, true},  // int16
    {6, Tensor::int32_data, Wire::varint, 4, true},  // int32
    {7, Tensor::int64_data, Wire::varint, 8},        // int64
    {9, Tensor::int32_data, Wire::varint, 1},        // bool
    {10, Tensor::int32_data, Wire::varint, 2},       // float16
    {11, Tensor::double_data, Wire::fixed64, 8},     // double
    {12, Tensor::uint64_data, Wire::varint, 4},      // uint32
    {13, Tensor::uint64_data, Wire::varint, 8},      // uint64
    {14, Tensor::float_data, Wire::fixed32, 4},      // complex64
    {15, Tensor::double_data, Wire::fixed64, 8},     // complex128
    {16, Tensor::int32_data, Wire::varint, 2},       // bfloat16
    {17, Tensor::int32_data, Wire::varint, 1},       // float8e4m3fn
    {18, Tensor::int32_data, Wire::varint, 1},       // float8e4m3fnuz
    {19, Tensor::int32_data, Wire::varint, 1},       // float8e5m2
    {20, Tensor::int32_data, Wire::varint, 1},       // float8e5m2fnuz
    {21, Tensor::int32_data, Wire::varint, 1},       // uint4
    {22, Tensor::int32_data, Wire::varint, 1},       // int4
    {23, Tensor::int32_data, Wire::varint, 1},       // float4e2m1
    {24, Tensor::int32_data, Wire::varint, 1},       // float8e8m0
    {25, Tensor::int32_data, Wire::varint, 1},       // uint2
    {26, Tensor::int32_data, Wire::varint, 1},       // int2
});

const Payload* payload_of(const Message& tensor) {
  const auto found = std::ranges::find(payloads, integer_of(tensor, Tensor::data_type), &Payload::data_type);
  const bool is_here = integer_of(tensor, Tensor::data_location) == 0 && find(tensor, Tensor::segment) == nullptr;
  return found == payloads.end() || !is_here ? nullptr : &*found;
}

std::string raw_from(const std::vector<std::uint64_t>& values, std::size_t size) {
  std::string raw;
  for (const std::uint64_t value : values) {
    for (std::size_t i = 0; i < size; ++i) raw.push_back(static_cast<char>(value >> (8 * i)));
  }
  return raw;
}

std::vector<std::uint64_t> values_from(std::string_view raw, const Payload& payload) {
  std::vector<std::uint64_t> values;
  for (std::size_t at = 0; at + payload.size <= raw.size(); at += payload.size) {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < payload.size; ++i)
      value |= static_cast<std::uint64_t>(static_cast<unsigned char>(raw[at + i])) << (8 * i);
    const std::size_t bits = 8 * payload.size;
    if (payload.is_signed && bits < 64 && (value >> (bits - 1) & 1U) != 0) value |= ~std::uint64_t{0} << bits;
    values.push_back(value);
  }
  return values;
}

/// The bytes of the numbers, as raw_data has them; nothing for strings, external data and tensors without elements.
std::optional<std::string> raw_of(Message& tensor) {
  const Payload* payload = payload_of(tensor);
  if (payload == nullptr) return std::nullopt;
  if (const Field* raw = find(tensor, Tensor::raw_data))
    return raw->bytes.empty() ? std::nullopt : std::optional(raw->bytes);
  if (find(tensor, payload->field) == nullptr) return std::nullopt;
  return raw_from(numbers_in(tensor, payload->field, payload->wire), payload->size);
}

/// Puts another payload where the first of these fields is.
void replace_payload(Message& tensor, std::vector<Field> with) {
  static constexpr std::array all{Tensor::raw_data,      Tensor::float_data,   Tensor::int32_data,
                                  Tensor::int64_data,    Tensor::double_data,  Tensor::uint64_data,
                                  Tensor::external_data, Tensor::data_location};
  const auto is_payload = [](const Field& field) {
    return std::ranges::any_of(all, [&](auto number) { return field.number == number; });
  };
  const auto place = std::ranges::find_if(tensor.fields, is_payload) - tensor.fields.begin();
  std::erase_if(tensor.fields, is_payload);
  tensor.fields.insert(tensor.fields.begin() + place, with.begin(), with.end());
}

Message data_entry(std::string_view key, std::string_view value) {
  return {.kind = Kind::entry,
          .fields = {text_field(fields::StringStringEntryProto::key, key),
                     text_field(fields::StringStringEntryProto::value, value)}};
}

constexpr const char* own_file = "rewritten.data";
constexpr std::size_t page = 4096;  // docs/ExternalData.md: "usually 4kb"

/// float, float16, double, bfloat16: the text speaks of large constants, which shapes and conditions are not.
constexpr std::array<std::int64_t, 4> weights{1, 10, 11, 16};

void move_out(Message& tensor, std::string& data) {
  const std::optional<std::string> raw = raw_of(tensor);
  if (!raw || std::ranges::find(weights, integer_of(tensor, Tensor::data_type)) == weights.end()) return;
  data.resize((data.size() + page - 1) / page * page);
  const std::size_t offset = data.size();
  data += *raw;
  replace_payload(tensor, {message_field(Tensor::external_data, data_entry("location", own_file)),
                           message_field(Tensor::external_data, data_entry("offset", std::to_string(offset))),
                           message_field(Tensor::external_data, data_entry("length", std::to_string(raw->size()))),
                           integer_field(Tensor::data_location, 1)});
}

std::size_t offset_in(std::string_view text) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) throw NotMade("a range of external data is no number");
  return number;
}

void move_in(Message& tensor, const ModelFiles& files) {
  if (integer_of(tensor, Tensor::data_location) != 1) return;
  std::map<std::string, std::string, std::less<>> entries;
  for (Message* entry : messages_of(tensor, Tensor::external_data))
    entries[std::string(text_of(*entry, fields::StringStringEntryProto::key))] =
        text_of(*entry, fields::StringStringEntryProto::value);
  const auto file = files.bytes.find(std::filesystem::path(entries["location"]).lexically_normal());
  if (file == files.bytes.end()) throw NotMade("its external data is not in its folder");
  const std::size_t offset = entries.contains("offset") ? offset_in(entries["offset"]) : 0;
  if (offset > file->second.size()) throw NotMade("a range of external data begins after its file");
  if (!entries.contains("length")) throw NotMade("external data has no length");
  replace_payload(tensor, {text_field(Tensor::raw_data, file->second.substr(offset, offset_in(entries["length"])))});
}

}  // namespace

void to_raw_data(ModelFiles& files) {
  change_tree(files, [](Message& model) {
    for_each(model, Kind::tensor, [](Message& tensor) {
      if (const auto raw = raw_of(tensor)) replace_payload(tensor, {text_field(Tensor::raw_data, *raw)});
    });
  });
}

void to_typed_fields(ModelFiles& files) {
  change_tree(files, [](Message& model) {
    for_each(model, Kind::tensor, [](Message& tensor) {
      const auto raw = raw_of(tensor);
      if (!raw || find(tensor, Tensor::raw_data) == nullptr) return;
      const Payload& payload = *payload_of(tensor);
      replace_payload(tensor, {packed_field(payload.field, values_from(*raw, payload), payload.wire)});
    });
  });
}

void to_external_data(ModelFiles& files) {
  if (files.bytes.contains(own_file)) throw NotMade("it has a file of that name");
  std::string data;
  change_tree(files, [&data](Message& model) {
    for_each(model, Kind::graph, [&data](Message& graph) {
      for (Message* tensor : messages_of(graph, fields::GraphProto::initializer)) move_out(*tensor, data);
    });
  });
  if (data.empty()) throw NotMade("it has no initializer whose numbers can be in another file");
  files.bytes[own_file] = std::move(data);
}

void to_own_data(ModelFiles& files) {
  const ModelFiles before = files;
  change_tree(files, [&before](Message& model) {
    for_each(model, Kind::tensor, [&before](Message& tensor) { move_in(tensor, before); });
  });
}

}  // namespace ifcert::conformance::onnx_rewritings
