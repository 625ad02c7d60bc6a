// The specialisation of an ONNX file, message by message: the nodes of a branch go where the If stood, its initializers
// and value_info to the graph around it. What is not named here is copied as it stands.
#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "evaluation/plan.hpp"
#include "formats/onnx/fields.hpp"
#include "formats/onnx/pieces.hpp"
#include "formats/onnx/proto.hpp"
#include "specialise/onnx_names.hpp"
#include "specialise/specialise.hpp"

namespace ifcert::onnx {
namespace {

using proto::contents_of;
using proto::Field;
using proto::fields_of;

/// Before this version of the IR each initializer of a graph is an input, too.
constexpr std::int64_t first_with_own_initializers = 4;

/// Before this version of the IR a function has no value_info.
constexpr std::int64_t first_with_infos_of_functions = 10;

/// The message of a field with this number; empty where there is none.
std::string_view content_of(std::string_view message, std::uint32_t number) {
  for (const Field& field : fields_of(message)) {
    if (field.number == number) return field.content;
  }
  return {};
}

/// The attribute of an If that holds the branch; nullptr where a call passes it.
const proto::Attribute* branch_of(const proto::Node& node, bool taken) {
  const auto found = std::ranges::find(node.attribute, taken ? "then_branch" : "else_branch", &proto::Attribute::name);
  return found == node.attribute.end() || found->graph.empty() ? nullptr : &*found;
}

/// The k-th graph that a node has in the attribute of that name.
GraphIndex graph_in(const Node& node, std::string_view attribute, std::size_t k) {
  for (const Body& body : node.bodies) {
    if (is_written_in(node, body) && body.role == attribute && k-- == 0) return body.graph;
  }
  return 0;  // not reached: a reader made the node from this attribute
}

/// A message with the name of a value, from a branch: an initializer or a value_info.
struct MovedField {
  std::uint32_t number;
  std::string_view content, name;  // the name that it gets
};

/// A graph or a function while it is written: what branches that move into it may add.
struct Host {
  std::uint32_t nodes, infos;  // its fields
  bool takes_initializers, takes_infos;
  std::unordered_set<std::string_view> declared;    // the values that have a type here
  std::unordered_set<std::string_view> node_names;  // of all nodes that are here by now
  std::vector<MovedField> moved = {};               // these come last
};

class Specialiser {
 public:
  Specialiser(const proto::Model& file, const Model& model, const Decisions& decisions)
      : file_(file), model_(model), decisions_(decisions) {}

  std::string specialised(std::string_view bytes);

 private:
  const bool* decision_of(GraphIndex graph, std::size_t node) const {
    const auto found = decisions_.find({graph, node});
    return found == decisions_.end() ? nullptr : &found->second;
  }
  void keep_names(const proto::List<proto::Node>& nodes, GraphIndex index, bool moves);
  void keep_names(const proto::Graph& graph, GraphIndex index, bool moves);
  void write(const proto::Function& function, std::string_view content, const Function& made);
  void write(const proto::Graph& graph, std::string_view content, GraphIndex index);
  void write_node(Host& host, const proto::List<proto::Node>& nodes, const std::vector<std::string_view>& contents,
                  GraphIndex index, std::size_t i, bool moves = false);
  std::string_view moved_node_name(Host& host, std::string_view name);
  void write(const proto::Node& node, std::string_view content, const Node& made, std::string_view name);
  void write(const proto::Attribute& attribute, std::string_view content, const Node& made);
  void write_renamed(const Field& field, std::uint32_t number, std::string_view name);
  void write_with_name(std::string_view content, std::uint32_t number, std::string_view name);
  void write_string(std::uint32_t number, std::string_view text) {
    to_.add_made([&](protozero::pbf_writer& w) { w.add_string(number, text.data(), text.size()); });
  }
  void write_branch(Host& host, const proto::Node& node, std::string_view content, const Node& made, bool taken);
  void name_values(const proto::Graph& branch, const std::vector<std::string_view>& outputs);
  void move_initializers(Host& host, const proto::Graph& branch, std::string_view content);
  void move_infos(Host& host, const proto::Graph& branch, std::string_view content,
                  const std::vector<std::string_view>& outputs);
  void move_info(Host& host, std::string_view name, std::string_view content);
  void write_constant(Host& host, const MovedField& initializer);
  void write_identity(Host& host, std::string_view from, std::string_view to);
  void write_moved(const MovedField& moved);

  const proto::Model& file_;
  const Model& model_;
  const Decisions& decisions_;
  MovedNames names_;
  std::unordered_map<std::string_view, std::size_t> node_numbers_;  // by name: how many were made like it
  std::deque<std::string> made_node_names_;
  proto::Pieces to_;
};

std::string Specialiser::specialised(std::string_view bytes) {
  std::size_t function = 0;
  for (const Field& field : fields_of(bytes)) {
    if (field.number == fields::ModelProto::graph) {
      names_ = {};
      keep_names(file_.graph.front(), 0, false);
      to_.add_message(field.number, [&] { write(file_.graph.front(), field.content, 0); });
    } else if (field.number == fields::ModelProto::functions) {
      const proto::Function& from = file_.functions[function];
      const Function& made = model_.functions[function++];
      to_.add_message(field.number, [&] { write(from, field.content, made); });
    } else {
      to_.add(field.whole);
    }
  }
  return to_.text();
}

/// Notes the names that stay where they are: all but those of branches that move, and of branches that go.
void Specialiser::keep_names(const proto::List<proto::Node>& nodes, GraphIndex index, bool moves) {
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const proto::Node& node = nodes[i];
    if (!moves) {
      for (const std::string_view name : node.output) names_.keep(name);
    }
    const bool* taken = decision_of(index, i);
    const proto::Attribute* branch = taken == nullptr ? nullptr : branch_of(node, *taken);
    const Node& made = model_.graphs[index].nodes[i];
    for (const proto::Attribute& attribute : node.attribute) {
      if (taken != nullptr && &attribute != branch) continue;
      std::size_t k = 0;
      for (const auto* graphs : {&attribute.graph, &attribute.graphs}) {
        for (const proto::Graph& graph : *graphs)
          keep_names(graph, graph_in(made, attribute.name, k++), taken != nullptr);
      }
    }
  }
}

void Specialiser::keep_names(const proto::Graph& graph, GraphIndex index, bool moves) {
  if (!moves) {
    for (const proto::ValueInfo& input : graph.input) names_.keep(input.name);
    for (const proto::Tensor& tensor : graph.initializer) names_.keep(tensor.name);
    for (const proto::SparseTensor& tensor : graph.sparse_initializer) names_.keep(tensor.values.name);
  }
  keep_names(graph.node, index, moves);
}

/// The default graphs of a function are the attributes of no node.
void Specialiser::write(const proto::Function& function, std::string_view content, const Function& made) {
  Node defaults;
  defaults.bodies = made.default_bodies;
  names_ = {};
  for (const std::string_view name : function.input) names_.keep(name);
  keep_names(function.node, made.graph, false);
  for (const proto::Attribute& attribute : function.attribute_proto) {
    for (const proto::Graph& graph : attribute.graph) keep_names(graph, graph_in(defaults, attribute.name, 0), false);
  }
  Host host{.nodes = fields::FunctionProto::node,
            .infos = fields::FunctionProto::value_info,
            .takes_initializers = false,
            .takes_infos = model_.ir_version >= first_with_infos_of_functions,
            .declared = {},
            .node_names = {}};
  for (const proto::ValueInfo& info : function.value_info) host.declared.insert(info.name);
  for (const proto::Node& node : function.node) host.node_names.insert(node.name);
  const std::vector<Field> all = fields_of(content);
  const std::vector<std::string_view> nodes = contents_of(all, fields::FunctionProto::node);
  std::size_t node = 0;
  std::size_t attribute = 0;
  for (const Field& field : all) {
    if (field.number == fields::FunctionProto::node) {
      write_node(host, function.node, nodes, made.graph, node++);
    } else if (field.number == fields::FunctionProto::attribute_proto) {
      const proto::Attribute& from = function.attribute_proto[attribute++];
      to_.add_message(field.number, [&] { write(from, field.content, defaults); });
    } else {
      to_.add(field.whole);
    }
  }
  for (const MovedField& moved : host.moved) write_moved(moved);
}

/// A name that a graph in a moved branch only reads may have changed.
void Specialiser::write(const proto::Graph& graph, std::string_view content, GraphIndex index) {
  Host host{.nodes = fields::GraphProto::node,
            .infos = fields::GraphProto::value_info,
            .takes_initializers = model_.ir_version >= first_with_own_initializers,
            .takes_infos = true,
            .declared = {},
            .node_names = {}};
  for (const auto* infos : {&graph.value_info, &graph.input, &graph.output}) {
    for (const proto::ValueInfo& info : *infos) host.declared.insert(info.name);
  }
  for (const proto::Node& node : graph.node) host.node_names.insert(node.name);
  const std::vector<Field> all = fields_of(content);
  const std::vector<std::string_view> nodes = contents_of(all, fields::GraphProto::node);
  std::size_t node = 0;
  std::size_t info = 0;
  std::size_t output = 0;
  for (const Field& field : all) {
    if (field.number == fields::GraphProto::node)
      write_node(host, graph.node, nodes, index, node++);
    else if (field.number == fields::GraphProto::value_info)
      write_renamed(field, fields::ValueInfoProto::name, graph.value_info[info++].name);
    else if (field.number == fields::GraphProto::output)
      write_renamed(field, fields::ValueInfoProto::name, graph.output[output++].name);
    else
      to_.add(field.whole);
  }
  for (const MovedField& moved : host.moved) write_moved(moved);
}

/// A message whose string in the field `number` is the name of a value.
void Specialiser::write_renamed(const Field& field, std::uint32_t number, std::string_view name) {
  const std::string_view now = names_.of(name);
  if (now == name) return to_.add(field.whole);
  to_.add_message(field.number, [&] { write_with_name(field.content, number, now); });
}

/// A message with another string in the field `number`.
void Specialiser::write_with_name(std::string_view content, std::uint32_t number, std::string_view name) {
  write_string(number, name);
  for (const Field& field : fields_of(content)) {
    if (field.number != number) to_.add(field.whole);
  }
}

void Specialiser::write_node(Host& host, const proto::List<proto::Node>& nodes,
                             const std::vector<std::string_view>& contents, GraphIndex index, std::size_t i,
                             bool moves) {
  const Node& made = model_.graphs[index].nodes[i];
  if (const bool* taken = decision_of(index, i)) {
    if (branch_of(nodes[i], *taken) == nullptr)
      throw Inexpressible(describe(model_.graphs[index], i), "the function's calls pass its branches");
    write_branch(host, nodes[i], contents[i], made, *taken);
  } else {
    const std::string_view name = moves ? moved_node_name(host, nodes[i].name) : nodes[i].name;
    to_.add_message(host.nodes, [&] { write(nodes[i], contents[i], made, name); });
  }
}

/// The nodes of a graph have different names, or none.
std::string_view Specialiser::moved_node_name(Host& host, std::string_view name) {
  if (name.empty() || host.node_names.insert(name).second) return name;
  std::size_t& number = node_numbers_[name];
  std::string fresh;
  do fresh = fmt::format("{}_{}", name, ++number);
  while (host.node_names.contains(fresh));
  return *host.node_names.insert(made_node_names_.emplace_back(std::move(fresh))).first;
}

void Specialiser::write(const proto::Node& node, std::string_view content, const Node& made, std::string_view name) {
  std::size_t attribute = 0;
  for (const Field& field : fields_of(content)) {
    const bool is_value = field.number == fields::NodeProto::input || field.number == fields::NodeProto::output;
    if (field.number == fields::NodeProto::attribute) {
      const proto::Attribute& from = node.attribute[attribute++];
      if (from.graph.empty() && from.graphs.empty())
        to_.add(field.whole);
      else
        to_.add_message(field.number, [&] { write(from, field.content, made); });
    } else if (field.number == fields::NodeProto::name) {
      write_string(field.number, name);
    } else if (is_value && names_.of(field.content) != field.content) {
      write_string(field.number, names_.of(field.content));
    } else {
      to_.add(field.whole);
    }
  }
}

void Specialiser::write(const proto::Attribute& attribute, std::string_view content, const Node& made) {
  std::size_t k = 0;
  std::size_t listed = 0;
  for (const Field& field : fields_of(content)) {
    if (field.number == fields::AttributeProto::g || field.number == fields::AttributeProto::graphs) {
      const bool single = field.number == fields::AttributeProto::g;
      const proto::Graph& from = single ? attribute.graph.front() : attribute.graphs[listed++];
      const GraphIndex index = graph_in(made, attribute.name, k++);
      to_.add_message(field.number, [&] { write(from, field.content, index); });
    } else {
      to_.add(field.whole);
    }
  }
}

// A branch that moves ------------------------------------------------------------------------------------------------

/// Replaces an If by its branch. The If's outputs keep their names: the value that the branch returns takes the name,
/// or is copied where that value has another name to keep.
void Specialiser::write_branch(Host& host, const proto::Node& node, std::string_view content, const Node& made,
                               bool taken) {
  const proto::Attribute& attribute = *branch_of(node, taken);
  const proto::Graph& branch = attribute.graph.front();
  const std::size_t which = static_cast<std::size_t>(&attribute - node.attribute.data());
  const std::string_view graph =
      content_of(contents_of(fields_of(content), fields::NodeProto::attribute)[which], fields::AttributeProto::g);
  std::vector<std::string_view> outputs;  // of the If, as they are named around it
  for (const std::string_view name : node.output) outputs.push_back(names_.of(name));
  const std::size_t entered = names_.entered();
  name_values(branch, outputs);
  move_initializers(host, branch, graph);
  move_infos(host, branch, graph, outputs);
  const std::vector<std::string_view> contents = contents_of(fields_of(graph), fields::GraphProto::node);
  for (std::size_t i = 0; i < contents.size(); ++i)
    write_node(host, branch.node, contents, graph_in(made, attribute.name, 0), i, true);
  for (std::size_t i = 0; i < outputs.size() && i < branch.output.size(); ++i) {
    const std::string_view result = names_.of(branch.output[i].name);
    if (!outputs[i].empty() && result != outputs[i]) write_identity(host, result, outputs[i]);
  }
  names_.leave(entered);
}

/// A value that a node of the branch makes and the branch returns is named like the If's output, the first one if there
/// are several; but not where a graph in the branch may have a value of that name.
void Specialiser::name_values(const proto::Graph& branch, const std::vector<std::string_view>& outputs) {
  std::unordered_map<std::string_view, std::string_view> returned;
  for (std::size_t i = 0; i < outputs.size() && i < branch.output.size(); ++i) {
    if (!outputs[i].empty() && !names_.is_shared(outputs[i])) returned.try_emplace(branch.output[i].name, outputs[i]);
  }
  for (const proto::Tensor& tensor : branch.initializer) names_.move(tensor.name);
  for (const proto::SparseTensor& tensor : branch.sparse_initializer) names_.move(tensor.values.name);
  for (const proto::Node& node : branch.node) {
    for (const std::string_view name : node.output) {
      if (name.empty()) continue;
      if (const auto found = returned.find(name); found != returned.end())
        names_.enter(name, found->second);
      else
        names_.move(name);
    }
  }
}

/// In a function, and where initializers are inputs, an initializer of the branch becomes a Constant.
void Specialiser::move_initializers(Host& host, const proto::Graph& branch, std::string_view content) {
  std::size_t dense = 0;
  std::size_t sparse = 0;
  for (const Field& field : fields_of(content)) {
    const bool is_dense = field.number == fields::GraphProto::initializer;
    if (!is_dense && field.number != fields::GraphProto::sparse_initializer) continue;
    const std::string_view name =
        is_dense ? branch.initializer[dense++].name : branch.sparse_initializer[sparse++].values.name;
    const MovedField initializer{field.number, field.content, names_.of(name)};
    if (host.takes_initializers)
      host.moved.push_back(initializer);
    else
      write_constant(host, initializer);
  }
}

/// The types of the values of a branch, and of what it returns.
void Specialiser::move_infos(Host& host, const proto::Graph& branch, std::string_view content,
                             const std::vector<std::string_view>& outputs) {
  if (!host.takes_infos) return;
  std::size_t info = 0;
  std::size_t output = 0;
  for (const Field& field : fields_of(content)) {
    if (field.number == fields::GraphProto::value_info) {
      move_info(host, names_.of(branch.value_info[info++].name), field.content);
    } else if (field.number == fields::GraphProto::output) {
      const std::size_t i = output++;
      const bool is_typed = branch.output[i].type.kind != proto::Type::Kind::none;
      if (is_typed && i < outputs.size() && !outputs[i].empty()) move_info(host, outputs[i], field.content);
    }
  }
}

void Specialiser::move_info(Host& host, std::string_view name, std::string_view content) {
  if (host.declared.insert(name).second) host.moved.push_back({host.infos, content, name});
}

void Specialiser::write_moved(const MovedField& moved) {
  to_.add_message(moved.number, [&] {
    if (moved.number == fields::GraphProto::sparse_initializer) {
      for (const Field& field : fields_of(moved.content)) {
        if (field.number != fields::SparseTensorProto::values)
          to_.add(field.whole);
        else
          to_.add_message(field.number, [&] { write_with_name(field.content, fields::TensorProto::name, moved.name); });
      }
    } else {
      std::uint32_t name = fields::ValueInfoProto::name;
      if (moved.number == fields::GraphProto::initializer) name = fields::TensorProto::name;
      write_with_name(moved.content, name, moved.name);
    }
  });
}

void Specialiser::write_constant(Host& host, const MovedField& initializer) {
  const bool is_dense = initializer.number == fields::GraphProto::initializer;
  to_.add_message(host.nodes, [&] {
    write_string(fields::NodeProto::output, initializer.name);
    write_string(fields::NodeProto::op_type, "Constant");
    to_.add_message(fields::NodeProto::attribute, [&] {
      write_string(fields::AttributeProto::name, is_dense ? "value" : "sparse_value");
      const std::uint32_t value = is_dense ? fields::AttributeProto::t : fields::AttributeProto::sparse_tensor;
      to_.add_message(value, [&] { to_.add(initializer.content); });
      const auto type = is_dense ? proto::AttributeType::tensor : proto::AttributeType::sparse_tensor;
      to_.add_made([&](protozero::pbf_writer& w) {
        w.add_int32(fields::AttributeProto::type, static_cast<std::int32_t>(type));
      });
    });
  });
}

void Specialiser::write_identity(Host& host, std::string_view from, std::string_view to) {
  to_.add_message(host.nodes, [&] {
    write_string(fields::NodeProto::input, from);
    write_string(fields::NodeProto::output, to);
    write_string(fields::NodeProto::op_type, "Identity");
  });
}

}  // namespace

std::string specialised(const Model& model, std::span<const std::byte> bytes, const Decisions& decisions) {
  const proto::Model file = proto::decode(bytes);
  return Specialiser(file, model, decisions).specialised({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

}  // namespace ifcert::onnx
