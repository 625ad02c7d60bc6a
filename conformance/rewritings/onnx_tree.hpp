// An ONNX file as a tree of protobuf messages that keeps every field in its place, also those that nobody knows: what
// is not changed is written as it was.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/rewritings/rewriting.hpp"
#include "reference/formats/onnx/fields.hpp"

namespace ifcert::conformance::onnx_tree {

namespace fields = onnx::fields;

/// The messages that rewritings look into. Fields that hold any other message are kept as bytes.
enum class Kind : std::uint8_t {
  model,
  graph,
  node,
  attribute,
  tensor,
  sparse_tensor,
  value_info,
  type,
  tensor_type,
  item_type,  // TypeProto.Sequence, TypeProto.Optional
  shape,
  dimension,
  function,
  operator_set,
  entry  // StringStringEntryProto
};
inline constexpr Kind last_kind = Kind::entry;

/// Protobuf's wire types without groups, which no tree can hold.
enum class Wire : std::uint8_t { varint = 0, fixed64 = 1, bytes = 2, fixed32 = 5 };

struct Message;

/// A field: its number, or bytes, or a message that is looked into (one, where it is there).
struct Field {
  std::uint32_t number = 0;
  Wire wire = Wire::varint;
  std::uint64_t value = 0;       // of a varint or fixed field
  std::string bytes{};           // of a string, packed numbers, or a message that is not looked into
  std::vector<Message> message;  // one, or none
};

struct Message {
  Kind kind = Kind::model;
  std::vector<Field> fields{};
};

/// Throws NotMade for bytes that are not a message, or that would be written otherwise (longer varints than needed).
Message read_tree(std::string_view bytes);
std::string write_tree(const Message& message);

/// The number of a field in fields.hpp.
using Number = std::uint32_t;

/// The first field of that number, or nullptr.
const Field* find(const Message& message, Number number);
Field* find(Message& message, Number number);

/// The last string, or integer, of a field; what it is where the field is absent.
std::string_view text_of(const Message& message, Number number);
std::int64_t integer_of(const Message& message, Number number, std::int64_t otherwise = 0);

/// All fields of that number.
std::vector<Field*> fields_of(Message& message, Number number);

/// The messages in them, which the tree must look into.
std::vector<Message*> messages_of(Message& message, Number number);

void set_text(Message& message, Number number, std::string_view text);
void set_integer(Message& message, Number number, std::int64_t value);
Field text_field(Number number, std::string_view text);
Field integer_field(Number number, std::int64_t value);
Field message_field(Number number, Message message);
void remove(Message& message, Number number);

/// Puts a field before the first of its number, or at the end.
void add_first(Message& message, Field field);

/// Repeated numbers, packed or not, as they are on the wire; `wire` is that of one of them. Throws NotMade where they
/// are of another one.
std::vector<std::uint64_t> numbers_in(Message& message, Number number, Wire wire);
Field packed_field(Number number, const std::vector<std::uint64_t>& values, Wire wire);

/// Calls `visit` with each message of that kind, outer ones first.
void for_each(Message& root, Kind kind, const std::function<void(Message&)>& visit);

/// The graphs in a node's attributes, in order.
std::vector<Message*> graphs_in(Message& node);

/// The model's main graph. Throws NotMade where there is none.
Message& main_graph(Message& model);

/// Reads the model's file, changes its tree and writes it. Throws NotMade, as the change does.
void change_tree(ModelFiles& files, const std::function<void(Message& model)>& change);

}  // namespace ifcert::conformance::onnx_tree
