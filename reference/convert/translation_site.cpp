#include "convert/translation_site.hpp"

#include <algorithm>
#include <ifcert/elements.hpp>

#include "operators/operands.hpp"

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
  const std::uint64_t count = tensor->count();
  if (count > kernels::longest_list) return std::nullopt;
  Integers numbers;
  for (std::uint64_t i = 0; i < count; ++i) numbers.push_back(std::get<std::int64_t>(read_number(*tensor, i)));
  return numbers;
}

std::vector<Slot> TranslationSite::inputs() const {
  std::vector<Slot> slots;
  for (const Facts& operand : operands_) slots.push_back(operand.slot);
  return slots;
}

std::optional<Shape> TranslationSite::shape(std::size_t i) const {
  return i < operands_.size() ? operands_[i].type.shape : std::nullopt;
}

std::optional<std::size_t> TranslationSite::rank(std::size_t i) const {
  const std::optional<Shape> known = shape(i);
  return known ? std::optional(known->size()) : std::nullopt;
}

std::optional<Integers> TranslationSite::integers(std::size_t i) const {
  if (i >= operands_.size()) return std::nullopt;
  std::optional<Integers> numbers = integers_of(operands_[i].value);
  if (numbers) growth_.spend_list(*operands_[i].value.tensor(), place);
  return numbers;
}

void TranslationSite::expect_attributes(std::initializer_list<Attribute> known) const {
  for (const auto& [name, value] : node.attributes) {
    const bool is_known = std::ranges::any_of(known, [&](const Attribute& it) {
      return it.name == name && it.since <= node.version && node.version < it.before;
    });
    if (!is_known) refuse(fmt::format("{} with the attribute {} has no counterpart", node.op, name));
  }
}

Slot TranslationSite::constant(Value value) {
  growth_.spend(bytes_of_operation + (value.tensor() == nullptr ? 0 : value.tensor()->data.bytes().size()), place);
  const Slot slot = graph_.add_slot("", type_of(value));
  graph_.constants.push_back({slot, std::move(value)});
  return slot;
}

void TranslationSite::add(const std::string& op, std::vector<Slot> inputs, std::vector<Slot> outputs,
                          Attributes attributes, int version) {
  expect_defined(op, inputs, outputs);
  growth_.spend((added_++ == 0 ? bytes_of_operation : bytes_of_further_operation) + node.name.size(), place);
  growth_.spend(attributes, place);
  Node made;
  made.name = node.name;
  made.op = op;
  made.version = version == 0 ? version_ : version;
  made.inputs = std::move(inputs);
  made.outputs = std::move(outputs);
  made.attributes = std::move(attributes);
  graph_.nodes.push_back(std::move(made));
}

void TranslationSite::expect_in(const ElementTypes& types, Slot slot, const std::string& op) const {
  const ElementType element = slot == no_slot ? ElementType::undefined : graph_.slots[slot].declared.element;
  if (element == ElementType::undefined) return;
  if (format_ == Format::tflite && litert_lacks(op, element))
    refuse(fmt::format("LiteRT has no {} on {}", op, name_of(element)));
  if (types.contains(element)) return;
  const std::string_view format = format_ == Format::tflite ? "TensorFlow Lite" : "OpenVINO";
  refuse(fmt::format("{} does not define {} on {}", format, op, name_of(element)));
}

/// Slots of a new ONNX graph have no types, but the operands of the old operation do.
void TranslationSite::expect_in_onnx(const DefinedTypes* types, const std::string& op,
                                     const std::vector<Slot>& inputs) const {
  if (types == nullptr || inputs.empty() || operands_.empty() || inputs[0] != input(0)) return;
  const ElementType type = element(0);
  if (type != ElementType::undefined && !types->operands[0].contains(type))
    refuse(fmt::format("ONNX does not define {} on {}", op, name_of(type)));
}

void TranslationSite::expect_defined(const std::string& op, const std::vector<Slot>& inputs,
                                     const std::vector<Slot>& outputs) const {
  const DefinedTypes* types = defined_types(format_, op);
  if (format_ == Format::onnx) return expect_in_onnx(types, op, inputs);
  if (std::ranges::find(inputs, no_slot) != inputs.end())
    refuse(fmt::format("{} with an operand that is left out has no counterpart", node.op));
  if (types == nullptr) refuse(fmt::format("the element types of {} are not in the table", op));
  const ElementTypes& others = types->operands[types->operands[1].empty() ? 0 : 1];
  for (std::size_t i = 0; i < inputs.size(); ++i) expect_in(i == 0 ? types->operands[0] : others, inputs[i], op);
  if (types->result.empty()) return;
  for (const Slot slot : outputs) expect_in(types->result, slot, op);
}

Slot TranslationSite::add_inner(const std::string& op, std::vector<Slot> inputs, Attributes attributes, int version) {
  const Slot slot = graph_.add_slot("");
  add(op, std::move(inputs), {slot}, std::move(attributes), version);
  graph_.nodes.back().name.clear();  // the name belongs to the operation with the results
  return slot;
}

Slot TranslationSite::add_value(Type type, const std::string& op, std::vector<Slot> inputs, Attributes attributes) {
  const Slot slot = add_inner(op, std::move(inputs), std::move(attributes));
  graph_.slots[slot].declared = std::move(type);
  return slot;
}

}  // namespace ifcert::translation
