#include "conformance/rewritings/onnx_scope.hpp"

#include <algorithm>
#include <iterator>

namespace ifcert::conformance::onnx_scope {
namespace {

using namespace onnx_tree;

/// The strings of a field, without the empty ones.
void add_texts(Message& message, Number number, std::vector<std::string>& to) {
  for (const Field* field : fields_of(message, number)) {
    if (!field->bytes.empty()) to.push_back(field->bytes);
  }
}

/// The names of the messages in a field.
void add_names(Message& message, Number list, Number name, std::vector<std::string>& to) {
  for (Message* entry : messages_of(message, list)) add_texts(*entry, name, to);
}

std::vector<std::string> without_repetition(std::vector<std::string> names) {
  NameSet seen;
  std::erase_if(names, [&seen](const std::string& name) { return !seen.insert(name).second; });
  return names;
}

/// What a graph reads of the graphs around it.
NameSet free_names(Message& graph) {
  NameSet read;
  for (Message* node : nodes_of(graph)) read.merge(names_read(*node));
  std::vector<std::string> outputs;
  add_names(graph, fields::GraphProto::output, fields::ValueInfoProto::name, outputs);
  read.insert(outputs.begin(), outputs.end());
  for (const std::string& name : defined_names(graph)) read.erase(name);
  return read;
}

}  // namespace

std::vector<Message*> nodes_of(Message& body) {
  const Number number =
      body.kind == Kind::graph ? Number{fields::GraphProto::node} : Number{fields::FunctionProto::node};
  return messages_of(body, number);
}

std::vector<std::string> defined_names(Message& body) {
  std::vector<std::string> names;
  if (body.kind == Kind::function) add_texts(body, fields::FunctionProto::input, names);
  if (body.kind == Kind::graph) {
    add_names(body, fields::GraphProto::input, fields::ValueInfoProto::name, names);
    add_names(body, fields::GraphProto::initializer, fields::TensorProto::name, names);
    for (Message* sparse : messages_of(body, fields::GraphProto::sparse_initializer))
      add_names(*sparse, fields::SparseTensorProto::values, fields::TensorProto::name, names);
  }
  for (Message* node : nodes_of(body)) add_texts(*node, fields::NodeProto::output, names);
  return without_repetition(std::move(names));
}

NameSet names_read(Message& node) {
  std::vector<std::string> operands;
  add_texts(node, fields::NodeProto::input, operands);
  NameSet read(operands.begin(), operands.end());
  for (Message* graph : graphs_in(node)) read.merge(free_names(*graph));
  return read;
}

NameSet names_defined_inside(Message& node) {
  NameSet defined;
  for (Message* graph : graphs_in(node)) {
    for (std::string& name : defined_names(*graph)) defined.insert(std::move(name));
    for (Message* inner : nodes_of(*graph)) defined.merge(names_defined_inside(*inner));
  }
  return defined;
}

NameSet main_names(Message& model) {
  std::vector<std::string> names;
  for (const Number list : {fields::GraphProto::input, fields::GraphProto::output})
    add_names(main_graph(model), list, fields::ValueInfoProto::name, names);
  return {names.begin(), names.end()};
}

std::vector<Message*> outermost_bodies(Message& model) {
  std::vector<Message*> bodies = messages_of(model, fields::ModelProto::functions);
  bodies.insert(bodies.begin(), &main_graph(model));
  return bodies;
}

bool is_default_domain(std::string_view domain) {
  return domain.empty() || domain == "ai.onnx";
}

void require_default_domain_unextended(Message& model) {
  for (Message* function : messages_of(model, fields::ModelProto::functions)) {
    if (is_default_domain(text_of(*function, fields::FunctionProto::domain)))
      throw NotMade("a function of it is in the default domain");
  }
}

}  // namespace ifcert::conformance::onnx_scope
