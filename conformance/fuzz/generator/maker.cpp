#include "conformance/fuzz/generator/maker.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ifcert/elements.hpp>
#include <string_view>

namespace ifcert::generator {
namespace {

/// A name for a new value. Sibling bodies use the same names. A few names have characters that are difficult for a
/// format.
std::string fresh_name(Maker& maker, const Scope& scope) {
  constexpr std::array<std::string_view, 6> endings{",", "\\", " ", "\xC3\xA9", "<&\"", "/0"};
  std::string name = fmt::format("v{}_{}", scope.depth, scope.values.size());
  const std::span<const std::string_view> all(endings);
  if (maker.wants_rare_form(50)) return name.append(maker.random.any_of(all));
  if (maker.random.percent(3)) name += maker.random.any_of(all.first(5));
  return name;
}

/// The declared type of a value inside a graph: none, its kind, or all that is known. The values of functions have
/// none.
Type some_declared(Maker& maker, const Scope& scope, const Facts& facts) {
  if (scope.in_function || !maker.random.percent(20)) return {};
  Type type = type_of(facts);
  if (facts.is_tensor() && maker.random.percent(30)) type.shape.reset();
  return type;
}

ScopedValue hold(Maker& maker, Scope& scope, Facts facts, Type declared) {
  const Slot slot = scope.graph.add_slot(fresh_name(maker, scope), std::move(declared));
  return scope.values.emplace_back(ScopedValue{&scope, slot, std::move(facts)});
}

}  // namespace

std::vector<ScopedValue> add_node(Maker& maker, Scope& scope, const std::string& op,
                                  const std::vector<ScopedValue>& operands, std::vector<Facts> results,
                                  Attributes attributes, std::vector<Body> bodies) {
  Node node;
  node.op = op;
  node.version = maker.opset;
  for (const ScopedValue& operand : operands)
    node.inputs.push_back(operand.home == nullptr ? no_slot : capture_into(scope, operand));
  node.attributes = std::move(attributes);
  node.bodies = std::move(bodies);
  if (maker.random.percent(20)) node.name = fmt::format("{}{}", op, scope.graph.nodes.size());
  std::vector<ScopedValue> made;
  for (Facts& facts : results) {
    Type declared = some_declared(maker, scope, facts);
    made.push_back(hold(maker, scope, std::move(facts), std::move(declared)));
    node.outputs.push_back(made.back().slot);
  }
  scope.graph.nodes.push_back(std::move(node));
  if (maker.nodes_left > 0) --maker.nodes_left;
  return made;
}

ScopedValue add(Maker& maker, Scope& scope, const std::string& op, const std::vector<ScopedValue>& operands,
                Facts result, Attributes attributes) {
  return add_node(maker, scope, op, operands, {std::move(result)}, std::move(attributes)).front();
}

Axes axes_for_opset(Maker& maker, Scope& scope, std::int64_t axis) {
  if (maker.opset < 13) return {{}, {{"axes", std::vector{axis}}}};
  return {{list(maker, scope, {axis})}, {}};
}

ScopedValue add_with_axes(Maker& maker, Scope& scope, const std::string& op, const ScopedValue& operand,
                          const Axes& axes, Facts result, Attributes attributes) {
  std::vector<ScopedValue> operands{operand};
  operands.insert(operands.end(), axes.operand.begin(), axes.operand.end());
  attributes.insert(axes.attribute.begin(), axes.attribute.end());
  return add(maker, scope, op, operands, std::move(result), std::move(attributes));
}

ScopedValue add_input(Maker& maker, Scope& scope, Facts facts) {
  Type declared = scope.in_function ? Type{} : some_declared(maker, scope, facts);
  ScopedValue input = hold(maker, scope, std::move(facts), std::move(declared));
  scope.graph.inputs.push_back(input.slot);
  return input;
}

ScopedValue constant(Maker& maker, Scope& scope, const Value& value, Numbers numbers) {
  const Tensor& tensor = *value.tensor();
  Facts facts = tensor_of(tensor.type, tensor.dims, numbers);
  if (facts.is_bool() && facts.is_single()) facts.truth = tensor.elements<std::uint8_t>()[0] != 0;
  if (scope.in_function || maker.random.percent(40)) {
    Attributes attributes{{"value", value}};
    if (maker.wants_rare_form(25))  // an attribute before or after the value, which the operator does not have
      attributes.emplace(maker.random.any_of({"a_first", "z_last"}), std::vector<std::int64_t>{7, 7});
    return add(maker, scope, "Constant", {}, facts, std::move(attributes));
  }
  ScopedValue held = hold(maker, scope, std::move(facts), {});
  scope.graph.constants.push_back({held.slot, value});
  return held;
}

Value tensor_value(ElementType element, const Dims& dims, std::span<const std::int64_t> numbers) {
  std::byte* bytes = nullptr;
  const std::size_t size = bytes_of(element, numbers.size());
  Tensor made{element, dims, Buffer::allocate(size, &bytes), {}};
  for (std::size_t i = 0; i < numbers.size(); ++i) write_number(std::span(bytes, size), element, i, numbers[i]);
  return made;
}

ScopedValue scalar(Maker& maker, Scope& scope, ElementType element, std::int64_t number) {
  return constant(maker, scope, tensor_value(element, {}, {&number, 1}), {.bound = number < 0 ? -number : number});
}

ScopedValue list(Maker& maker, Scope& scope, const std::vector<std::int64_t>& numbers) {
  std::int64_t bound = 0;
  for (const std::int64_t number : numbers) bound = std::max(bound, number < 0 ? -number : number);
  const Value value = tensor_value(ElementType::int64, {static_cast<std::int64_t>(numbers.size())}, numbers);
  return constant(maker, scope, value, {.bound = bound});
}

ScopedValue any_constant(Maker& maker, Scope& scope, ElementType element, const Dims& dims) {
  if (element == ElementType::string) {
    std::vector<std::string> texts(element_count(dims));
    for (std::string& text : texts) text = maker.random.any_of({"", "a", "\xC3\xA9", "b c"});
    return constant(maker, scope, make_strings(dims, std::move(texts)), {.opaque = true});
  }
  std::vector<std::int64_t> numbers(element_count(dims));
  const bool is_bool = element == ElementType::boolean;
  for (std::int64_t& number : numbers) number = is_bool ? maker.random.between(0, 1) : maker.random.between(-8, 8);
  return constant(maker, scope, tensor_value(element, dims, numbers), {.bound = is_bool ? 1 : 8});
}

ScopedValue any_constant(Maker& maker, Scope& scope) {
  const Dims dims = any_dims(maker);
  return any_constant(maker, scope, any_element(maker), dims);
}

Dims any_dims(Maker& maker) {
  Dims dims(maker.random.below(4));
  for (std::int64_t& dim : dims) dim = maker.random.percent(4) ? 0 : maker.random.between(1, 3);
  return dims;
}

ElementType any_element(Maker& maker) {
  using enum ElementType;
  return maker.random.any_of({float32, float32, int64, int32, boolean});
}

Scope inside(Scope& outer) {
  return {.outer = &outer,
          .depth = outer.depth + 1,
          .loops = outer.loops,
          .in_function = outer.in_function,
          .never_runs = outer.never_runs};
}

void make_call(Scope& scope, const std::string& name, GraphIndex function) {
  Node& node = scope.graph.nodes.back();
  node.op = name;
  node.domain = function_domain;
  node.version = 1;
  node.call = true;
  node.bodies.insert(node.bodies.begin(), Body{"function", function, {}, {}});
}

Body finished(Maker& maker, Scope& body, const std::string& role) {
  Body made{role, static_cast<GraphIndex>(maker.model.graphs.size()), std::move(body.captures), {}};
  body.graph.name = role;
  maker.model.graphs.push_back(std::move(body.graph));
  return made;
}

ScopedValue add_output(Maker& maker, Scope& scope, const ScopedValue& value) {
  const bool is_own = value.home == &scope;
  const bool is_input = is_own && std::ranges::count(scope.graph.inputs, value.slot) > 0;
  const bool is_output = is_own && std::ranges::count(scope.graph.outputs, value.slot) > 0;
  const bool is_certain = is_own && !is_input && !is_output;
  const bool may_be_direct = is_certain || maker.settings.doubtful;
  ScopedValue output = value;
  if (may_be_direct && maker.random.percent(50)) {
    output.slot = capture_into(scope, value);
    output.home = &scope;
  } else {
    output = add(maker, scope, "Identity", {value}, value.facts);
  }
  scope.graph.outputs.push_back(output.slot);
  return output;
}

}  // namespace ifcert::generator
