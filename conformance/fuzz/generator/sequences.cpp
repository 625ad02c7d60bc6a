// Sequences and optionals, which only ONNX has.
#include <algorithm>

#include "conformance/fuzz/generator/steps.hpp"

namespace ifcert::generator {
namespace {

constexpr int opset_of_optionals = 16;  // the first in which Identity and If accept them too

bool has_sequences(const Maker& maker) {
  return maker.is_for(Format::onnx) && maker.opset >= opset_of_optionals;
}

bool may_be_item(const Known& known) {
  using enum ElementType;
  return known.is_tensor() && (known.element == float32 || known.element == int64 || known.element == string);
}

std::optional<ScopedValue> any_sequence(Maker& maker, Scope& scope) {
  return any_value(maker, scope, [](const Known& known) { return known.kind == Type::Kind::sequence; });
}

/// A sequence of such items; the shapes of its items are not known.
Known sequence_of(const Known& item, std::int64_t length) {
  Known known = item;
  known.kind = Type::Kind::sequence;
  known.extents.reset();
  known.length = length;
  known.truth.reset();
  return known;
}

ScopedValue position(Maker& maker, Scope& scope, std::int64_t length) {
  return scalar(maker, scope, ElementType::int64, maker.random.between(-length, std::max<std::int64_t>(length - 1, 0)));
}

}  // namespace

bool add_sequence(Maker& maker, Scope& scope) {
  if (!has_sequences(maker)) return false;
  const auto first = any_value(maker, scope, may_be_item);
  if (!first) return false;
  if (maker.random.percent(15)) {
    constexpr std::int64_t float32 = 1;
    Known empty = sequence_of(tensor_of(ElementType::float32, {}), 0);
    empty.most = 0;
    add(maker, scope, "SequenceEmpty", {}, empty,
        maker.random.percent(50) ? Attributes{} : Attributes{{"dtype", float32}});
    return true;
  }
  std::vector<ScopedValue> items{*first};
  Known known = sequence_of(first->known, 1);
  while (items.size() < 3 && maker.random.percent(60)) {
    const auto next = any_value(
        maker, scope, [&](const Known& other) { return other.is_tensor() && other.element == first->known.element; });
    known.numbers = either(known.numbers, next->known.numbers);
    known.most = std::max(known.most, next->known.most);
    items.push_back(*next);
  }
  known.length = static_cast<std::int64_t>(items.size());
  add(maker, scope, "SequenceConstruct", items, known);
  return true;
}

bool add_item(Maker& maker, Scope& scope) {
  const auto sequence = any_value(
      maker, scope, [](const Known& known) { return known.kind == Type::Kind::sequence && known.length > 0; });
  if (!sequence) return false;
  Known item = sequence->known;
  item.kind = Type::Kind::tensor;
  item.length = 0;
  const ScopedValue at = position(maker, scope, sequence->known.length);
  add(maker, scope, "SequenceAt", {*sequence, at}, item);
  return true;
}

bool add_insertion(Maker& maker, Scope& scope) {
  const auto sequence = any_sequence(maker, scope);
  if (!sequence) return false;
  const auto item = any_value(
      maker, scope, [&](const Known& known) { return known.is_tensor() && known.element == sequence->known.element; });
  if (!item) return false;
  Known result = sequence->known;
  result.numbers = either(result.numbers, item->known.numbers);
  result.most = std::max(result.most, item->known.most);
  ++result.length;
  std::vector<ScopedValue> operands{*sequence, *item};
  if (maker.random.percent(40)) operands.push_back(position(maker, scope, sequence->known.length));
  add(maker, scope, "SequenceInsert", operands, result);
  return true;
}

bool add_length(Maker& maker, Scope& scope) {
  const auto sequence = any_sequence(maker, scope);
  if (!sequence) return false;
  add(maker, scope, "SequenceLength", {*sequence}, tensor_of(ElementType::int64, {}, {.bound = most_elements}));
  return true;
}

/// An optional that holds a value, or one that is empty and only has a type.
bool add_optional(Maker& maker, Scope& scope) {
  if (!has_sequences(maker)) return false;
  const auto value = any_value(maker, scope, may_be_item);
  if (!value) return false;
  Known known = value->known;
  known.kind = Type::Kind::optional;
  known.extents.reset();
  known.truth.reset();
  known.present = maker.random.percent(60);
  if (known.present) {
    add(maker, scope, "Optional", {*value}, known);
  } else {
    add(maker, scope, "Optional", {}, known, {{"type", Type::tensor(known.element)}});
  }
  return true;
}

/// Whether an optional holds something and, where it certainly does, what.
bool add_presence(Maker& maker, Scope& scope) {
  const auto optional = any_value(maker, scope, [](const Known& known) { return known.kind == Type::Kind::optional; });
  if (!optional) return false;
  Known has = tensor_of(ElementType::boolean, {}, {.bound = 1});
  if (optional->known.present) has.truth = true;
  add(maker, scope, "OptionalHasElement", {*optional}, has);
  if (!optional->known.present || maker.random.percent(30)) return true;
  Known content = optional->known;
  content.kind = Type::Kind::tensor;
  content.present = false;
  add(maker, scope, "OptionalGetElement", {*optional}, content);
  return true;
}

}  // namespace ifcert::generator
