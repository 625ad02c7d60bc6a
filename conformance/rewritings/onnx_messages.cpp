#include "conformance/rewritings/onnx_messages.hpp"

#include <utility>

namespace ifcert::conformance::onnx_messages {

using namespace onnx_tree;
using Attribute = fields::AttributeProto;
using Node = fields::NodeProto;

Message node(std::string_view op_type, const NameList& inputs, const NameList& outputs) {
  Message made{.kind = Kind::node};
  for (const std::string& name : inputs) made.fields.push_back(text_field(Node::input, name));
  for (const std::string& name : outputs) made.fields.push_back(text_field(Node::output, name));
  made.fields.push_back(text_field(Node::op_type, op_type));
  return made;
}

void add_graph(Message& node, std::string_view attribute, Message graph) {
  Message made{.kind = Kind::attribute,
               .fields = {text_field(Attribute::name, attribute), message_field(Attribute::g, std::move(graph)),
                          integer_field(Attribute::type, graph_attribute)}};
  node.fields.push_back(message_field(Node::attribute, std::move(made)));
}

Message tensor(std::int64_t type, const std::vector<std::int64_t>& dims, std::string_view raw_data) {
  Message made{.kind = Kind::tensor};
  for (const std::int64_t dim : dims) made.fields.push_back(integer_field(fields::TensorProto::dims, dim));
  made.fields.push_back(integer_field(fields::TensorProto::data_type, type));
  made.fields.push_back(text_field(fields::TensorProto::raw_data, raw_data));
  return made;
}

Message constant(std::string_view output, Message tensor) {
  Message made = node("Constant", {}, {std::string(output)});
  Message value{.kind = Kind::attribute,
                .fields = {text_field(Attribute::name, "value"), message_field(Attribute::t, std::move(tensor)),
                           integer_field(Attribute::type, tensor_attribute)}};
  made.fields.push_back(message_field(Node::attribute, std::move(value)));
  return made;
}

Message constant_int64(std::string_view output, char number, const std::vector<std::int64_t>& dims) {
  return constant(output, tensor(int64_type, dims, std::string{number, 0, 0, 0, 0, 0, 0, 0}));
}

Message constant_bool(std::string_view output, bool value) {
  return constant(output, tensor(bool_type, {}, std::string{static_cast<char>(value)}));
}

Message scalar_info(std::string_view name, std::int64_t type) {
  Message of_tensor{.kind = Kind::tensor_type,
                    .fields = {integer_field(fields::TypeProtoTensor::elem_type, type),
                               message_field(fields::TypeProtoTensor::shape, {.kind = Kind::shape})}};
  Message made{.kind = Kind::type, .fields = {message_field(fields::TypeProto::tensor_type, std::move(of_tensor))}};
  Message info = untyped_info(name);
  info.fields.push_back(message_field(fields::ValueInfoProto::type, std::move(made)));
  return info;
}

Message untyped_info(std::string_view name) {
  return {.kind = Kind::value_info, .fields = {text_field(fields::ValueInfoProto::name, name)}};
}

}  // namespace ifcert::conformance::onnx_messages
