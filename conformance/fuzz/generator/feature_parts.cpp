#include "conformance/fuzz/generator/feature_parts.hpp"

#include <algorithm>
#include <cmath>
#include <ifcert/reference.hpp>
#include <set>

#include "conformance/fuzz/generator/facts.hpp"

namespace ifcert::generator {
namespace {

void compare_values(const Value& first, const Value& second, std::set<Difference>& found) {
  const Tensor& one = *first.tensor();
  const Tensor& other = *second.tensor();
  if (one.type != other.type) found.insert(Difference::type);
  if (one.dims != other.dims) found.insert(Difference::shape);
  if (one.type == other.type && one.dims == other.dims && !same_bits(first, second)) found.insert(Difference::bytes);
}

/// An attribute that is a value counts by the value.
void compare_attributes(const Node& first, const Node& second, std::set<Difference>& found) {
  for (const auto& [name, attribute] : first.attributes) {
    const AttributeValue& other = second.attributes.at(name);
    const auto* value = std::get_if<Value>(&attribute);
    if (value != nullptr && std::holds_alternative<Value>(other)) {
      compare_values(*value, std::get<Value>(other), found);
    } else if (const auto* number = std::get_if<std::int64_t>(&attribute);
               number != nullptr && std::holds_alternative<std::int64_t>(other) &&
               *number != std::get<std::int64_t>(other)) {
      found.insert(Difference::attribute);
    }
  }
}

bool have_same_form(const Node& first, const Node& second) {
  return first.op == second.op && first.inputs == second.inputs && first.outputs == second.outputs &&
         first.bodies.empty() && second.bodies.empty() &&
         std::ranges::equal(
             first.attributes, second.attributes, {}, [](const auto& each) { return each.first; },
             [](const auto& each) { return each.first; });
}

bool have_same_form(const Graph& first, const Graph& second) {
  return first.slots.size() == second.slots.size() && first.outputs == second.outputs &&
         std::ranges::equal(first.constants, second.constants, {}, &Constant::slot, &Constant::slot) &&
         std::ranges::equal(first.nodes, second.nodes,
                            [](const Node& one, const Node& other) { return have_same_form(one, other); });
}

template <class T>
bool any_edge(const Tensor& tensor) {
  constexpr double large = (1 << 24) - 1;
  constexpr double small = 1e-30;
  return std::ranges::any_of(tensor.elements<T>(), [](T element) {
    const auto number = static_cast<double>(element);
    const double size = std::abs(number);
    return std::isnan(number) || size >= large || (size > 0 && size < small) || (number == 0 && std::signbit(number));
  });
}

}  // namespace

std::optional<Difference> only_difference(const Graph& first, const Graph& second) {
  if (!have_same_form(first, second)) return std::nullopt;
  std::set<Difference> found;
  for (std::size_t i = 0; i < first.constants.size(); ++i)
    compare_values(first.constants[i].value, second.constants[i].value, found);
  for (std::size_t i = 0; i < first.nodes.size(); ++i) compare_attributes(first.nodes[i], second.nodes[i], found);
  if (!std::ranges::equal(first.slots, second.slots, {}, &SlotInfo::name, &SlotInfo::name))
    found.insert(Difference::name);
  return found.size() == 1 ? std::optional(*found.begin()) : std::nullopt;
}

bool has_edge(const Value& value) {
  const Tensor* tensor = value.tensor();
  if (tensor == nullptr) return false;
  switch (tensor->type) {
    case ElementType::float32:
      return any_edge<float>(*tensor);
    case ElementType::int32:
      return any_edge<std::int32_t>(*tensor);
    case ElementType::int64:
      return any_edge<std::int64_t>(*tensor);
    default:
      return false;
  }
}

const Value* constant_in(const Graph& graph, Slot slot) {
  for (const Constant& constant : graph.constants) {
    if (constant.slot == slot) return &constant.value;
  }
  for (const Node& node : graph.nodes) {
    if (node.op != "Constant" || node.outputs[0] != slot) continue;
    const auto value = node.attributes.find("value");
    return value == node.attributes.end() ? nullptr : std::get_if<Value>(&value->second);
  }
  return nullptr;
}

bool would_fail(const Graph& graph, const Node& node) {
  if (node.op != "Gather" && node.op != "Reshape" && node.op != "SequenceAt") return false;
  const Value* value = constant_in(graph, node.inputs[1]);
  return value != nullptr && value->tensor()->type == ElementType::int64 &&
         std::ranges::any_of(value->tensor()->elements<std::int64_t>(),
                             [](std::int64_t number) { return number > most_elements; });
}

Slot source_of(const Graph& graph, Slot slot) {
  for (const Node& node : graph.nodes) {
    if (node.op == "Identity" && node.outputs[0] == slot) return source_of(graph, node.inputs[0]);
  }
  return slot;
}

}  // namespace ifcert::generator
