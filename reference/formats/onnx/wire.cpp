#include "formats/onnx/wire.hpp"

#include <fmt/format.h>

namespace ifcert::onnx::proto {

void refuse(const Place& place, std::string_view rule, std::string found, std::string asked) {
  throw UnreadableModel({std::string(rule), to_string(place), std::move(found), std::move(asked)});
}

void expect_whole(const pbf_reader& message, const Place& place) {
  const auto rest = message.data();
  const char* at = rest.data();
  const char* end = rest.data() + rest.size();
  const std::uint64_t length = protozero::decode_varint(&at, end);
  if (length <= static_cast<std::uint64_t>(end - at)) return;
  refuse(place, well_formed, fmt::format("field {} says that {} bytes follow, {} do", message.tag(), length, end - at),
         "a whole message in protobuf's wire format");
}

void expect(const pbf_reader& message, pbf_wire_type asked, const Place& place) {
  if (message.wire_type() != asked) {
    refuse(place, well_formed,
           fmt::format("field {} has wire type {}", message.tag(), static_cast<int>(message.wire_type())),
           fmt::format("onnx.proto gives it wire type {}", static_cast<int>(asked)));
  }
  if (asked == pbf_wire_type::length_delimited) expect_whole(message, place);
}

void skip(pbf_reader& message, const Place& place) {
  if (message.wire_type() == pbf_wire_type::length_delimited) expect_whole(message, place);
  message.skip();
}

bool next(pbf_reader& message, std::uint32_t field, const Place& place) {
  while (message.next()) {
    if (message.tag() == field) return true;
    skip(message, place);
  }
  return false;
}

std::string_view string_field(pbf_reader& message, const Place& place) {
  expect(message, pbf_wire_type::length_delimited, place);
  const auto view = message.get_view();
  return {view.data(), view.size()};
}

std::int64_t int64_field(pbf_reader& message, const Place& place) {
  expect(message, pbf_wire_type::varint, place);
  return message.get_int64();
}

std::int32_t int32_field(pbf_reader& message, const Place& place) {
  expect(message, pbf_wire_type::varint, place);
  return message.get_int32();
}

float float_field(pbf_reader& message, const Place& place) {
  expect(message, pbf_wire_type::fixed32, place);
  return message.get_float();
}

pbf_reader message_field(pbf_reader& message, const Place& place) {
  expect(message, pbf_wire_type::length_delimited, place);
  return message.get_message();
}

void refuse_bytes(const Place& place, const protozero::exception& error) {
  refuse(place, well_formed, fmt::format("the bytes are no such message ({})", error.what()),
         "a whole message in protobuf's wire format");
}

void expect_first(bool first, std::string_view what, const Place& place) {
  if (!first) {
    refuse(place, well_formed, fmt::format("{} is given twice", what), "a singular message stands at most once");
  }
}

}  // namespace ifcert::onnx::proto
