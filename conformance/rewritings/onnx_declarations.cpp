#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/rewritings/onnx_rewritings.hpp"
#include "conformance/rewritings/onnx_scope.hpp"

namespace ifcert::conformance::onnx_rewritings {
namespace {

using namespace onnx_tree;
using Node = fields::NodeProto;
using Tensor = fields::TensorProto;

/// TypeProto messages of values, by name.
using Types = std::map<std::string, Message, std::less<>>;

constexpr std::int64_t bool_type = 9;

/// Operators whose result is a bool in all their versions.
constexpr auto bool_operators = std::to_array<std::string_view>(
    {"And", "Equal", "Greater", "GreaterOrEqual", "IsInf", "IsNaN", "Less", "LessOrEqual", "Not", "Or", "Xor"});

/// `tensor_type` as a TypeProto.
Message type_of(std::vector<Field> tensor_type) {
  return {.kind = Kind::type,
          .fields = {message_field(fields::TypeProto::tensor_type,
                                   Message{.kind = Kind::tensor_type, .fields = std::move(tensor_type)})}};
}

/// The type and the shape of a tensor.
Message type_of_tensor(Message& tensor) {
  Message shape{.kind = Kind::shape};
  for (const std::uint64_t length : numbers_in(tensor, Tensor::dims, Wire::varint)) {
    shape.fields.push_back(message_field(fields::TensorShapeProto::dim,
                                         Message{.kind = Kind::dimension,
                                                 .fields = {integer_field(fields::TensorShapeProtoDimension::dim_value,
                                                                          static_cast<std::int64_t>(length))}}));
  }
  return type_of({integer_field(fields::TypeProtoTensor::elem_type, integer_of(tensor, Tensor::data_type)),
                  message_field(fields::TypeProtoTensor::shape, std::move(shape))});
}

/// The tensor of a Constant, or nullptr.
Message* value_of_constant(Message& node) {
  for (Message* attribute : messages_of(node, Node::attribute)) {
    const std::vector<Message*> tensors = messages_of(*attribute, fields::AttributeProto::t);
    if (text_of(*attribute, fields::AttributeProto::name) == "value" && tensors.size() == 1) return tensors.front();
  }
  return nullptr;
}

/// Adds what a node's only result must be, where that is known.
void learn(Types& types, Message& node) {
  const std::string_view operation = text_of(node, Node::op_type);
  const std::string name(text_of(node, Node::output));
  if (!onnx_scope::is_default_domain(text_of(node, Node::domain)) || name.empty() ||
      fields_of(node, Node::output).size() != 1)
    return;
  if (operation == "Constant") {
    if (Message* tensor = value_of_constant(node)) types.insert_or_assign(name, type_of_tensor(*tensor));
  } else if (operation == "Identity") {
    if (const auto operand = types.find(text_of(node, Node::input)); operand != types.end())
      types.insert_or_assign(name, Message(operand->second));
  } else if (std::ranges::find(bool_operators, operation) != bool_operators.end()) {
    types.insert_or_assign(name, type_of({integer_field(fields::TypeProtoTensor::elem_type, bool_type)}));
  }
}

onnx_scope::NameSet names_in(Message& graph, Number list) {
  onnx_scope::NameSet names;
  for (Message* info : messages_of(graph, list)) names.emplace(text_of(*info, fields::ValueInfoProto::name));
  return names;
}

/// Declares what is known in a graph and in those of its nodes; `types` are those of the graphs around it.
void declare_in(Message& graph, Types types) {
  const onnx_scope::NameSet inputs = names_in(graph, fields::GraphProto::input);
  for (Message* tensor : messages_of(graph, fields::GraphProto::initializer)) {
    const std::string name(text_of(*tensor, Tensor::name));
    if (!inputs.contains(name)) types.insert_or_assign(name, type_of_tensor(*tensor));
  }
  for (Message* node : onnx_scope::nodes_of(graph)) {
    learn(types, *node);
    for (Message* inner : graphs_in(*node)) declare_in(*inner, types);
  }
  onnx_scope::NameSet declared = names_in(graph, fields::GraphProto::value_info);
  declared.merge(onnx_scope::NameSet(inputs));
  declared.merge(names_in(graph, fields::GraphProto::output));
  for (const std::string& name : onnx_scope::defined_names(graph)) {
    const auto type = types.find(name);
    if (type == types.end() || declared.contains(name)) continue;
    graph.fields.push_back(
        message_field(fields::GraphProto::value_info,
                      Message{.kind = Kind::value_info,
                              .fields = {text_field(fields::ValueInfoProto::name, name),
                                         message_field(fields::ValueInfoProto::type, type->second)}}));
  }
}

}  // namespace

void add_value_infos(ModelFiles& files) {
  change_tree(files, [](Message& model) {
    onnx_scope::require_default_domain_unextended(model);
    declare_in(main_graph(model), {});
  });
}

}  // namespace ifcert::conformance::onnx_rewritings
