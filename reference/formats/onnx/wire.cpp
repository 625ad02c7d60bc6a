#include "formats/onnx/wire.hpp"

#include <fmt/format.h>

#include "model/utf8.hpp"

namespace ifcert::onnx::proto {
namespace {

constexpr unsigned wire_type_bits = 3;
constexpr std::size_t group_nesting_limit = 100;  // as in protobuf's own parsers

/// Reads the number and the wire type of the field at `at`, and advances `at` past them.
std::pair<std::uint32_t, pbf_wire_type> decode_key(const char*& at, const char* end) {
  const std::uint64_t key = protozero::decode_varint(&at, end);
  const std::uint64_t number = key >> wire_type_bits;
  if (number == 0 || number >= std::uint64_t{1} << 29) throw protozero::invalid_tag_exception();
  return {static_cast<std::uint32_t>(number), static_cast<pbf_wire_type>(key & 7)};
}

void pass_over(const char*& at, const char* end, std::uint64_t bytes) {
  if (bytes > static_cast<std::uint64_t>(end - at)) throw protozero::end_of_buffer_exception();
  at += bytes;
}

[[noreturn]] void refuse_name(const Message& message, std::string_view name, std::size_t at, const Place& place) {
  refuse(place, names_are_utf8,
         fmt::format("field {} has the byte {:#04x} at {}, which is not part of a character", message.tag(),
                     static_cast<unsigned char>(name[at]), at),
         "UTF-8 in every name");
}

}  // namespace

bool Message::enter_group() {
  const auto rest = data();
  const char* at = rest.data();
  const char* end = at + rest.size();
  group_ = decode_key(at, end).first;
  static_cast<pbf_reader&>(*this) = pbf_reader(at, static_cast<std::size_t>(end - at));
  return true;
}

// Rule: onnx/model/unknown-fields-are-skipped.
void Message::skip() {
  if (group_ != 0)
    skip_group();
  else
    pbf_reader::skip();
}

void Message::skip_group() {
  constexpr auto group_end = static_cast<pbf_wire_type>(4);
  const auto rest = data();
  const char* at = rest.data();
  const char* end = at + rest.size();
  std::vector<std::uint32_t> open{group_};
  while (!open.empty()) {
    const auto [number, wire] = decode_key(at, end);
    if (wire == group_end) {
      if (number != open.back()) throw protozero::invalid_tag_exception();
      open.pop_back();
    } else if (wire == group_start) {
      open.push_back(number);
      if (open.size() > group_nesting_limit) throw protozero::unknown_pbf_wire_type_exception();
    } else if (wire == pbf_wire_type::varint) {
      protozero::skip_varint(&at, end);
    } else if (wire == pbf_wire_type::length_delimited) {
      const std::uint64_t length = protozero::decode_varint(&at, end);
      pass_over(at, end, length);
    } else if (wire == pbf_wire_type::fixed32 || wire == pbf_wire_type::fixed64) {
      pass_over(at, end, wire == pbf_wire_type::fixed32 ? 4 : 8);
    } else {
      throw protozero::unknown_pbf_wire_type_exception();
    }
  }
  group_ = 0;
  static_cast<pbf_reader&>(*this) = pbf_reader(at, static_cast<std::size_t>(end - at));
}

void refuse(const Place& place, std::string_view rule, std::string found, std::string expected) {
  throw UnreadableModel({std::string(rule), to_string(place), std::move(found), std::move(expected)});
}

// Rule: onnx/model/file-is-whole.
void refuse_length(const Message& message, std::uint64_t length, std::ptrdiff_t left, const Place& place) {
  refuse(place, well_formed,
         fmt::format("field {} has a length of {} bytes, but {} follow", message.tag(), length, left),
         "a whole message in protobuf's wire format");
}

// Rule: onnx/model/file-is-whole.
void refuse_wire_type(const Message& message, pbf_wire_type expected, const Place& place) {
  refuse(place, well_formed,
         fmt::format("field {} has wire type {}", message.tag(), static_cast<int>(message.wire_type())),
         fmt::format("wire type {}, as in onnx.proto", static_cast<int>(expected)));
}

void skip(Message& message, const Place& place) {
  if (message.wire_type() == pbf_wire_type::length_delimited) expect_whole(message, place);
  message.skip();
}

bool next(Message& message, std::uint32_t field, const Place& place) {
  while (message.next()) {
    if (message.tag() == field) return true;
    skip(message, place);
  }
  return false;
}

// Rule: onnx/model/names-are-utf-8.
std::string_view name_field(Message& message, const Place& place) {
  const std::string_view name = string_field(message, place);
  const std::size_t good = utf8_prefix(name);
  if (good < name.size()) refuse_name(message, name, good, place);
  return name;
}

std::int64_t int64_field(Message& message, const Place& place) {
  expect(message, pbf_wire_type::varint, place);
  return message.get_int64();
}

std::int32_t int32_field(Message& message, const Place& place) {
  expect(message, pbf_wire_type::varint, place);
  return message.get_int32();
}

float float_field(Message& message, const Place& place) {
  expect(message, pbf_wire_type::fixed32, place);
  return message.get_float();
}

Message message_field(Message& message, const Place& place) {
  expect(message, pbf_wire_type::length_delimited, place);
  return {message.get_message(), message.message_budget()};
}

void refuse_bytes(const Place& place, const protozero::exception& error) {
  refuse(place, well_formed, fmt::format("the bytes are not a protobuf message ({})", error.what()),
         "a whole message in protobuf's wire format");
}

// Rule: onnx/model/file-is-whole.
void expect_first(bool first, std::string_view what, const Place& place) {
  if (!first) {
    refuse(place, well_formed, fmt::format("{} appears twice", what), "a singular message appears at most once");
  }
}

}  // namespace ifcert::onnx::proto
