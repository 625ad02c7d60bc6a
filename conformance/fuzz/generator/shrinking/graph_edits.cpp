#include "conformance/fuzz/generator/shrinking/graph_edits.hpp"

#include <algorithm>
#include <ifcert/reference.hpp>
#include <limits>
#include <utility>

namespace ifcert::generator::shrinking {
namespace {

template <class T>
Value filled_with(ElementType element, Dims dims, T number) {
  const std::vector<T> elements(element_count(dims), number);
  return make_tensor<T>(element, std::move(dims), elements);
}

constexpr std::int64_t most_filled = 4096;

}  // namespace

void replace_reads(Graph& graph, Slot from, Slot to) {
  for (Node& node : graph.nodes) for_each_read(node, [&](Slot& slot) { slot = slot == from ? to : slot; });
}

bool is_read(const Graph& graph, Slot slot) {
  bool found = is_output(graph, slot);
  for (const Node& node : graph.nodes) for_each_read(node, [&](Slot read) { found = found || read == slot; });
  return found;
}

bool is_output(const Graph& graph, Slot slot) {
  return std::ranges::count(graph.outputs, slot) > 0;
}

bool is_input(const Graph& graph, Slot slot) {
  return std::ranges::count(graph.inputs, slot) > 0;
}

bool is_made(const Graph& graph, Slot slot) {
  return std::ranges::any_of(graph.nodes,
                             [slot](const Node& node) { return std::ranges::count(node.outputs, slot) > 0; });
}

void redirect(Model& model, GraphIndex index, std::size_t position, Slot from, Slot to) {
  Graph& graph = model.graphs[index];
  replace_reads(graph, from, to);
  if (!is_output(graph, from)) return;
  const bool direct = model.format != Format::onnx || (is_made(graph, to) && !is_output(graph, to));
  if (!direct) {
    graph.nodes.insert(graph.nodes.begin() + static_cast<std::ptrdiff_t>(position),
                       operation(model, "Identity", {to}, {from}));
    return;
  }
  std::ranges::replace(graph.outputs, from, to);
  if (is_made(graph, to)) graph.slots[to] = graph.slots[from];  // an output keeps its name and its declared type
}

std::optional<Value> filled(const Type& type, std::int64_t number) {
  if (!type.is_tensor()) return std::nullopt;
  Dims dims;
  for (const Dim& dim : type.shape.value_or(Shape{})) dims.push_back(dim.known() ? dim.value : 1);
  if (element_count(dims) > most_filled) return std::nullopt;
  switch (type.element) {
    case ElementType::boolean:
      return filled_with<std::uint8_t>(type.element, dims, number == 0 ? 0 : 1);
    case ElementType::int32:
      return filled_with(type.element, dims, static_cast<std::int32_t>(number));
    case ElementType::int64:
      return filled_with(type.element, dims, number);
    case ElementType::float32:
      return filled_with(type.element, dims, static_cast<float>(number));
    case ElementType::float64:
      return filled_with(type.element, dims, static_cast<double>(number));
    case ElementType::string:
      return make_strings(dims, std::vector<std::string>(element_count(dims)));
    default:
      break;
  }
  if (type.element == ElementType::undefined || number != 0) return std::nullopt;
  std::byte* zeros = nullptr;
  return Tensor{type.element, dims, Buffer::allocate(bytes_of(type.element, element_count(dims)), &zeros), {}};
}

Slot add_constant(Graph& graph, Value value) {
  const Slot slot = graph.add_slot("", type_of(value));
  graph.constants.push_back({slot, std::move(value)});
  return slot;
}

Node operation(const Model& model, const std::string& op, std::vector<Slot> inputs, std::vector<Slot> outputs) {
  Node node;
  node.op = op;
  const auto version = model.opsets.find("");
  node.version = version == model.opsets.end() ? 0 : static_cast<int>(version->second);
  node.inputs = std::move(inputs);
  node.outputs = std::move(outputs);
  return node;
}

}  // namespace ifcert::generator::shrinking
