// Initializers of each graph as Constants in it, and the reverse; results of branches that are copies.
#include <fmt/format.h>

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "conformance/rewritings/onnx_messages.hpp"
#include "conformance/rewritings/onnx_rewritings.hpp"
#include "conformance/rewritings/onnx_scope.hpp"

namespace ifcert::conformance::onnx_rewritings {
namespace {

using namespace onnx_tree;
using onnx_scope::NameSet;
using Graph = fields::GraphProto;

/// The names that a graph takes or returns.
NameSet names_outside(Message& graph) {
  NameSet names;
  for (const Number list : {Graph::input, Graph::output}) {
    for (Message* info : messages_of(graph, list)) names.emplace(text_of(*info, fields::ValueInfoProto::name));
  }
  return names;
}

/// The tensor of a Constant; nullptr for a node that is none, or has its number elsewhere.
Message* tensor_in(Message& node) {
  if (text_of(node, fields::NodeProto::op_type) != "Constant" ||
      !onnx_scope::is_default_domain(text_of(node, fields::NodeProto::domain)))
    return nullptr;
  for (Message* attribute : messages_of(node, fields::NodeProto::attribute)) {
    if (text_of(*attribute, fields::AttributeProto::name) != "value") continue;
    for (Message* tensor : messages_of(*attribute, fields::AttributeProto::t)) return tensor;
  }
  return nullptr;
}

void name_tensor(Message& tensor, std::string_view name) {
  remove(tensor, fields::TensorProto::name);
  if (!name.empty()) tensor.fields.push_back(text_field(fields::TensorProto::name, name));
}

}  // namespace

void constants_into_initializers(ModelFiles& files) {
  change_tree(files, [](Message& model) {
    onnx_scope::require_ir_version(model, 4);  // before, an initializer is an input, too
    for_each(model, Kind::graph, [](Message& graph) {
      const NameSet outside = names_outside(graph);
      std::vector<Field> made;
      std::erase_if(graph.fields, [&](Field& field) {
        if (field.number != Graph::node) return false;
        Message& node = field.message.front();
        const std::string name(text_of(node, fields::NodeProto::output));
        Message* tensor = tensor_in(node);
        if (tensor == nullptr || name.empty() || outside.contains(name)) return false;
        name_tensor(*tensor, name);
        made.push_back(message_field(Graph::initializer, std::move(*tensor)));
        return true;
      });
      for (Field& field : made) graph.fields.push_back(std::move(field));
    });
  });
}

void initializers_into_constants(ModelFiles& files) {
  change_tree(files, [](Message& model) {
    for_each(model, Kind::graph, [](Message& graph) {
      const NameSet outside = names_outside(graph);
      std::vector<Message> made;
      std::erase_if(graph.fields, [&](Field& field) {
        if (field.number != Graph::initializer) return false;
        Message& tensor = field.message.front();
        const std::string name(text_of(tensor, fields::TensorProto::name));
        if (outside.contains(name) || integer_of(tensor, fields::TensorProto::data_location) != 0) return false;
        name_tensor(tensor, "");
        made.push_back(onnx_messages::constant(name, std::move(tensor)));
        return true;
      });
      for (Message& node : made) add_first(graph, message_field(Graph::node, std::move(node)));
    });
  });
}

void copy_results(ModelFiles& files) {
  change_tree(files, [](Message& model) {
    if (onnx_scope::default_version(model) == 13) throw NotMade("If takes sequences already, Identity not yet");
    const std::string mark = onnx_scope::unused_name(model, "copy_");
    int number = 0;
    for_each(model, Kind::node, [&](Message& node) {
      if (!onnx_scope::is_if(node)) return;
      for (Message* branch : graphs_in(node)) {
        for (Message* output : messages_of(*branch, Graph::output)) {
          const std::string name(text_of(*output, fields::ValueInfoProto::name));
          const std::string copy = fmt::format("{}{}", mark, number++);
          set_text(*output, fields::ValueInfoProto::name, copy);
          branch->fields.push_back(message_field(Graph::node, onnx_messages::node("Identity", {name}, {copy})));
        }
      }
    });
  });
}

}  // namespace ifcert::conformance::onnx_rewritings
