// Graphs → tables → bytes: slots become tensors, nodes operators, bodies the indices of subgraphs. Quantization,
// metadata and signatures are not part of the graph form, and are not written.
#include <fmt/format.h>

#include <ifcert/tflite.hpp>
#include <limits>
#include <map>
#include <stdexcept>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "formats/tflite/types.hpp"
#include "formats/tflite/write_buffers.hpp"
#include "formats/tflite/write_options.hpp"
#include "formats/written_limits.hpp"
#include "model/node_kind.hpp"
#include "model/place.hpp"

namespace ifcert::tflite {
namespace {

using flatbuffers::Offset;

[[noreturn]] void refuse(const Place& place, const std::string& reason) {
  throw Inexpressible(to_string(place), reason);
}

Place place_of_subgraph(const Graph& graph, std::size_t index) {
  return {.kind = Place::Kind::subgraph, .name = graph.name, .number = index};
}

/// Readers use names as C strings, so two names that differ only after a NUL would be the same.
const char* c_name(const std::string& name, const Place& place) {
  const std::size_t end = name.find('\0');
  if (end != std::string::npos) refuse(place, fmt::format("a name has a NUL at {}, where it ends for readers", end));
  return name.c_str();
}

std::string schema_name(const Node& node) {
  switch (node_kind(node, Format::tflite)) {
    case NodeKind::if_:
      return "IF";
    case NodeKind::while_:
      return "WHILE";
    default:
      return node.op;
  }
}

using Codes = std::unordered_map<std::string_view, schema::BuiltinOperator>;

Codes codes_by_name() {
  Codes codes;
  for (const schema::BuiltinOperator code : schema::EnumValuesBuiltinOperator())
    codes.emplace(schema::EnumNameBuiltinOperator(code), code);
  return codes;
}

class Writer {
 public:
  Writer(const Model& model, Identifier identifier)
      : model_(model), identifier_(identifier), buffers_(builder_), codes_by_name_(codes_by_name()) {}

  std::string write();

 private:
  Offset<schema::SubGraph> write_graph(const Graph& graph, const Place& place);
  std::vector<std::uint32_t> write_constants(const Graph& graph, const Place& place);
  Offset<schema::Tensor> write_tensor(const SlotInfo& slot, const Shape* shape, std::uint32_t buffer,
                                      const Place& place);
  Offset<schema::Operator> write_node(const Graph& graph, const Node& node, const Place& place);
  WrittenOptions write_if(const Node& node, const Place& place);
  WrittenOptions write_while(const Node& node, const Place& place);
  std::int32_t subgraph_of(const Body& body, std::string_view role, const Place& place) const;
  schema::BuiltinOperator code_of(const Node& node, const Place& place) const;
  std::uint32_t write_code(const Node& node, schema::BuiltinOperator code);

  const Model& model_;
  Identifier identifier_;
  flatbuffers::FlatBufferBuilder builder_;
  WrittenBuffers buffers_;
  WrittenLimits limits_;
  std::unordered_set<GraphIndex> counted_;  // the subgraphs whose inputs have been
  Codes codes_by_name_;
  std::vector<Offset<schema::OperatorCode>> codes_;
  std::map<std::pair<schema::BuiltinOperator, int>, std::uint32_t> code_indices_;
};

std::string Writer::write() {
  if (!model_.functions.empty()) refuse({.what = "model"}, "the schema has no functions");
  std::vector<Offset<schema::SubGraph>> subgraphs;
  for (std::size_t i = 0; i < model_.graphs.size(); ++i)
    subgraphs.push_back(write_graph(model_.graphs[i], place_of_subgraph(model_.graphs[i], i)));
  const bool is_circle = identifier_ == Identifier::circle;
  const char* description = model_.producer.empty() ? nullptr : model_.producer.c_str();
  const auto root = schema::CreateModelDirect(builder_, is_circle ? 0 : schema_version, &codes_, &subgraphs,
                                              description, &buffers_.all());
  builder_.Finish(root, is_circle ? "CIR0" : "TFL3");
  return {reinterpret_cast<const char*>(builder_.GetBufferPointer()), builder_.GetSize()};
}

/// The indices of tensors; -1 for an input that is left out.
std::vector<std::int32_t> indices_of(const std::vector<Slot>& slots) {
  std::vector<std::int32_t> indices;
  for (const Slot slot : slots) indices.push_back(slot == no_slot ? -1 : static_cast<std::int32_t>(slot));
  return indices;
}

Offset<schema::SubGraph> Writer::write_graph(const Graph& graph, const Place& place) {
  if (!graph.unevaluated.empty()) refuse(place, "variables, resources and sparse tensors are not written");
  const std::vector<std::uint32_t> buffers = write_constants(graph, place);
  std::vector<std::optional<Shape>> shapes(graph.slots.size());
  for (std::size_t i = 0; i < graph.slots.size(); ++i) shapes[i] = graph.slots[i].declared.shape;
  for (const Constant& constant : graph.constants) shapes[constant.slot] = static_shape(constant.value.tensor()->dims);
  std::vector<Offset<schema::Tensor>> tensors;
  for (std::size_t i = 0; i < graph.slots.size(); ++i) {
    tensors.push_back(
        write_tensor(graph.slots[i], shapes[i] ? &*shapes[i] : nullptr, buffers[i], place.numbered("tensor", i)));
  }
  std::vector<Offset<schema::Operator>> operators;
  for (std::size_t i = 0; i < graph.nodes.size(); ++i)
    operators.push_back(write_node(graph, graph.nodes[i], place.operation(graph.nodes[i].op, i)));
  const std::vector<std::int32_t> inputs = indices_of(graph.inputs);
  const std::vector<std::int32_t> outputs = indices_of(graph.outputs);
  return schema::CreateSubGraphDirect(builder_, &tensors, &inputs, &outputs, &operators, c_name(graph.name, place));
}

/// The buffer of each slot: 0 where it is not a constant.
std::vector<std::uint32_t> Writer::write_constants(const Graph& graph, const Place& place) {
  std::vector<std::uint32_t> buffers(graph.slots.size());
  std::vector<bool> is_input(graph.slots.size());
  for (const Slot slot : graph.inputs) is_input[slot] = true;
  for (const Constant& constant : graph.constants) {
    const Place here = place.numbered("tensor", constant.slot);
    const Tensor* tensor = constant.value.tensor();
    if (tensor == nullptr) refuse(here, "the value is not a tensor");
    if (is_input[constant.slot]) refuse(here, "the schema has no optional inputs");
    if (tensor->type != graph.slots[constant.slot].declared.element)
      refuse(here, fmt::format("the buffer would hold {}", to_string(type_of(constant.value))));
    buffers[constant.slot] = buffers_.add(*tensor, here);
  }
  return buffers;
}

/// "shape_signature" marks unknown dims, for which "shape" has a 1. "has_rank" distinguishes a scalar from an unknown
/// rank.
Offset<schema::Tensor> Writer::write_tensor(const SlotInfo& slot, const Shape* shape, std::uint32_t buffer,
                                            const Place& place) {
  const auto type = tensor_type_of(slot.declared.element);
  if (!slot.declared.is_tensor() || !type)
    refuse(place, fmt::format("the schema has no type {}", to_string(slot.declared)));
  limits_.add_name(slot.name, place);
  limits_.add_dims(shape == nullptr ? 0 : shape->size(), place);
  std::vector<std::int32_t> dims, signature;
  bool all_known = true;
  for (std::size_t i = 0; shape != nullptr && i < shape->size(); ++i) {
    const Dim& dim = (*shape)[i];
    if (dim.value > std::numeric_limits<std::int32_t>::max())
      refuse(place, fmt::format("a size of {} in shape does not fit 32 bits", dim.value));
    all_known = all_known && dim.known();
    dims.push_back(dim.known() ? static_cast<std::int32_t>(dim.value) : 1);
    signature.push_back(dim.known() ? dims.back() : -1);
  }
  return schema::CreateTensorDirect(builder_, &dims, *type, buffer, c_name(slot.name, place), 0, false, 0,
                                    all_known ? nullptr : &signature, shape != nullptr);
}

Offset<schema::Operator> Writer::write_node(const Graph& graph, const Node& node, const Place& place) {
  const schema::BuiltinOperator code = code_of(node, place);
  for (std::size_t i = 0; i < node.outputs.size(); ++i) {
    if (node.outputs[i] == no_slot) refuse(place.numbered("output", i), "the schema has no optional outputs");
  }
  WrittenOptions options;
  if (code == schema::BuiltinOperator_IF) {
    options = write_if(node, place);
  } else if (code == schema::BuiltinOperator_WHILE) {
    options = write_while(node, place);
  } else {
    if (!node.bodies.empty()) refuse(place, "If and While are the only operators with subgraphs that are written");
    options = write_options(builder_, node, graph.slots, code, place);
  }
  const std::vector<std::int32_t> inputs = indices_of(node.inputs);
  const std::vector<std::int32_t> outputs = indices_of(node.outputs);
  return schema::CreateOperatorDirect(builder_, write_code(node, code), &inputs, &outputs, options.type, options.table);
}

std::int32_t Writer::subgraph_of(const Body& body, std::string_view role, const Place& place) const {
  if (body.role != role || !body.reference.empty() || body.graph >= model_.graphs.size())
    refuse(place, fmt::format("not a {}", role));
  return static_cast<std::int32_t>(body.graph);
}

/// The inputs after cond are the inputs of both subgraphs.
WrittenOptions Writer::write_if(const Node& node, const Place& place) {
  if (node.bodies.size() != 2) refuse(place, "an If has a then_subgraph and an else_subgraph");
  for (const Body& body : node.bodies) {
    const std::vector<Slot>& inputs = model_.graphs.at(body.graph).inputs;
    bool fits = body.captures.size() == inputs.size() && node.inputs.size() == inputs.size() + 1;
    for (std::size_t i = 0; fits && i < inputs.size(); ++i)
      fits = body.captures[i].inner == inputs[i] && body.captures[i].outer == node.inputs[i + 1];
    if (!fits) refuse(place.word(body.role), "the inputs of the subgraph are not the operator's inputs after cond");
    if (!counted_.insert(body.graph).second) continue;  // a subgraph is written once, however many operators name it
    for (const Slot input : inputs) limits_.add_captured(model_.graphs[body.graph].slots[input], place.word(body.role));
  }
  return {schema::BuiltinOptions_IfOptions,
          schema::CreateIfOptions(builder_, subgraph_of(node.bodies[0], "then_subgraph", place),
                                  subgraph_of(node.bodies[1], "else_subgraph", place))
              .Union()};
}

WrittenOptions Writer::write_while(const Node& node, const Place& place) {
  if (node.bodies.size() != 2) refuse(place, "a While has a cond_subgraph and a body_subgraph");
  for (const Body& body : node.bodies) {
    if (!body.captures.empty())
      refuse(place.word(body.role), "a subgraph of a While takes the operator's inputs, and nothing else");
  }
  return {schema::BuiltinOptions_WhileOptions,
          schema::CreateWhileOptions(builder_, subgraph_of(node.bodies[0], "cond_subgraph", place),
                                     subgraph_of(node.bodies[1], "body_subgraph", place))
              .Union()};
}

schema::BuiltinOperator Writer::code_of(const Node& node, const Place& place) const {
  if (node.domain == "custom") refuse(place, "the custom_options of an operator are not in the graph form");
  if (node.domain == "quantized") refuse(place, "the quantization of tensors is not in the graph form");
  const auto found = codes_by_name_.find(schema_name(node));
  if (!node.domain.empty() || node.call || found == codes_by_name_.end() || node.op == "IF" || node.op == "WHILE")
    refuse(place, "the schema has no such operator");
  if (found->second < 0 && identifier_ == Identifier::tflite) refuse(place, "only Circle has this operator");
  return found->second;
}

/// "deprecated_builtin_code" is a byte, 127 where the code does not fit.
std::uint32_t Writer::write_code(const Node& node, schema::BuiltinOperator code) {
  const auto [entry, is_new] =
      code_indices_.emplace(std::pair(code, node.version), static_cast<std::uint32_t>(codes_.size()));
  if (is_new) {
    const auto old_code = static_cast<std::int8_t>(std::min<int>(code, std::numeric_limits<std::int8_t>::max()));
    codes_.push_back(schema::CreateOperatorCode(builder_, old_code, 0, node.version, code));
  }
  return entry->second;
}

}  // namespace

std::string write(const Model& model, Identifier identifier) {
  if (model.format != Format::tflite) throw std::invalid_argument("tflite::write: the model is of another format");
  return Writer(model, identifier).write();
}

}  // namespace ifcert::tflite
