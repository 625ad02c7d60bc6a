#include <array>

#include "conformance/rewritings/onnx_rewritings.hpp"

namespace ifcert::conformance::onnx_rewritings {
namespace {

using namespace onnx_tree;

/// Calls `visit` with each graph in a node.
void for_each_nested(Message& model, const std::function<void(Message& graph)>& visit) {
  for_each(model, Kind::node, [&visit](Message& node) {
    for (Message* graph : graphs_in(node)) visit(*graph);
  });
}

void drop_shapes(Message& info) {
  for_each(info, Kind::tensor_type, [](Message& type) { remove(type, fields::TypeProtoTensor::shape); });
}

/// What a loop returns that makes no trip has the shape that is declared.
void require_no_loops(Message& model) {
  for_each(model, Kind::node, [](Message& node) {
    for (const char* loop : {"Loop", "Scan", "SequenceMap"}) {
      if (text_of(node, fields::NodeProto::op_type) == loop)
        throw NotMade("without trips, a loop's results have the shapes that are declared");
    }
  });
}

constexpr std::array signature{fields::GraphProto::input, fields::GraphProto::output};

}  // namespace

void drop_value_infos(ModelFiles& files) {
  change_tree(files, [](Message& model) {
    require_no_loops(model);
    for_each(model, Kind::graph, [](Message& graph) { remove(graph, fields::GraphProto::value_info); });
    for_each(model, Kind::function, [](Message& function) { remove(function, fields::FunctionProto::value_info); });
  });
}

void drop_types_of_nested_graphs(ModelFiles& files) {
  change_tree(files, [](Message& model) {
    require_no_loops(model);
    for_each_nested(model, [](Message& graph) {
      for (const Number list : signature) {
        for (Message* info : messages_of(graph, list)) remove(*info, fields::ValueInfoProto::type);
      }
    });
  });
}

void drop_nested_shapes(ModelFiles& files) {
  change_tree(files, [](Message& model) {
    require_no_loops(model);
    for_each_nested(model, [](Message& graph) {
      for (const Number list : signature) {
        for (Message* info : messages_of(graph, list)) drop_shapes(*info);
      }
    });
    for_each(model, Kind::graph, [](Message& graph) {
      for (Message* info : messages_of(graph, fields::GraphProto::value_info)) drop_shapes(*info);
    });
  });
}

void drop_main_dimensions(ModelFiles& files) {
  change_tree(files, [](Message& model) {
    require_no_loops(model);
    for (const Number list : signature) {
      for (Message* info : messages_of(main_graph(model), list))
        for_each(*info, Kind::dimension, [](Message& dimension) { dimension.fields.clear(); });
    }
  });
}

}  // namespace ifcert::conformance::onnx_rewritings
