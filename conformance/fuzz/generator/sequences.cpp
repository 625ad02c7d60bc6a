// Sequences and optionals, which only ONNX has.
#include <algorithm>

#include "conformance/fuzz/generator/steps.hpp"

namespace ifcert::generator {
namespace {

constexpr int opset_of_optionals = 16;  // the first in which Identity and If accept them too

bool has_sequences(const Maker& maker) {
  return maker.is_for(Format::onnx) && maker.opset >= opset_of_optionals;
}

bool may_be_item(const Facts& facts) {
  using enum ElementType;
  return facts.is_tensor() && (facts.element == float32 || facts.element == int64 || facts.element == string);
}

std::optional<ScopedValue> any_sequence(Maker& maker, Scope& scope) {
  return any_value(maker, scope, [](const Facts& facts) { return facts.kind == Type::Kind::sequence; });
}

/// A sequence of such items; the shapes of its items are not known.
Facts sequence_of(const Facts& item, std::int64_t length) {
  Facts facts = item;
  facts.kind = Type::Kind::sequence;
  facts.extents.reset();
  facts.length = length;
  facts.truth.reset();
  return facts;
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
    Facts empty = sequence_of(tensor_of(ElementType::float32, {}), 0);
    empty.most = 0;
    add(maker, scope, "SequenceEmpty", {}, empty,
        maker.random.percent(50) ? Attributes{} : Attributes{{"dtype", float32}});
    return true;
  }
  std::vector<ScopedValue> items{*first};
  Facts facts = sequence_of(first->facts, 1);
  while (items.size() < 3 && maker.random.percent(60)) {
    const auto next = any_value(
        maker, scope, [&](const Facts& other) { return other.is_tensor() && other.element == first->facts.element; });
    facts.numbers = either(facts.numbers, next->facts.numbers);
    facts.most = std::max(facts.most, next->facts.most);
    items.push_back(*next);
  }
  facts.length = static_cast<std::int64_t>(items.size());
  add(maker, scope, "SequenceConstruct", items, facts);
  return true;
}

bool add_item(Maker& maker, Scope& scope) {
  const auto sequence = any_value(
      maker, scope, [](const Facts& facts) { return facts.kind == Type::Kind::sequence && facts.length > 0; });
  if (!sequence) return false;
  Facts item = sequence->facts;
  item.kind = Type::Kind::tensor;
  item.length = 0;
  const ScopedValue at = position(maker, scope, sequence->facts.length);
  add(maker, scope, "SequenceAt", {*sequence, at}, item);
  return true;
}

bool add_insertion(Maker& maker, Scope& scope) {
  const auto sequence = any_sequence(maker, scope);
  if (!sequence) return false;
  const auto item = any_value(
      maker, scope, [&](const Facts& facts) { return facts.is_tensor() && facts.element == sequence->facts.element; });
  if (!item) return false;
  Facts result = sequence->facts;
  result.numbers = either(result.numbers, item->facts.numbers);
  result.most = std::max(result.most, item->facts.most);
  ++result.length;
  std::vector<ScopedValue> operands{*sequence, *item};
  if (maker.random.percent(40)) operands.push_back(position(maker, scope, sequence->facts.length));
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
  Facts facts = value->facts;
  facts.kind = Type::Kind::optional;
  facts.extents.reset();
  facts.truth.reset();
  facts.present = maker.random.percent(60);
  if (facts.present) {
    add(maker, scope, "Optional", {*value}, facts);
  } else {
    add(maker, scope, "Optional", {}, facts, {{"type", Type::tensor(facts.element)}});
  }
  return true;
}

/// Whether an optional holds something and, where it certainly does, what.
bool add_presence(Maker& maker, Scope& scope) {
  const auto optional = any_value(maker, scope, [](const Facts& facts) { return facts.kind == Type::Kind::optional; });
  if (!optional) return false;
  Facts has = tensor_of(ElementType::boolean, {}, {.bound = 1});
  if (optional->facts.present) has.truth = true;
  add(maker, scope, "OptionalHasElement", {*optional}, has);
  if (!optional->facts.present || maker.random.percent(30)) return true;
  Facts content = optional->facts;
  content.kind = Type::Kind::tensor;
  content.present = false;
  add(maker, scope, "OptionalGetElement", {*optional}, content);
  return true;
}

}  // namespace ifcert::generator
