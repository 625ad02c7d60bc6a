#include <fmt/format.h>

#include <ifcert/evaluation_error.hpp>
#include <ifcert/onnx.hpp>
#include <ifcert/openvino.hpp>
#include <ifcert/single_node.hpp>

#include "convert/tflite_single_operator.hpp"

namespace ifcert {
namespace {

/// The graph form: operands and outputs get names of their own.
struct Made {
  Model model;
  SingleNodeModel names;
};

void add_operand(Made& made, const DelegatedNode& from, std::size_t i) {
  Graph& graph = made.model.graphs.front();
  const Value& value = from.inputs[i];
  made.names.inputs.emplace_back();
  if (value.empty()) return graph.nodes[0].inputs.push_back(no_slot);
  const std::string name = fmt::format("x{}", i);
  const Slot slot = graph.add_slot(name, type_of(value));
  graph.nodes[0].inputs.push_back(slot);
  if (from.is_constant[i]) return graph.constants.push_back({slot, value});
  graph.inputs.push_back(slot);
  made.names.inputs.back() = name;
}

void add_output(Made& made, const DelegatedNode& from, std::size_t i) {
  Graph& graph = made.model.graphs.front();
  const Slot slot = from.described().outputs[i];
  made.names.outputs.emplace_back();
  if (slot == no_slot) return graph.nodes[0].outputs.push_back(no_slot);
  const std::string name = fmt::format("y{}", i);
  Type type = from.model.graphs[from.graph].slots[slot].declared;
  type.shape.reset();  // a runtime infers it again, for these operands
  graph.nodes[0].outputs.push_back(graph.add_slot(name, std::move(type)));
  graph.outputs.push_back(graph.nodes[0].outputs.back());
  made.names.outputs.back() = name;
}

Made made_from(const DelegatedNode& from) {
  const Node& node = from.described();
  Made made;
  made.model.format = from.model.format;
  made.model.ir_version = from.model.ir_version;
  if (const auto own = from.model.opsets.find(""); own != from.model.opsets.end()) made.model.opsets.insert(*own);
  if (from.model.format == Format::onnx) made.model.opsets[node.domain] = node.version;
  Graph& graph = made.model.graphs.emplace_back();
  graph.name = "node";
  Node& copy = graph.nodes.emplace_back();
  copy.name = "node";
  copy.domain = node.domain;
  copy.op = node.op;
  copy.version = node.version;
  copy.attributes = from.attributes;
  for (std::size_t i = 0; i < from.inputs.size(); ++i) add_operand(made, from, i);
  for (std::size_t i = 0; i < node.outputs.size(); ++i) add_output(made, from, i);
  return made;
}

/// The graph form has no bodies of layers other than If.
void require_no_body(const Node& node) {
  if (node.op == "Loop" || node.op == "TensorIterator") throw EvaluationError("the layer has a body");
}

/// Appends what distinguishes one attribute from another.
struct KeyOf {
  std::string& key;
  void operator()(std::int64_t number) const { key += fmt::format("i{}", number); }
  void operator()(float number) const { key += fmt::format("f{:a}", number); }
  void operator()(const std::string& text) const { key += fmt::format("s{}:{}", text.size(), text); }
  template <class Element>
  void operator()(const std::vector<Element>& list) const {
    key += fmt::format("[{}", list.size());
    for (const Element& element : list) (*this)(element);
  }
  void operator()(const Value& value) const {
    key += value.sparse() != nullptr ? fmt::format("p{}", fmt::ptr(value.sparse()))
                                     : fmt::format("p{}", fmt::ptr(value.tensor()));
  }
  void operator()(const Type& type) const { key += to_string(type); }
  void operator()(const AttributeReference&) const { key += "none"; }
};

}  // namespace

std::string single_node_key(const DelegatedNode& from) {
  const Node& node = from.described();
  std::string key = fmt::format("{} {}.{} {}", static_cast<int>(from.model.format), node.domain, node.op, node.version);
  // The graph form of TensorFlow Lite lacks most options: only the node itself has the same.
  if (from.model.format == Format::tflite)
    key += fmt::format(" {} {} {}", fmt::ptr(from.model.file.bytes().data()), from.graph, from.node);
  for (const auto& [name, value] : from.attributes) {
    key += fmt::format(" {}=", name);
    std::visit(KeyOf{key}, value);
  }
  for (std::size_t i = 0; i < from.inputs.size(); ++i) {
    key += from.is_constant[i] ? fmt::format(" {}", fmt::ptr(from.inputs[i].tensor()))
                               : fmt::format(" {}", to_string(type_of(from.inputs[i])));
  }
  for (const Slot slot : node.outputs) key += slot == no_slot ? " -" : " y";
  return key;
}

SingleNodeModel single_node_model(const DelegatedNode& from) {
  if (from.model.format == Format::tflite) return tflite::single_operator(from);
  if (from.model.format == Format::openvino) require_no_body(from.described());
  Made made = made_from(from);
  if (from.model.format == Format::onnx) {
    made.names.files = {{"model.onnx", onnx::write(made.model)}};
    return std::move(made.names);
  }
  openvino::Files files = openvino::write(made.model);
  made.names.files = {{"model.bin", std::move(files.bin)}, {"model.xml", std::move(files.xml)}};
  return std::move(made.names);
}

}  // namespace ifcert
