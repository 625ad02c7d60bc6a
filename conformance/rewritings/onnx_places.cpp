// The whole main graph, put elsewhere: into the branches of an If, a function, the body of a Loop.
#include <fmt/format.h>

#include <algorithm>
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
using onnx_scope::NameSet;
using Graph = fields::GraphProto;

constexpr std::size_t largest_file = 256UL * 1024;  // that is made twice as large
constexpr int deepest_graph = 20;
constexpr std::int64_t last_old_type = 15;      // the element types up to complex128 are taken by all versions
constexpr std::string_view placed = "placed_";  // of new names

NameList names_in(Message& message, Number list, Number name) {
  NameList names;
  for (Message* entry : messages_of(message, list)) names.emplace_back(text_of(*entry, name));
  return names;
}

int depth_of(Message& graph) {
  int depth = 0;
  for (Message* node : onnx_scope::nodes_of(graph)) {
    for (Message* inner : graphs_in(*node)) depth = std::max(depth, 1 + depth_of(*inner));
  }
  return depth;
}

bool is_old_tensor(Message& info) {
  for (Message* type : messages_of(info, fields::ValueInfoProto::type)) {
    for (Message* tensor : messages_of(*type, fields::TypeProto::tensor_type)) {
      const std::int64_t element = integer_of(*tensor, fields::TypeProtoTensor::elem_type);
      return element >= 1 && element <= last_old_type;
    }
  }
  return false;
}

/// Throws NotMade where a graph of nodes cannot have what the main graph returns, for all that the file shows.
void require_plain_outputs(Message& main) {
  for (Message* output : messages_of(main, Graph::output)) {
    if (!is_old_tensor(*output)) throw NotMade("an output of it is no tensor of a type that every version takes");
  }
}

/// A main graph whose nodes are put elsewhere.
struct Main {
  Message& graph;
  std::string mark;         // begins new names
  std::string output_mark;  // begins those of the outputs
  NameList outputs;         // the interface's
  Message moved;            // a graph with the nodes, which name the outputs anew, since the interface keeps its names
};

/// Throws NotMade where an output is not what one node makes.
void require_outputs_of_nodes(Message& main, const NameList& outputs) {
  NameSet made;
  for (Message* node : onnx_scope::nodes_of(main)) {
    for (const Field* output : fields_of(*node, fields::NodeProto::output)) made.insert(output->bytes);
  }
  NameSet seen;
  for (const std::string& output : outputs) {
    if (!made.contains(output)) throw NotMade("it returns what no node makes");
    if (!seen.insert(output).second) throw NotMade("it returns a value twice");
  }
}

void rename_everywhere(Message& main, const NameList& names, const std::string& mark) {
  const NameSet renamed(names.begin(), names.end());
  for_each(main, Kind::graph, [&](Message& graph) {
    onnx_scope::for_each_value_name(graph, [&](std::string& name) {
      if (renamed.contains(name)) name.insert(0, mark);
    });
  });
}

/// Moves fields whose message has none of these names.
void move_without(Message& from, Number list, Number name, const NameSet& staying, Message& to) {
  const auto stays = [&](const Field& field) {
    return field.number != list || staying.contains(text_of(field.message.front(), name));
  };
  const auto first_moved = std::stable_partition(from.fields.begin(), from.fields.end(), stays);
  std::move(first_moved, from.fields.end(), std::back_inserter(to.fields));
  from.fields.erase(first_moved, from.fields.end());
}

/// Takes the nodes out of the main graph, and with them, if `with_initializers`, those that have no input of their
/// name.
Main taken_out(Message& model, bool with_initializers) {
  Message& graph = main_graph(model);
  const std::string mark = onnx_scope::unused_name(model, placed);
  Main main{.graph = graph,
            .mark = mark,
            .output_mark = mark + "output_",
            .outputs = names_in(graph, Graph::output, fields::ValueInfoProto::name),
            .moved = {.kind = Kind::graph}};
  if (write_tree(graph).size() > largest_file || depth_of(graph) > deepest_graph) throw NotMade("it is too large");
  onnx_scope::require_declared_ranks(graph);
  require_outputs_of_nodes(graph, main.outputs);
  rename_everywhere(graph, main.outputs, main.output_mark);
  main.moved.fields.push_back(text_field(Graph::name, main.mark + "graph"));
  NameList staying = names_in(graph, Graph::input, fields::ValueInfoProto::name);
  move_without(graph, Graph::node, fields::NodeProto::name, {}, main.moved);
  if (with_initializers)
    move_without(graph, Graph::initializer, fields::TensorProto::name, {staying.begin(), staying.end()}, main.moved);
  for (std::string& name : onnx_scope::defined_names(graph)) staying.push_back(std::move(name));
  move_without(graph, Graph::value_info, fields::ValueInfoProto::name, {staying.begin(), staying.end()}, main.moved);
  for (Message* output : messages_of(graph, Graph::output)) {
    main.moved.fields.push_back(message_field(Graph::output, *output));
    set_text(*output, fields::ValueInfoProto::name,
             text_of(*output, fields::ValueInfoProto::name).substr(main.output_mark.size()));
  }
  return main;
}

void add_node(Message& graph, Message node) {
  graph.fields.push_back(message_field(Graph::node, std::move(node)));
}

/// The same graph: only graphs have names that no other may have.
Message second_of(const Message& graph) {
  Message second = graph;
  for_each(second, Kind::graph,
           [](Message& each) { set_text(each, Graph::name, fmt::format("{}_second", text_of(each, Graph::name))); });
  return second;
}

/// A cond that is false, and that no constant shows: whether an input has fewer than no elements.
void add_false(Main& main, const std::string& cond) {
  for (Message* input : messages_of(main.graph, Graph::input)) {
    if (!is_old_tensor(*input)) continue;
    const std::string size = main.mark + "size", none = main.mark + "none";
    add_node(main.graph,
             onnx_messages::node("Size", {std::string(text_of(*input, fields::ValueInfoProto::name))}, {size}));
    add_node(main.graph, onnx_messages::constant_int64(none, 0, {}));
    return add_node(main.graph, onnx_messages::node("Less", {size, none}, {cond}));
  }
  throw NotMade("it has no input that is a tensor");
}

}  // namespace

void put_main_into_then(ModelFiles& files) {
  change_tree(files, [](Message& model) {
    require_plain_outputs(main_graph(model));
    Main main = taken_out(model, false);
    const std::string cond = main.mark + "cond";
    add_node(main.graph, onnx_messages::constant_bool(cond, true));
    Message node = onnx_messages::node("If", {cond}, main.outputs);
    onnx_messages::add_graph(node, "else_branch", second_of(main.moved));
    onnx_messages::add_graph(node, "then_branch", std::move(main.moved));
    add_node(main.graph, std::move(node));
  });
}

void put_main_into_else(ModelFiles& files) {
  change_tree(files, [](Message& model) {
    require_plain_outputs(main_graph(model));
    if (onnx_scope::default_version(model) < 9) throw NotMade("Less does not take int64 yet");
    Main main = taken_out(model, integer_of(model, fields::ModelProto::ir_version) >= 4);
    const std::string cond = main.mark + "cond";
    add_false(main, cond);
    Message node = onnx_messages::node("If", {cond}, main.outputs);
    onnx_messages::add_graph(node, "then_branch", second_of(main.moved));
    onnx_messages::add_graph(node, "else_branch", std::move(main.moved));
    add_node(main.graph, std::move(node));
  });
}

void put_main_into_loop(ModelFiles& files) {
  change_tree(files, [](Message& model) {
    require_plain_outputs(main_graph(model));
    if (onnx_scope::default_version(model) < 13) throw NotMade("Squeeze has its axes as an attribute");
    Main main = taken_out(model, false);
    const std::string number = main.mark + "number", on = main.mark + "on", again = main.mark + "again",
                      trips = main.mark + "trips", start = main.mark + "start", axes = main.mark + "axes";
    Message& body = main.moved;
    add_first(body, message_field(Graph::output, onnx_messages::scalar_info(again, onnx_messages::bool_type)));
    for (const auto& [name, type] :
         {std::pair{number, onnx_messages::int64_type}, std::pair{on, onnx_messages::bool_type}})
      body.fields.push_back(message_field(Graph::input, onnx_messages::scalar_info(name, type)));
    add_node(body, onnx_messages::node("Identity", {on}, {again}));
    add_node(main.graph, onnx_messages::constant_int64(trips, 1, {}));
    add_node(main.graph, onnx_messages::constant_bool(start, true));
    add_node(main.graph, onnx_messages::constant_int64(axes, 0, {1}));
    NameList stacked;
    for (const std::string& output : main.outputs) stacked.push_back(fmt::format("{}stacked_{}", main.mark, output));
    Message loop = onnx_messages::node("Loop", {trips, start}, stacked);
    onnx_messages::add_graph(loop, "body", std::move(body));
    add_node(main.graph, std::move(loop));
    for (std::size_t i = 0; i < stacked.size(); ++i)
      add_node(main.graph, onnx_messages::node("Squeeze", {stacked[i], axes}, {main.outputs[i]}));
  });
}

void put_main_into_function(ModelFiles& files) {
  using Function = fields::FunctionProto;
  change_tree(files, [](Message& model) {
    onnx_scope::require_ir_version(model, 8);
    Main main = taken_out(model, false);
    if (find(main.graph, Graph::sparse_initializer) != nullptr) throw NotMade("an initializer is sparse");
    const std::string domain = main.mark + "domain";
    const NameList operands = onnx_scope::defined_names(main.graph);
    Message function{.kind = Kind::function, .fields = {text_field(Function::name, "Main")}};
    for (const std::string& name : operands) function.fields.push_back(text_field(Function::input, name));
    for (const std::string& name : main.outputs)
      function.fields.push_back(text_field(Function::output, main.output_mark + name));
    for (Message* node : onnx_scope::nodes_of(main.moved))
      function.fields.push_back(message_field(Function::node, std::move(*node)));
    for (Message* import : messages_of(model, fields::ModelProto::opset_import))
      function.fields.push_back(message_field(Function::opset_import, *import));
    function.fields.push_back(text_field(Function::domain, domain));
    model.fields.push_back(message_field(fields::ModelProto::functions, std::move(function)));
    Message import{.kind = Kind::operator_set,
                   .fields = {text_field(fields::OperatorSetIdProto::domain, domain),
                              integer_field(fields::OperatorSetIdProto::version, 1)}};
    model.fields.push_back(message_field(fields::ModelProto::opset_import, std::move(import)));
    Message call = onnx_messages::node("Main", operands, main.outputs);
    call.fields.push_back(text_field(fields::NodeProto::domain, domain));
    add_node(main_graph(model), std::move(call));
  });
}

}  // namespace ifcert::conformance::onnx_rewritings
