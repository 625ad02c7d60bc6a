// What all runs feed alike, as initializers of the main graph.
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "conformance/rewritings/onnx_messages.hpp"
#include "conformance/rewritings/onnx_rewritings.hpp"
#include "conformance/rewritings/onnx_scope.hpp"

namespace ifcert::conformance::onnx_rewritings {
namespace {

using namespace onnx_tree;
using Graph = fields::GraphProto;

/// The element type of a value that is declared as a tensor of these dims; 0 for another value. A constant that shows
/// more than the declaration did may make shapes known that must agree then.
std::int64_t element_type_of(Message& info, const std::vector<std::int64_t>& dims) {
  for (Message* type : messages_of(info, fields::ValueInfoProto::type)) {
    for (Message* tensor : messages_of(*type, fields::TypeProto::tensor_type)) {
      for (Message* shape : messages_of(*tensor, fields::TypeProtoTensor::shape)) {
        std::vector<std::int64_t> declared;
        for (Message* dim : messages_of(*shape, fields::TensorShapeProto::dim))
          declared.push_back(integer_of(*dim, fields::TensorShapeProtoDimension::dim_value, -1));
        if (declared == dims) return integer_of(*tensor, fields::TypeProtoTensor::elem_type);
      }
    }
  }
  return 0;
}

/// Names that nodes read, of a graph and of the graphs in its nodes.
void rename_reads(Message& main, std::string_view from, const std::string& to) {
  for_each(main, Kind::node, [&](Message& node) {
    for (Field* input : fields_of(node, fields::NodeProto::input)) {
      if (input->bytes == from) input->bytes = to;
    }
  });
}

/// Names that graphs of nodes return without defining them.
void rename_returned(Message& main, std::string_view from, const std::string& to) {
  for_each(main, Kind::node, [&](Message& node) {
    for (Message* graph : graphs_in(node)) {
      for (Message* output : messages_of(*graph, Graph::output)) {
        if (text_of(*output, fields::ValueInfoProto::name) == from) set_text(*output, fields::ValueInfoProto::name, to);
      }
    }
  });
}

bool is_defined_inside(Message& main, std::string_view name) {
  for (Message* node : onnx_scope::nodes_of(main)) {
    if (onnx_scope::names_defined_inside(*node).contains(name)) return true;
  }
  return false;
}

bool has_initializer(Message& main, std::string_view name) {
  for (Message* initializer : messages_of(main, Graph::initializer)) {
    if (text_of(*initializer, fields::TensorProto::name) == name) return true;
  }
  return find(main, Graph::sparse_initializer) != nullptr;
}

/// Adds an initializer that is read in the input's place, if the input is of that name.
void read_instead(Message& main, Message& input, const FedTensor& fed, const std::string& mark) {
  if (text_of(input, fields::ValueInfoProto::name) != fed.input || has_initializer(main, fed.input)) return;
  const std::int64_t type = element_type_of(input, fed.dims);
  if (type == 0) return;
  if (is_defined_inside(main, fed.input)) throw NotMade("a graph of a node defines the name of an input");
  const std::string name = mark + fed.input;
  rename_reads(main, fed.input, name);
  rename_returned(main, fed.input, name);
  Message tensor = onnx_messages::tensor(type, fed.dims, fed.bytes);
  tensor.fields.push_back(text_field(fields::TensorProto::name, name));
  main.fields.push_back(message_field(Graph::initializer, std::move(tensor)));
}

}  // namespace

void fix_inputs(ModelFiles& files) {
  if (files.fed.empty()) throw NotMade("its runs feed no input alike");
  change_tree(files, [&files](Message& model) {
    onnx_scope::require_ir_version(model, 4);  // before, an initializer is an input, too
    Message& main = main_graph(model);
    const std::string mark = onnx_scope::unused_name(model, "always_");
    for (const FedTensor& fed : files.fed) {
      for (Message* input : messages_of(main, Graph::input)) read_instead(main, *input, fed, mark);
    }
  });
}

}  // namespace ifcert::conformance::onnx_rewritings
