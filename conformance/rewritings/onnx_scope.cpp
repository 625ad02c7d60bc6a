#include "conformance/rewritings/onnx_scope.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>

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

/// The rank that a declaration gives a tensor.
std::optional<std::size_t> rank_of(Message& info) {
  for (Message* type : messages_of(info, fields::ValueInfoProto::type)) {
    for (Message* tensor : messages_of(*type, fields::TypeProto::tensor_type)) {
      for (Message* shape : messages_of(*tensor, fields::TypeProtoTensor::shape))
        return fields_of(*shape, fields::TensorShapeProto::dim).size();
    }
  }
  return std::nullopt;
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

void for_each_value_name(Message& body, const std::function<void(std::string& name)>& visit) {
  const auto visit_each = [&visit](Message& message, Number number) {
    for (Field* field : fields_of(message, number)) {
      if (!field->bytes.empty()) visit(field->bytes);
    }
  };
  const auto visit_list = [&](Message& message, Number list, Number name) {
    for (Message* entry : messages_of(message, list)) visit_each(*entry, name);
  };
  if (body.kind == Kind::function) {
    for (const Number list : {fields::FunctionProto::input, fields::FunctionProto::output}) visit_each(body, list);
    visit_list(body, fields::FunctionProto::value_info, fields::ValueInfoProto::name);
  } else {
    if (find(body, fields::GraphProto::quantization_annotation) != nullptr)
      throw NotMade("it has annotations of tensors");
    for (const Number list : {fields::GraphProto::input, fields::GraphProto::output, fields::GraphProto::value_info})
      visit_list(body, list, fields::ValueInfoProto::name);
    visit_list(body, fields::GraphProto::initializer, fields::TensorProto::name);
    for (Message* sparse : messages_of(body, fields::GraphProto::sparse_initializer))
      visit_list(*sparse, fields::SparseTensorProto::values, fields::TensorProto::name);
  }
  for (Message* node : nodes_of(body)) {
    if (find(*node, fields::NodeProto::device_configurations) != nullptr) throw NotMade("its nodes name devices");
    for (const Number list : {fields::NodeProto::input, fields::NodeProto::output}) visit_each(*node, list);
  }
}

std::string unused_name(Message& model, std::string_view stem) {
  const std::string bytes = write_tree(model);
  std::string name(stem);
  while (bytes.find(name) != std::string::npos) name += '_';
  return name;
}

void require_ir_version(Message& model, std::int64_t least) {
  const std::int64_t version = integer_of(model, fields::ModelProto::ir_version);
  if (version < least) throw NotMade(fmt::format("its IR version is {}; {} or a later one is needed", version, least));
}

std::int64_t default_version(Message& model) {
  for (Message* import : messages_of(model, fields::ModelProto::opset_import)) {
    if (is_default_domain(text_of(*import, fields::OperatorSetIdProto::domain)))
      return integer_of(*import, fields::OperatorSetIdProto::version);
  }
  throw NotMade("it imports no default operator set");
}

bool is_if(const Message& node) {
  return text_of(node, fields::NodeProto::op_type) == "If" &&
         is_default_domain(text_of(node, fields::NodeProto::domain));
}

void require_declared_ranks(Message& main) {
  std::map<std::string, std::size_t, std::less<>> declared;
  for (const Number list : {fields::GraphProto::output, fields::GraphProto::value_info}) {
    for (Message* info : messages_of(main, list)) {
      if (const auto rank = rank_of(*info)) declared[std::string(text_of(*info, fields::ValueInfoProto::name))] = *rank;
    }
  }
  for (Message* node : nodes_of(main)) {
    if (!is_if(*node)) continue;
    const std::vector<Field*> outputs = fields_of(*node, fields::NodeProto::output);
    for (Message* branch : graphs_in(*node)) {
      const std::vector<Message*> results = messages_of(*branch, fields::GraphProto::output);
      for (std::size_t i = 0; i < std::min(outputs.size(), results.size()); ++i) {
        const auto found = declared.find(outputs[i]->bytes);
        const auto rank = rank_of(*results[i]);
        if (found != declared.end() && rank && *rank != found->second)
          throw NotMade("an If's output is declared with another rank than its branch's");
      }
    }
  }
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
