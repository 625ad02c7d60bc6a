// Protobuf's wire format through protozero, with checks that it lacks: the wire type of every field, and every length.
#pragma once

#include <cstdint>
#include <ifcert/diagnostic.hpp>
#include <memory_resource>
#include <protozero/pbf_reader.hpp>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "limits/budget.hpp"
#include "model/place.hpp"

namespace ifcert::onnx::proto {

using protozero::pbf_reader;
using protozero::pbf_wire_type;

/// The wire type of the start of a group. protozero does not know groups; other parsers skip them in unknown fields.
inline constexpr auto group_start = static_cast<pbf_wire_type>(3);

/// A message being read. It counts the messages in it, and handles groups, at which a pbf_reader would fail.
class Message : public pbf_reader {
 public:
  Message(const pbf_reader& reader, Budget& message_budget) : pbf_reader(reader), message_budget_(&message_budget) {}

  /// Like pbf_reader's, and true at a group too.
  bool next() {
    group_ = 0;
    const auto rest = data();
    const bool at_group =
        !rest.empty() && (static_cast<unsigned char>(rest.data()[0]) & 7U) == static_cast<unsigned>(group_start);
    return at_group ? enter_group() : pbf_reader::next();
  }
  std::uint32_t tag() const { return group_ != 0 ? group_ : pbf_reader::tag(); }
  pbf_wire_type wire_type() const { return group_ != 0 ? group_start : pbf_reader::wire_type(); }

  /// Skips the current field, which may be a group.
  void skip();

  Budget& message_budget() const { return *message_budget_; }

 private:
  bool enter_group();
  void skip_group();

  Budget* message_budget_;
  std::uint32_t group_ = 0;  // the field number of the current group; 0 for any other field
};

/// The rule for bytes that are not a whole message.
inline constexpr std::string_view well_formed = "onnx/model/file-is-whole";

/// The rule for names that are not UTF-8.
inline constexpr std::string_view names_are_utf8 = "onnx/model/names-are-utf-8";

/// Throws UnreadableModel.
[[noreturn]] void refuse(const Place& place, std::string_view rule, std::string found, std::string expected);
[[noreturn]] void refuse_bytes(const Place& place, const protozero::exception& error);
[[noreturn]] void refuse_length(const Message& message, std::uint64_t length, std::ptrdiff_t left, const Place& place);
[[noreturn]] void refuse_wire_type(const Message& message, pbf_wire_type expected, const Place& place);

/// Refuses a length beyond the end of the message: protozero takes a length modulo 2^32, so a wrong one could pass as a
/// short one.
inline void expect_whole(const Message& message, const Place& place) {
  const auto rest = message.data();
  const char* at = rest.data();
  const char* end = rest.data() + rest.size();
  const std::uint64_t length = protozero::decode_varint(&at, end);
  if (length > static_cast<std::uint64_t>(end - at)) refuse_length(message, length, end - at, place);
}

/// Refuses a field of another wire type.
inline void expect(const Message& message, pbf_wire_type expected, const Place& place) {
  if (message.wire_type() != expected) refuse_wire_type(message, expected, place);
  if (expected == pbf_wire_type::length_delimited) expect_whole(message, place);
}

/// Skips a field that is unused or unknown.
void skip(Message& message, const Place& place);

/// Moves to the next field with that number and skips others; false at the end.
bool next(Message& message, std::uint32_t field, const Place& place);

/// The current field, which must have the wire type of its kind.
inline std::string_view string_field(Message& message, const Place& place) {  // any bytes
  expect(message, pbf_wire_type::length_delimited, place);
  const auto view = message.get_view();
  return {view.data(), view.size()};
}
std::string_view name_field(Message& message, const Place& place);  // UTF-8
std::int64_t int64_field(Message& message, const Place& place);
std::int32_t int32_field(Message& message, const Place& place);
float float_field(Message& message, const Place& place);
Message message_field(Message& message, const Place& place);

/// Refuses a singular message that appears twice: protobuf would merge the two, which other readers of ONNX do not do.
void expect_first(bool first, std::string_view what, const Place& place);

/// Decodes the next message of a list, so that damage is reported with the innermost place.
template <class T>
void decode_next(void (*decode)(T&, Message, const Place&), std::pmr::vector<T>& list, std::string_view what,
                 Message& message, const Place& outer) {
  const Place place = outer.numbered(what, list.size());
  message.message_budget().spend(1, place);
  try {
    if constexpr (std::is_aggregate_v<T>)
      list.emplace_back();
    else
      list.emplace_back(list.get_allocator());  // its lists are in the same arena as this one
    decode(list.back(), message_field(message, place), place);
  } catch (const protozero::exception& error) {
    refuse_bytes(place, error);
  }
}

/// A repeated number, packed or not, as both forms must be read.
template <class List, class Packed, class Single>
void append(List& to, Message& message, const Place& place, pbf_wire_type single_wire, Packed packed, Single single) {
  if (message.wire_type() == pbf_wire_type::length_delimited) {
    expect_whole(message, place);
    for (const auto value : (message.*packed)()) to.push_back(value);
    return;
  }
  expect(message, single_wire, place);
  to.push_back((message.*single)());
}

}  // namespace ifcert::onnx::proto
