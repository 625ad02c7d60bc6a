// Graphs → messages → bytes. Documentation, metadata and the way tensors were stored are not part of the graph form,
// and are not written.
#include <fmt/format.h>

#include <ifcert/onnx.hpp>
#include <protozero/pbf_writer.hpp>
#include <set>
#include <stdexcept>
#include <unordered_map>

#include "formats/onnx/fields.hpp"
#include "formats/onnx/reference_types.hpp"
#include "formats/onnx/value_names.hpp"
#include "formats/onnx/write_tensor.hpp"
#include "formats/written_limits.hpp"
#include "model/node_place.hpp"

namespace ifcert::onnx {
namespace {

using protozero::pbf_writer;
using Opsets = std::map<std::string, std::int64_t, std::less<>>;

[[noreturn]] void refuse(const Place& place, const std::string& reason) {
  throw Inexpressible(to_string(place), reason);
}

/// The graph form does not hold an element type that the reader does not know, but the main graph's inputs and outputs
/// need one.
void refuse_without_element_type(const Type& type, const Place& place) {
  const Type* inner = &type;
  while (!inner->item.empty()) inner = &inner->item.front();
  if (inner->is_tensor() && inner->element == ElementType::undefined) refuse(place, "the element type is not known");
}

/// Counts the bytes of a constant, which several values may share.
void add_constant(WrittenLimits& limits, const Value& value, const Place& place) {
  if (value.tensor() != nullptr) limits.add_constant(*value.tensor(), place);
  if (value.sparse() == nullptr) return;
  limits.add_constant(value.sparse()->values, place);
  limits.add_constant(value.sparse()->indices, place);
}

void add_opsets(pbf_writer& message, std::uint32_t field, const Opsets& opsets) {
  for (const auto& [domain, version] : opsets) {
    pbf_writer import(message, field);
    import.add_string(fields::OperatorSetIdProto::domain, domain);
    import.add_int64(fields::OperatorSetIdProto::version, version);
  }
}

class Writer {
 public:
  explicit Writer(const Model& model) : model_(model), names_(model), references_(model) {
    for (const Function& function : model.functions) overloads_.emplace(function.graph, function.overload);
  }

  std::string write();

 private:
  void write_graph(pbf_writer& message, GraphIndex index, bool is_main, const Place& place);
  void write_inputs(pbf_writer& message, const Graph& graph, bool is_main, const Place& place);
  void write_constants(pbf_writer& message, const Graph& graph, const Place& place);
  void write_value_infos(pbf_writer& message, const Graph& graph, const Place& place);
  void write_value(pbf_writer& message, std::uint32_t field, const std::string& name, const Type& type,
                   const Place& place);
  template <class Fields>
  void write_nodes(pbf_writer& message, GraphIndex index, const Place& place);
  void write_node(pbf_writer& message, GraphIndex index, const Node& node, const Place& place);
  void write_attribute(pbf_writer& message, GraphIndex index, const std::string& name, const AttributeValue& value,
                       const Place& place);
  void write_body(pbf_writer& message, const Body& body, const Place& place);
  void write_function(pbf_writer& message, const Function& function);
  const std::string& use(Slot slot, const Place& place) const;
  void collect_opsets(GraphIndex index, Opsets& opsets, const Place& place) const;

  const std::string& overload_of(const Node& call) const { return overloads_.at(call.bodies.front().graph); }

  const Model& model_;
  std::unordered_map<GraphIndex, std::string> overloads_;  // by the function's graph
  std::string bytes_;
  WrittenLimits limits_;
  ValueNames names_;
  ReferenceTypes references_;
};

std::string Writer::write() {
  Opsets used;
  const Place place{.kind = Place::Kind::named, .what = "graph", .name = model_.main().name};
  collect_opsets(0, used, place);
  for (const auto& [domain, version] : used) {
    const auto imported = model_.opsets.find(domain);
    if (imported == model_.opsets.end() || imported->second != version)
      refuse(place, fmt::format("its nodes are of version {} of the domain \"{}\", which the model does not import",
                                version, domain));
  }
  pbf_writer message(bytes_);
  message.add_int64(fields::ModelProto::ir_version, model_.ir_version);
  message.add_string(fields::ModelProto::producer_name, "ifcert");
  add_opsets(message, fields::ModelProto::opset_import, model_.opsets);
  names_.enter(model_.main());
  {
    pbf_writer graph(message, fields::ModelProto::graph);
    write_graph(graph, 0, true, place);
  }
  names_.leave();
  for (const Function& function : model_.functions) {
    pbf_writer part(message, fields::ModelProto::functions);
    write_function(part, function);
  }
  if (bytes_.size() > message_limit) refuse(place, "a model in one file has at most 2 GiB");
  return std::move(bytes_);
}

/// Collects the versions of the operator sets of the nodes in a graph and its bodies.
void Writer::collect_opsets(GraphIndex index, Opsets& opsets, const Place& place) const {
  const Graph& graph = model_.graphs[index];
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const Node& node = graph.nodes[i];
    const Place here = place_of(graph, i, place);
    if (opsets.emplace(node.domain, node.version).first->second != node.version)
      refuse(here, fmt::format("the domain \"{}\" is used in two versions", node.domain));
    for (std::size_t k = node.call ? 1 : 0; k < node.bodies.size(); ++k) {
      const Body& body = node.bodies[k];
      if (body.reference.empty()) collect_opsets(body.graph, opsets, here.word(body.role));
    }
  }
}

/// In the order in which a reader defines names: inputs, initializers, nodes. The order of a message's fields is free.
void Writer::write_graph(pbf_writer& message, GraphIndex index, bool is_main, const Place& place) {
  const Graph& graph = model_.graphs[index];
  message.add_string(fields::GraphProto::name, graph.name);
  write_inputs(message, graph, is_main, place);
  write_constants(message, graph, place);
  write_nodes<fields::GraphProto>(message, index, place);
  for (std::size_t i = 0; i < graph.outputs.size(); ++i) {
    const Place here = place.numbered("output", i);
    if (is_main) refuse_without_element_type(graph.slots[graph.outputs[i]].declared, here);
    write_value(message, fields::GraphProto::output, use(graph.outputs[i], here),
                graph.slots[graph.outputs[i]].declared, here);
  }
  write_value_infos(message, graph, place);
}

/// In IR 3 every initializer is listed among the inputs, in a nested graph after those that the node passes.
void Writer::write_inputs(pbf_writer& message, const Graph& graph, bool is_main, const Place& place) {
  for (std::size_t i = 0; i < graph.inputs.size(); ++i) {
    const Type& declared = graph.slots[graph.inputs[i]].declared;
    const Place here = place.numbered("input", i);
    if (is_main) refuse_without_element_type(declared, here);
    write_value(message, fields::GraphProto::input, names_.define(graph.inputs[i]), declared, here);
  }
  if (is_main || model_.ir_version >= 4) return;
  for (const Constant& constant : graph.constants) {
    const Type& declared = graph.slots[constant.slot].declared;
    write_value(message, fields::GraphProto::input, names_.define(constant.slot),
                declared.known() ? declared : type_of(constant.value), place);
  }
}

void Writer::write_constants(pbf_writer& message, const Graph& graph, const Place& place) {
  for (const Constant& constant : graph.constants) {
    const std::string& name = names_.define(constant.slot);
    const SparseTensor* sparse = constant.value.sparse();
    const Place here = place.named(sparse == nullptr ? "initializer" : "sparse_initializer", name);
    add_constant(limits_, constant.value, here);
    const std::string tensor =
        sparse == nullptr ? tensor_message(constant.value, name, here) : sparse_tensor_message(*sparse, name, here);
    if (bytes_.size() + tensor.size() > message_limit) refuse(place, "a model in one file has at most 2 GiB");
    message.add_message(sparse == nullptr ? fields::GraphProto::initializer : fields::GraphProto::sparse_initializer,
                        tensor);
  }
}

void Writer::write_value(pbf_writer& message, std::uint32_t field, const std::string& name, const Type& type,
                         const Place& place) {
  limits_.add_name(name, place);
  limits_.add_dims(parts_of(type), place);
  pbf_writer value(message, field);
  value.add_string(fields::ValueInfoProto::name, name);
  if (type.known()) value.add_message(fields::ValueInfoProto::type, type_message(type, place));
}

/// The declared types of values that are neither inputs nor outputs.
void Writer::write_value_infos(pbf_writer& message, const Graph& graph, const Place& place) {
  std::vector<bool> is_written(graph.slots.size());
  for (const Slot slot : graph.inputs) is_written[slot] = true;
  for (const Slot slot : graph.outputs) is_written[slot] = true;
  for (Slot slot = 0; slot < graph.slots.size(); ++slot) {
    const Type& declared = graph.slots[slot].declared;
    if (is_written[slot] || !declared.known() || names_.of(slot).empty()) continue;
    write_value(message, fields::GraphProto::value_info, names_.of(slot), declared,
                place.named("value", names_.of(slot)));
  }
}

template <class Fields>
void Writer::write_nodes(pbf_writer& message, GraphIndex index, const Place& place) {
  const Graph& graph = model_.graphs[index];
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    pbf_writer node(message, Fields::node);
    write_node(node, index, graph.nodes[i], place_of(graph, i, place));
  }
}

void Writer::write_node(pbf_writer& message, GraphIndex index, const Node& node, const Place& place) {
  for (std::size_t i = 0; i < node.inputs.size(); ++i) {
    const std::string& name = use(node.inputs[i], place.numbered("input", i));
    limits_.add_name(name, place.numbered("input", i));
    message.add_string(fields::NodeProto::input, name);
  }
  limits_.add_name(node.name, place);
  if (!node.name.empty()) message.add_string(fields::NodeProto::name, node.name);
  message.add_string(fields::NodeProto::op_type, node.op);
  if (!node.domain.empty()) message.add_string(fields::NodeProto::domain, node.domain);
  if (node.call && !overload_of(node).empty()) message.add_string(fields::NodeProto::overload, overload_of(node));
  for (const auto& [name, value] : node.attributes) {
    pbf_writer attribute(message, fields::NodeProto::attribute);
    write_attribute(attribute, index, name, value, place);
  }
  std::set<std::string_view> roles;
  for (std::size_t i = node.call ? 1 : 0; i < node.bodies.size(); ++i) {
    const Body& body = node.bodies[i];
    if (body.in_list || !roles.insert(body.role).second)
      refuse(place, fmt::format("the attribute {} holds a list of graphs", body.role));
    pbf_writer attribute(message, fields::NodeProto::attribute);
    write_body(attribute, body, place);
  }
  for (const Slot slot : node.outputs)
    message.add_string(fields::NodeProto::output, slot == no_slot ? std::string() : names_.define(slot));
}

const std::string& Writer::use(Slot slot, const Place& place) const {
  static const std::string left_out;
  if (slot == no_slot) return left_out;
  if (names_.of(slot).empty()) refuse(place, "the value is used before it is defined");
  return names_.of(slot);
}

/// Writes the field of AttributeProto that the value has.
struct FieldOf {
  using Field = fields::AttributeProto;
  pbf_writer& message;
  const Place& place;
  WrittenLimits& limits;

  void operator()(std::int64_t value) const { message.add_int64(Field::i, value); }
  void operator()(float value) const { message.add_float(Field::f, value); }
  void operator()(const std::string& value) const { message.add_bytes(Field::s, value); }
  void operator()(const std::vector<std::int64_t>& values) const {
    for (const std::int64_t value : values) message.add_int64(Field::ints, value);
  }
  void operator()(const std::vector<float>& values) const {
    for (const float value : values) message.add_float(Field::floats, value);
  }
  void operator()(const std::vector<std::string>& values) const {
    for (const std::string& value : values) message.add_bytes(Field::strings, value);
  }
  void operator()(const Value& value) const {
    add_constant(limits, value, place);
    if (value.sparse() != nullptr)
      message.add_message(Field::sparse_tensor, sparse_tensor_message(*value.sparse(), "", place));
    else
      message.add_message(Field::t, tensor_message(value, "", place));
  }
  void operator()(const Type& type) const { message.add_message(Field::tp, type_message(type, place)); }
  void operator()(const AttributeReference& reference) const {
    message.add_string(Field::ref_attr_name, reference.name);
  }
};

void Writer::write_attribute(pbf_writer& message, GraphIndex index, const std::string& name,
                             const AttributeValue& value, const Place& place) {
  const Place here = place.named("attribute", name);
  const auto* reference = std::get_if<AttributeReference>(&value);
  const auto type = reference ? references_.find(index, reference->name) : attribute_type_of(value);
  if (!type)
    refuse(here,
           fmt::format("it refers to \"{}\", which no call passes and which has no default: its type is not known",
                       reference->name));
  message.add_string(fields::AttributeProto::name, name);
  std::visit(FieldOf{message, here, limits_}, value);
  message.add_int32(fields::AttributeProto::type, static_cast<std::int32_t>(*type));
}

void Writer::write_body(pbf_writer& message, const Body& body, const Place& place) {
  message.add_string(fields::AttributeProto::name, body.role);
  if (body.reference.empty()) {
    pbf_writer graph(message, fields::AttributeProto::g);
    names_.enter(model_.graphs[body.graph], body.captures);
    write_graph(graph, body.graph, false, place.word(body.role));
    names_.leave();
  } else {
    message.add_string(fields::AttributeProto::ref_attr_name, body.reference);
  }
  message.add_int32(fields::AttributeProto::type, static_cast<std::int32_t>(proto::AttributeType::graph));
}

void Writer::write_function(pbf_writer& message, const Function& function) {
  const Graph& graph = model_.graphs[function.graph];
  const Place place{.kind = Place::Kind::named, .what = "function", .name = function.name};
  if (!graph.constants.empty()) refuse(place, "a function has no initializers");
  message.add_string(fields::FunctionProto::name, function.name);
  message.add_string(fields::FunctionProto::domain, function.domain);
  if (!function.overload.empty()) message.add_string(fields::FunctionProto::overload, function.overload);
  for (const std::string& name : function.required) message.add_string(fields::FunctionProto::attribute, name);
  for (const auto& [name, value] : function.defaults) {
    pbf_writer attribute(message, fields::FunctionProto::attribute_proto);
    write_attribute(attribute, function.graph, name, value, place);
  }
  Opsets opsets;
  for (const Body& body : function.default_bodies) {
    collect_opsets(body.graph, opsets, place);
    pbf_writer attribute(message, fields::FunctionProto::attribute_proto);
    write_body(attribute, body, place);
  }
  names_.enter(graph);
  for (const Slot slot : graph.inputs) message.add_string(fields::FunctionProto::input, names_.define(slot));
  write_nodes<fields::FunctionProto>(message, function.graph, place);
  for (std::size_t i = 0; i < graph.outputs.size(); ++i)
    message.add_string(fields::FunctionProto::output, use(graph.outputs[i], place.numbered("output", i)));
  for (Slot slot = 0; slot < graph.slots.size(); ++slot) {
    const Type& declared = graph.slots[slot].declared;
    if (declared.known() && !names_.of(slot).empty())
      write_value(message, fields::FunctionProto::value_info, names_.of(slot), declared, place);
  }
  names_.leave();
  collect_opsets(function.graph, opsets, place);
  add_opsets(message, fields::FunctionProto::opset_import, opsets);
}

}  // namespace

std::string write(const Model& model) {
  if (model.format != Format::onnx) throw std::invalid_argument("onnx::write: the model is of another format");
  return Writer(model).write();
}

}  // namespace ifcert::onnx
