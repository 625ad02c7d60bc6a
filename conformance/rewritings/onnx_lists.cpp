#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/rewritings/onnx_rewritings.hpp"

namespace ifcert::conformance::onnx_rewritings {
namespace {

using namespace onnx_tree;

std::string_view name_of_entry(const Field& entry, Number key) {
  return entry.message.empty() ? std::string_view(entry.bytes) : text_of(entry.message.front(), key);
}

void put_in_order(std::vector<Field>& entries, Order order, Number key) {
  if (order == Order::reversed) std::ranges::reverse(entries);
  if (order == Order::rotated && entries.size() > 2) std::ranges::rotate(entries, entries.begin() + 1);
  if (order == Order::sorted)
    std::ranges::stable_sort(entries, {}, [key](const Field& entry) { return name_of_entry(entry, key); });
}

/// Repeated numbers, of which both forms must be read.
struct Numbers {
  Kind kind;
  Number number;
  Wire wire;  // of one number
};

constexpr auto repeated_numbers = std::to_array<Numbers>({
    {Kind::attribute, fields::AttributeProto::floats, Wire::fixed32},
    {Kind::attribute, fields::AttributeProto::ints, Wire::varint},
    {Kind::tensor, fields::TensorProto::dims, Wire::varint},
    {Kind::tensor, fields::TensorProto::float_data, Wire::fixed32},
    {Kind::tensor, fields::TensorProto::int32_data, Wire::varint},
    {Kind::tensor, fields::TensorProto::int64_data, Wire::varint},
    {Kind::tensor, fields::TensorProto::double_data, Wire::fixed64},
    {Kind::tensor, fields::TensorProto::uint64_data, Wire::varint},
    {Kind::sparse_tensor, fields::SparseTensorProto::dims, Wire::varint},
});

void exchange_packing_of(Message& message, const Numbers& numbers) {
  const Field* const first = find(message, numbers.number);
  if (first == nullptr) return;
  const bool is_packed = first->wire == Wire::bytes;
  const std::vector<std::uint64_t> values = numbers_in(message, numbers.number, numbers.wire);
  const auto place = first - message.fields.data();
  remove(message, numbers.number);
  std::vector<Field> written;
  if (!is_packed) written.push_back(packed_field(numbers.number, values, numbers.wire));
  for (const std::uint64_t value : values) {
    if (is_packed) written.push_back({.number = numbers.number, .wire = numbers.wire, .value = value, .message = {}});
  }
  message.fields.insert(message.fields.begin() + place, written.begin(), written.end());
}

}  // namespace

void reorder(ModelFiles& files, Kind kind, Number list, Order order, Number key) {
  change_tree(files, [&](Message& model) {
    for_each(model, kind, [&](Message& message) {
      const std::vector<Field*> places = fields_of(message, list);
      std::vector<Field> entries;
      for (Field* place : places) entries.push_back(std::move(*place));
      put_in_order(entries, order, key);
      for (std::size_t i = 0; i < places.size(); ++i) *places[i] = std::move(entries[i]);
    });
  });
}

void reverse_imports(ModelFiles& files) {
  constexpr Number domain = fields::OperatorSetIdProto::domain;
  reorder(files, Kind::model, fields::ModelProto::opset_import, Order::reversed, domain);
  reorder(files, Kind::function, fields::FunctionProto::opset_import, Order::reversed, domain);
}

void reverse_value_infos(ModelFiles& files) {
  constexpr Number name = fields::ValueInfoProto::name;
  reorder(files, Kind::graph, fields::GraphProto::value_info, Order::reversed, name);
  reorder(files, Kind::function, fields::FunctionProto::value_info, Order::reversed, name);
}

void reverse_metadata(ModelFiles& files) {
  constexpr Number key = fields::StringStringEntryProto::key;
  reorder(files, Kind::model, fields::ModelProto::metadata_props, Order::reversed, key);
  reorder(files, Kind::graph, fields::GraphProto::metadata_props, Order::reversed, key);
  reorder(files, Kind::node, fields::NodeProto::metadata_props, Order::reversed, key);
  reorder(files, Kind::function, fields::FunctionProto::metadata_props, Order::reversed, key);
}

void reverse_fields(ModelFiles& files) {
  change_tree(files, [](Message& model) {
    for_each(model, Kind::dimension, [](Message& dimension) {
      if (find(dimension, fields::TensorShapeProtoDimension::dim_value) != nullptr &&
          find(dimension, fields::TensorShapeProtoDimension::dim_param) != nullptr)
        throw NotMade("a dimension has two values, of which the last one counts");
    });
    const auto sort_fields = [](Message& message) {
      std::ranges::stable_sort(message.fields, std::ranges::greater{}, &Field::number);
    };
    for (int kind = 0; kind <= static_cast<int>(last_kind); ++kind)
      for_each(model, static_cast<Kind>(kind), sort_fields);
  });
}

void exchange_packing(ModelFiles& files) {
  change_tree(files, [](Message& model) {
    for (const Numbers& numbers : repeated_numbers)
      for_each(model, numbers.kind, [&](Message& message) { exchange_packing_of(message, numbers); });
  });
}

}  // namespace ifcert::conformance::onnx_rewritings
