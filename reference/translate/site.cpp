#include "translate/site.hpp"

#include <algorithm>
#include <ifcert/elements.hpp>

namespace ifcert::translation {

Value list_of(const Integers& numbers) {
  return make_tensor<std::int64_t>(ElementType::int64, {static_cast<std::int64_t>(numbers.size())}, numbers);
}

Value scalar_of(ElementType type, std::int64_t number) {
  std::byte* bytes = nullptr;
  const std::size_t size = bytes_of(type, 1);
  Tensor tensor{type, {}, Buffer::allocate(size, &bytes), {}};
  write_number(std::span(bytes, size), type, 0, number);
  return tensor;
}

std::optional<Integers> integers_of(const Value& value) {
  const Tensor* tensor = value.tensor();
  const bool is_list = tensor != nullptr && tensor->dims.size() <= 1;
  if (!is_list || (tensor->type != ElementType::int64 && tensor->type != ElementType::int32)) return std::nullopt;
  Integers numbers;
  for (std::uint64_t i = 0; i < tensor->count(); ++i)
    numbers.push_back(std::get<std::int64_t>(read_number(*tensor, i)));
  return numbers;
}

std::vector<Slot> Site::inputs() const {
  std::vector<Slot> slots;
  for (const Known& operand : operands_) slots.push_back(operand.slot);
  return slots;
}

std::optional<Shape> Site::shape(std::size_t i) const {
  return i < operands_.size() ? operands_[i].type.shape : std::nullopt;
}

std::optional<std::size_t> Site::rank(std::size_t i) const {
  const std::optional<Shape> known = shape(i);
  return known ? std::optional(known->size()) : std::nullopt;
}

std::optional<Integers> Site::integers(std::size_t i) const {
  return i < operands_.size() ? integers_of(operands_[i].value) : std::nullopt;
}

void Site::expect_attributes(std::initializer_list<std::string_view> known) const {
  for (const auto& [name, value] : node.attributes) {
    if (std::ranges::find(known, name) == known.end())
      refuse(fmt::format("{} with the attribute {} has no counterpart", node.op, name));
  }
}

Slot Site::constant(Value value) {
  const Slot slot = graph_.add_slot("", type_of(value));
  graph_.constants.push_back({slot, std::move(value)});
  return slot;
}

void Site::add(const std::string& op, std::vector<Slot> inputs, std::vector<Slot> outputs, Attributes attributes,
               int version) {
  Node made;
  made.name = node.name;
  made.op = op;
  made.version = version == 0 ? version_ : version;
  made.inputs = std::move(inputs);
  made.outputs = std::move(outputs);
  made.attributes = std::move(attributes);
  graph_.nodes.push_back(std::move(made));
}

Slot Site::add_inner(const std::string& op, std::vector<Slot> inputs, Attributes attributes, int version) {
  const Slot slot = graph_.add_slot("");
  add(op, std::move(inputs), {slot}, std::move(attributes), version);
  graph_.nodes.back().name.clear();  // the name is that of the operation which gives the results
  return slot;
}

Slot Site::add_value(Type type, const std::string& op, std::vector<Slot> inputs, Attributes attributes) {
  const Slot slot = add_inner(op, std::move(inputs), std::move(attributes));
  graph_.slots[slot].declared = std::move(type);
  return slot;
}

}  // namespace ifcert::translation
