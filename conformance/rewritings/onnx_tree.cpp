#include "conformance/rewritings/onnx_tree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace ifcert::conformance::onnx_tree {
namespace {

/// Ours: deeper than any legal model, because readers of protobuf stop at 100.
constexpr int deepest_message = 400;

struct Part {
  Kind parent;
  Number number;
  Kind kind;
};

constexpr auto parts = std::to_array<Part>({
    {Kind::model, fields::ModelProto::graph, Kind::graph},
    {Kind::model, fields::ModelProto::opset_import, Kind::operator_set},
    {Kind::model, fields::ModelProto::functions, Kind::function},
    {Kind::model, fields::ModelProto::metadata_props, Kind::entry},
    {Kind::graph, fields::GraphProto::node, Kind::node},
    {Kind::graph, fields::GraphProto::initializer, Kind::tensor},
    {Kind::graph, fields::GraphProto::sparse_initializer, Kind::sparse_tensor},
    {Kind::graph, fields::GraphProto::input, Kind::value_info},
    {Kind::graph, fields::GraphProto::output, Kind::value_info},
    {Kind::graph, fields::GraphProto::value_info, Kind::value_info},
    {Kind::graph, fields::GraphProto::metadata_props, Kind::entry},
    {Kind::node, fields::NodeProto::attribute, Kind::attribute},
    {Kind::node, fields::NodeProto::metadata_props, Kind::entry},
    {Kind::attribute, fields::AttributeProto::t, Kind::tensor},
    {Kind::attribute, fields::AttributeProto::g, Kind::graph},
    {Kind::attribute, fields::AttributeProto::tensors, Kind::tensor},
    {Kind::attribute, fields::AttributeProto::graphs, Kind::graph},
    {Kind::attribute, fields::AttributeProto::tp, Kind::type},
    {Kind::attribute, fields::AttributeProto::type_protos, Kind::type},
    {Kind::attribute, fields::AttributeProto::sparse_tensor, Kind::sparse_tensor},
    {Kind::attribute, fields::AttributeProto::sparse_tensors, Kind::sparse_tensor},
    {Kind::tensor, fields::TensorProto::external_data, Kind::entry},
    {Kind::sparse_tensor, fields::SparseTensorProto::values, Kind::tensor},
    {Kind::sparse_tensor, fields::SparseTensorProto::indices, Kind::tensor},
    {Kind::value_info, fields::ValueInfoProto::type, Kind::type},
    {Kind::type, fields::TypeProto::tensor_type, Kind::tensor_type},
    {Kind::type, fields::TypeProto::sparse_tensor_type, Kind::tensor_type},
    {Kind::type, fields::TypeProto::sequence_type, Kind::item_type},
    {Kind::type, fields::TypeProto::optional_type, Kind::item_type},
    {Kind::item_type, fields::TypeProtoSequence::elem_type, Kind::type},
    {Kind::tensor_type, fields::TypeProtoTensor::shape, Kind::shape},
    {Kind::shape, fields::TensorShapeProto::dim, Kind::dimension},
    {Kind::function, fields::FunctionProto::node, Kind::node},
    {Kind::function, fields::FunctionProto::attribute_proto, Kind::attribute},
    {Kind::function, fields::FunctionProto::opset_import, Kind::operator_set},
    {Kind::function, fields::FunctionProto::value_info, Kind::value_info},
    {Kind::function, fields::FunctionProto::metadata_props, Kind::entry},
});

std::optional<Kind> part_of(Kind parent, Number number) {
  const auto found =
      std::ranges::find_if(parts, [&](const Part& part) { return part.parent == parent && part.number == number; });
  return found == parts.end() ? std::nullopt : std::optional(found->kind);
}

std::uint64_t read_varint(std::string_view& rest) {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    if (rest.empty()) break;
    const auto byte = static_cast<unsigned char>(rest.front());
    rest.remove_prefix(1);
    value |= static_cast<std::uint64_t>(byte & 0x7fU) << shift;
    if (byte < 0x80) return value;
  }
  throw NotMade("its file has a number that does not end");
}

std::string_view read_bytes(std::string_view& rest, std::uint64_t count) {
  if (count > rest.size()) throw NotMade("a field of its file ends after the file");
  const std::string_view bytes = rest.substr(0, count);
  rest.remove_prefix(count);
  return bytes;
}

std::uint64_t read_fixed(std::string_view& rest, std::size_t size) {
  std::uint64_t value = 0;
  const std::string_view bytes = read_bytes(rest, size);
  for (std::size_t i = 0; i < size; ++i)
    value |= static_cast<std::uint64_t>(static_cast<unsigned char>(bytes[i])) << (8 * i);
  return value;
}

Message read_message(std::string_view rest, Kind kind, int depth);

Field read_field(std::string_view& rest, Kind parent, int depth) {
  const std::uint64_t tag = read_varint(rest);
  Field field{.number = static_cast<Number>(tag >> 3U), .wire = static_cast<Wire>(tag & 7U), .message = {}};
  switch (field.wire) {
    case Wire::varint:
      field.value = read_varint(rest);
      return field;
    case Wire::fixed64:
      field.value = read_fixed(rest, 8);
      return field;
    case Wire::fixed32:
      field.value = read_fixed(rest, 4);
      return field;
    case Wire::bytes:
      break;
    default:
      throw NotMade("its file has a group, which no list of fields holds");
  }
  const std::string_view bytes = read_bytes(rest, read_varint(rest));
  if (const auto part = part_of(parent, field.number))
    field.message.push_back(read_message(bytes, *part, depth + 1));
  else
    field.bytes = bytes;
  return field;
}

Message read_message(std::string_view rest, Kind kind, int depth) {
  if (depth > deepest_message) throw NotMade("its messages nest too deep");
  Message message{.kind = kind};
  while (!rest.empty()) message.fields.push_back(read_field(rest, kind, depth));
  return message;
}

void write_varint(std::string& to, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7U) to.push_back(static_cast<char>(value | 0x80U));
  to.push_back(static_cast<char>(value));
}

void write_fixed(std::string& to, std::uint64_t value, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) to.push_back(static_cast<char>(value >> (8 * i)));
}

void write_field(std::string& to, const Field& field) {
  write_varint(to, std::uint64_t{field.number} << 3U | static_cast<std::uint64_t>(field.wire));
  if (field.wire == Wire::varint) return write_varint(to, field.value);
  if (field.wire == Wire::fixed64) return write_fixed(to, field.value, 8);
  if (field.wire == Wire::fixed32) return write_fixed(to, field.value, 4);
  const std::string bytes = field.message.empty() ? field.bytes : write_tree(field.message.front());
  write_varint(to, bytes.size());
  to += bytes;
}

}  // namespace

Message read_tree(std::string_view bytes) {
  Message model = read_message(bytes, Kind::model, 0);
  if (write_tree(model) != bytes) throw NotMade("its file has numbers that are longer than needed");
  return model;
}

std::string write_tree(const Message& message) {
  std::string bytes;
  for (const Field& field : message.fields) write_field(bytes, field);
  return bytes;
}

const Field* find(const Message& message, Number number) {
  const auto found = std::ranges::find(message.fields, number, &Field::number);
  return found == message.fields.end() ? nullptr : &*found;
}

Field* find(Message& message, Number number) {
  const auto found = std::ranges::find(message.fields, number, &Field::number);
  return found == message.fields.end() ? nullptr : &*found;
}

std::string_view text_of(const Message& message, Number number) {
  std::string_view text;
  for (const Field& field : message.fields) {
    if (field.number == number) text = field.bytes;
  }
  return text;
}

std::int64_t integer_of(const Message& message, Number number, std::int64_t otherwise) {
  for (const Field& field : message.fields) {
    if (field.number == number) otherwise = static_cast<std::int64_t>(field.value);
  }
  return otherwise;
}

std::vector<Field*> fields_of(Message& message, Number number) {
  std::vector<Field*> found;
  for (Field& field : message.fields) {
    if (field.number == number) found.push_back(&field);
  }
  return found;
}

std::vector<Message*> messages_of(Message& message, Number number) {
  std::vector<Message*> found;
  for (Field* field : fields_of(message, number)) {
    if (!field->message.empty()) found.push_back(&field->message.front());
  }
  return found;
}

Field text_field(Number number, std::string_view text) {
  return {.number = number, .wire = Wire::bytes, .bytes = std::string(text), .message = {}};
}

Field integer_field(Number number, std::int64_t value) {
  return {.number = number, .wire = Wire::varint, .value = static_cast<std::uint64_t>(value), .message = {}};
}

Field message_field(Number number, Message message) {
  Field field{.number = number, .wire = Wire::bytes, .message = {}};
  field.message.push_back(std::move(message));
  return field;
}

void set_text(Message& message, Number number, std::string_view text) {
  const std::vector<Field*> found = fields_of(message, number);
  if (found.empty()) message.fields.push_back(text_field(number, text));
  for (Field* field : found) field->bytes = text;
}

void set_integer(Message& message, Number number, std::int64_t value) {
  const std::vector<Field*> found = fields_of(message, number);
  if (found.empty()) message.fields.push_back(integer_field(number, value));
  for (Field* field : found) field->value = static_cast<std::uint64_t>(value);
}

void remove(Message& message, Number number) {
  std::erase_if(message.fields, [number](const Field& field) { return field.number == number; });
}

void add_first(Message& message, Field field) {
  const auto place = std::ranges::find(message.fields, field.number, &Field::number);
  message.fields.insert(place, std::move(field));
}

std::vector<std::uint64_t> numbers_in(Message& message, Number number, Wire wire) {
  std::vector<std::uint64_t> numbers;
  for (const Field* field : fields_of(message, number)) {
    if (field->wire == wire) numbers.push_back(field->value);
    if (field->wire != wire && field->wire != Wire::bytes) throw NotMade("a list of numbers has one of another type");
    for (std::string_view rest = field->bytes; !rest.empty();)
      numbers.push_back(wire == Wire::varint ? read_varint(rest) : read_fixed(rest, wire == Wire::fixed32 ? 4 : 8));
  }
  return numbers;
}

Field packed_field(Number number, const std::vector<std::uint64_t>& values, Wire wire) {
  Field field{.number = number, .wire = Wire::bytes, .message = {}};
  for (const std::uint64_t value : values) {
    if (wire == Wire::varint)
      write_varint(field.bytes, value);
    else
      write_fixed(field.bytes, value, wire == Wire::fixed32 ? 4 : 8);
  }
  return field;
}

void for_each(Message& root, Kind kind, const std::function<void(Message&)>& visit) {
  if (root.kind == kind) visit(root);
  for (Field& field : root.fields) {
    for (Message& message : field.message) for_each(message, kind, visit);
  }
}

std::vector<Message*> graphs_in(Message& node) {
  std::vector<Message*> graphs;
  for (Message* attribute : messages_of(node, fields::NodeProto::attribute)) {
    for (const Number number : {fields::AttributeProto::g, fields::AttributeProto::graphs})
      std::ranges::copy(messages_of(*attribute, number), std::back_inserter(graphs));
  }
  return graphs;
}

Message& main_graph(Message& model) {
  const std::vector<Message*> graphs = messages_of(model, fields::ModelProto::graph);
  if (graphs.size() != 1) throw NotMade("it has no graph of its own");
  return *graphs.front();
}

void change_tree(ModelFiles& files, const std::function<void(Message& model)>& change) {
  std::string& bytes = files.bytes.at(files.model);
  Message model = read_tree(bytes);
  change(model);
  bytes = write_tree(model);
}

}  // namespace ifcert::conformance::onnx_tree
