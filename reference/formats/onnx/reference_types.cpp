#include "formats/onnx/reference_types.hpp"

#include <type_traits>

namespace ifcert::onnx {
namespace {

using enum proto::AttributeType;

struct TypeOf {
  using Found = std::optional<proto::AttributeType>;
  Found operator()(std::int64_t) const { return int_; }
  Found operator()(float) const { return float_; }
  Found operator()(const std::string&) const { return string; }
  Found operator()(const std::vector<std::int64_t>&) const { return ints; }
  Found operator()(const std::vector<float>&) const { return floats; }
  Found operator()(const std::vector<std::string>&) const { return strings; }
  Found operator()(const Value& value) const { return value.sparse() == nullptr ? tensor : sparse_tensor; }
  Found operator()(const Type&) const { return type_proto; }
  Found operator()(const AttributeReference&) const { return std::nullopt; }
};

}  // namespace

std::optional<proto::AttributeType> attribute_type_of(const AttributeValue& value) {
  return std::visit(TypeOf{}, value);
}

ReferenceTypes::ReferenceTypes(const Model& model) : model_(model), function_of_(model.graphs.size()) {
  for (std::size_t i = 0; i < model.functions.size(); ++i) {
    const Function& function = model.functions[i];
    assign(function.graph, i);
    for (const auto& [name, value] : function.defaults) record_type(i, name, attribute_type_of(value));
    for (const Body& body : function.default_bodies) record_type(i, body.role, graph);
  }
  // A call within a function may pass on the attributes of that function.
  bool learned = true;
  while (learned) {
    learned = false;
    for (GraphIndex at = 0; at < model.graphs.size(); ++at) {
      for (const Node& node : model.graphs[at].nodes) learned = (node.call && learn_from(node, at)) || learned;
    }
  }
}

void ReferenceTypes::assign(GraphIndex at, std::size_t function) {
  if (function_of_[at]) return;
  function_of_[at] = function;
  for (const Node& node : model_.graphs[at].nodes) {
    for (std::size_t i = node.call ? 1 : 0; i < node.bodies.size(); ++i) {
      if (node.bodies[i].reference.empty()) assign(node.bodies[i].graph, function);
    }
  }
}

bool ReferenceTypes::learn_from(const Node& call, GraphIndex at) {
  const std::optional<std::size_t> called = function_of_[call.bodies.front().graph];
  if (!called) return false;
  bool learned = false;
  for (const auto& [name, value] : call.attributes) {
    const auto* reference = std::get_if<AttributeReference>(&value);
    learned = record_type(*called, name, reference ? find(at, reference->name) : attribute_type_of(value)) || learned;
  }
  for (std::size_t i = 1; i < call.bodies.size(); ++i)
    learned = record_type(*called, call.bodies[i].role, graph) || learned;
  return learned;
}

bool ReferenceTypes::record_type(std::size_t function, const std::string& name,
                                 std::optional<proto::AttributeType> type) {
  return type && types_.emplace(std::pair(function, name), *type).second;
}

std::optional<proto::AttributeType> ReferenceTypes::find(GraphIndex at, const std::string& name) const {
  if (!function_of_[at]) return std::nullopt;
  const auto found = types_.find({*function_of_[at], name});
  return found == types_.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace ifcert::onnx
