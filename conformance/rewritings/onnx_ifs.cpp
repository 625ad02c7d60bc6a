// Every If, put into another one or into a function, or with its branches exchanged.
#include <fmt/format.h>

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "conformance/rewritings/onnx_messages.hpp"
#include "conformance/rewritings/onnx_rewritings.hpp"
#include "conformance/rewritings/onnx_scope.hpp"

namespace ifcert::conformance::onnx_rewritings {
namespace {

using namespace onnx_tree;
using onnx_messages::NameList;
using onnx_scope::is_if;
using Graph = fields::GraphProto;
using Node = fields::NodeProto;

constexpr std::string_view of_if = "of_if_";  // of new names

NameList texts_of(Message& message, Number number) {
  NameList texts;
  for (const Field* field : fields_of(message, number)) texts.push_back(field->bytes);
  return texts;
}

/// What may stand in the place of an If: some nodes, the last of which makes its outputs.
using Replace = std::function<std::vector<Message>(Message node)>;

/// Replaces the Ifs of a graph or a function. `inner` says whether those in the branches of others are replaced first.
void replace_ifs(Message& body, bool inner, const Replace& replace) {
  const Number list = body.kind == Kind::graph ? Number{Graph::node} : Number{fields::FunctionProto::node};
  std::vector<Field> fields;
  for (Field& field : body.fields) {
    if (field.number != list) {
      fields.push_back(std::move(field));
      continue;
    }
    Message& node = field.message.front();
    if (inner || !is_if(node)) {
      for (Message* graph : graphs_in(node)) replace_ifs(*graph, inner, replace);
    }
    if (!is_if(node)) {
      fields.push_back(std::move(field));
      continue;
    }
    for (Message& made : replace(std::move(node))) fields.push_back(message_field(list, std::move(made)));
  }
  body.fields = std::move(fields);
}

/// The If's branch of that name; nullptr where a call passes it.
Message* branch_of(Message& node, std::string_view name) {
  for (Message* attribute : messages_of(node, Node::attribute)) {
    if (text_of(*attribute, fields::AttributeProto::name) != name) continue;
    for (Message* graph : messages_of(*attribute, fields::AttributeProto::g)) return graph;
  }
  return nullptr;
}

/// The types that both branches declare alike; where they do not, or declare none, the names alone.
std::vector<Message> declared_outputs(Message& node, const NameList& names) {
  Message *then = branch_of(node, "then_branch"), *other = branch_of(node, "else_branch");
  if (then == nullptr || other == nullptr) throw NotMade("a call passes a branch");
  std::vector<Message> infos;
  const std::vector<Message*> of_then = messages_of(*then, Graph::output), of_else = messages_of(*other, Graph::output);
  for (std::size_t i = 0; i < names.size() && i < of_then.size() && i < of_else.size(); ++i) {
    infos.push_back(onnx_messages::untyped_info(names[i]));
    const std::vector<Message*> one = messages_of(*of_then[i], fields::ValueInfoProto::type),
                                two = messages_of(*of_else[i], fields::ValueInfoProto::type);
    if (!one.empty() && !two.empty() && write_tree(*one.front()) == write_tree(*two.front()))
      infos.back().fields.push_back(message_field(fields::ValueInfoProto::type, *one.front()));
  }
  return infos;
}

/// A graph that has this node alone, and returns its outputs by new names.
Message graph_with(Message node, const std::string& mark) {
  NameList outputs = texts_of(node, Node::output);
  for (std::string& name : outputs) {
    if (name.empty()) throw NotMade("an If leaves an output out");
    name.insert(0, mark);
  }
  Message graph{.kind = Kind::graph, .fields = {text_field(Graph::name, mark + "graph")}};
  for (Message& info : declared_outputs(node, outputs))
    graph.fields.push_back(message_field(Graph::output, std::move(info)));
  for (std::size_t i = 0; i < outputs.size(); ++i) fields_of(node, Node::output)[i]->bytes = outputs[i];
  for_each(node, Kind::graph, [&mark](Message& each) {
    set_text(each, Graph::name, fmt::format("{}{}", mark, text_of(each, Graph::name)));
  });
  graph.fields.push_back(message_field(Graph::node, std::move(node)));
  return graph;
}

/// An attribute that stands for the caller's of the same name.
Message passed_attribute(std::string_view name) {
  return {.kind = Kind::attribute,
          .fields = {text_field(fields::AttributeProto::name, name),
                     integer_field(fields::AttributeProto::type, onnx_messages::graph_attribute),
                     text_field(fields::AttributeProto::ref_attr_name, name)}};
}

/// A function that returns what an If with that many outputs returns, of the branches that a call passes to it.
Message choosing_function(const std::string& name, std::size_t count) {
  using Function = fields::FunctionProto;
  NameList outputs;
  for (std::size_t i = 0; i < count; ++i) outputs.push_back(fmt::format("chosen_{}", i));
  Message node = onnx_messages::node("If", {"cond"}, outputs);
  Message function{.kind = Kind::function,
                   .fields = {text_field(Function::name, name), text_field(Function::input, "cond")}};
  for (const std::string& output : outputs) function.fields.push_back(text_field(Function::output, output));
  for (const std::string_view branch : {"then_branch", "else_branch"}) {
    function.fields.push_back(text_field(Function::attribute, branch));
    node.fields.push_back(message_field(Node::attribute, passed_attribute(branch)));
  }
  function.fields.push_back(message_field(Function::node, std::move(node)));
  return function;
}

/// Adds functions of a new domain, which import what the model does. Everything imports the domain: the main graph may
/// pass any function a graph that calls the new ones.
void add_functions(Message& model, std::vector<Message> functions, const std::string& domain) {
  for (Message& function : functions) {
    for (const Message* import : messages_of(model, fields::ModelProto::opset_import))
      function.fields.push_back(message_field(fields::FunctionProto::opset_import, *import));
    function.fields.push_back(text_field(fields::FunctionProto::domain, domain));
    model.fields.push_back(message_field(fields::ModelProto::functions, std::move(function)));
  }
  const Message import{.kind = Kind::operator_set,
                       .fields = {text_field(fields::OperatorSetIdProto::domain, domain),
                                  integer_field(fields::OperatorSetIdProto::version, 1)}};
  for (Message* function : messages_of(model, fields::ModelProto::functions))
    function->fields.push_back(message_field(fields::FunctionProto::opset_import, import));
  model.fields.push_back(message_field(fields::ModelProto::opset_import, import));
}

/// Whether a branch of the If reads a value around it. Whether one may that a call passes is open.
bool has_captures(Message node) {
  remove(node, Node::input);
  return !onnx_scope::names_read(node).empty();
}

Message call_of(const std::string& name, const std::string& domain, const NameList& operands, const NameList& outputs) {
  Message call = onnx_messages::node(name, operands, outputs);
  call.fields.push_back(text_field(Node::domain, domain));
  return call;
}

/// The names that nodes of the file can have where an If is replaced.
std::string mark_of(Message& model) {
  return onnx_scope::unused_name(model, of_if);
}

}  // namespace

void put_ifs_into_ifs(ModelFiles& files) {
  change_tree(files, [](Message& model) {
    const std::string mark = mark_of(model);
    int number = 0;
    const Replace nest = [&](Message node) {
      const std::string then = fmt::format("{}then_{}_", mark, number), other = fmt::format("{}else_{}_", mark, number);
      ++number;
      Message around = onnx_messages::node("If", texts_of(node, Node::input), texts_of(node, Node::output));
      onnx_messages::add_graph(around, "then_branch", graph_with(node, then));
      onnx_messages::add_graph(around, "else_branch", graph_with(std::move(node), other));
      return std::vector{std::move(around)};
    };
    for (Message* body : onnx_scope::outermost_bodies(model)) replace_ifs(*body, false, nest);
  });
}

void exchange_branches(ModelFiles& files) {
  change_tree(files, [](Message& model) {
    const std::string mark = mark_of(model);
    int number = 0;
    const Replace exchange = [&](Message node) {
      const std::vector<Field*> operands = fields_of(node, Node::input);
      if (operands.size() != 1) throw NotMade("an If has no cond");
      const std::string opposite = fmt::format("{}not_{}", mark, number++);
      Message negated = onnx_messages::node("Not", {operands.front()->bytes}, {opposite});
      operands.front()->bytes = opposite;
      for (Message* attribute : messages_of(node, Node::attribute)) {
        const std::string_view name = text_of(*attribute, fields::AttributeProto::name);
        set_text(*attribute, fields::AttributeProto::name,
                 name == "then_branch"   ? "else_branch"
                 : name == "else_branch" ? "then_branch"
                                         : std::string(name));
      }
      return std::vector{std::move(negated), std::move(node)};
    };
    for (Message* body : onnx_scope::outermost_bodies(model)) replace_ifs(*body, true, exchange);
  });
}

void put_ifs_into_functions(ModelFiles& files) {
  using Function = fields::FunctionProto;
  change_tree(files, [](Message& model) {
    onnx_scope::require_ir_version(model, 8);
    onnx_scope::require_declared_ranks(main_graph(model));
    const std::string domain = mark_of(model) + "domain";
    std::vector<Message> functions;
    const Replace outline = [&](Message node) {
      const std::string name = fmt::format("If{}", functions.size());
      const auto read = onnx_scope::names_read(node);
      const NameList operands(read.begin(), read.end()), outputs = texts_of(node, Node::output);
      Message function{.kind = Kind::function, .fields = {text_field(Function::name, name)}};
      for (const std::string& operand : operands) function.fields.push_back(text_field(Function::input, operand));
      for (const std::string& output : outputs) {
        if (output.empty()) throw NotMade("an If leaves an output out");
        function.fields.push_back(text_field(Function::output, output));
      }
      function.fields.push_back(message_field(Function::node, std::move(node)));
      functions.push_back(std::move(function));
      return std::vector{call_of(name, domain, operands, outputs)};
    };
    replace_ifs(main_graph(model), false, outline);
    if (functions.empty()) throw NotMade("its main graph has no If");
    add_functions(model, std::move(functions), domain);
  });
}

void pass_branches(ModelFiles& files) {
  change_tree(files, [](Message& model) {
    onnx_scope::require_ir_version(model, 8);
    onnx_scope::require_declared_ranks(main_graph(model));
    const std::string domain = mark_of(model) + "domain";
    std::map<std::size_t, Message> functions;  // by the number of outputs
    const Replace pass = [&](Message node) {
      const NameList operands = texts_of(node, Node::input), outputs = texts_of(node, Node::output);
      if (operands.size() != 1) throw NotMade("an If has no cond");
      if (has_captures(node)) return std::vector{std::move(node)};
      const std::string name = fmt::format("Choose{}", outputs.size());
      functions.try_emplace(outputs.size(), choosing_function(name, outputs.size()));
      Message call = call_of(name, domain, operands, outputs);
      for (Message* attribute : messages_of(node, Node::attribute))
        call.fields.push_back(message_field(Node::attribute, std::move(*attribute)));
      return std::vector{std::move(call)};
    };
    replace_ifs(main_graph(model), true, pass);
    if (functions.empty()) throw NotMade("no If of its main graph has branches that read nothing around them");
    std::vector<Message> made;
    for (auto& [count, function] : functions) made.push_back(std::move(function));
    add_functions(model, std::move(made), domain);
  });
}

}  // namespace ifcert::conformance::onnx_rewritings
