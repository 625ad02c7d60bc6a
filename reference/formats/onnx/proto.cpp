#include "formats/onnx/proto.hpp"

#include <fmt/format.h>

#include <ifcert/graph.hpp>

#include "formats/onnx/fields.hpp"
#include "formats/onnx/wire.hpp"
#include "limits/budget.hpp"
#include "model/place.hpp"

namespace ifcert::onnx::proto {
namespace {

void append_floats(std::vector<float>& to, Message& m, const Place& place) {
  append(to, m, place, pbf_wire_type::fixed32, &pbf_reader::get_packed_float, &pbf_reader::get_float);
}

void append_int64s(auto& to, Message& m, const Place& place) {
  append(to, m, place, pbf_wire_type::varint, &pbf_reader::get_packed_int64, &pbf_reader::get_int64);
}

Entry decode_entry(Message message, const Place& place) {
  Entry entry;
  while (message.next()) {
    switch (message.tag()) {
      case fields::StringStringEntryProto::key:
        entry.key = name_field(message, place);
        break;
      case fields::StringStringEntryProto::value:
        entry.value = name_field(message, place);
        break;
      default:
        skip(message, place);
    }
  }
  return entry;
}

void decode_tensor(Tensor& tensor, Message message, const Place& place) {
  while (message.next()) {
    switch (message.tag()) {
      case fields::TensorProto::dims:
        append_int64s(tensor.dims, message, place);
        break;
      case fields::TensorProto::data_type:
        tensor.data_type = int32_field(message, place);
        break;
      case fields::TensorProto::segment:
        tensor.segmented = true;
        skip(message, place);
        break;
      case fields::TensorProto::float_data:
        append_floats(tensor.float_data, message, place);
        break;
      case fields::TensorProto::int32_data:
        append(tensor.int32_data, message, place, pbf_wire_type::varint, &pbf_reader::get_packed_int32,
               &pbf_reader::get_int32);
        break;
      case fields::TensorProto::string_data:
        tensor.string_data.push_back(string_field(message, place));
        break;
      case fields::TensorProto::int64_data:
        append_int64s(tensor.int64_data, message, place);
        break;
      case fields::TensorProto::name:
        tensor.name = name_field(message, place);
        break;
      case fields::TensorProto::raw_data:
        tensor.raw_data = string_field(message, place);
        break;
      case fields::TensorProto::double_data:
        append(tensor.double_data, message, place, pbf_wire_type::fixed64, &pbf_reader::get_packed_double,
               &pbf_reader::get_double);
        break;
      case fields::TensorProto::uint64_data:
        append(tensor.uint64_data, message, place, pbf_wire_type::varint, &pbf_reader::get_packed_uint64,
               &pbf_reader::get_uint64);
        break;
      case fields::TensorProto::external_data:
        tensor.external_data.push_back(decode_entry(message_field(message, place), place));
        break;
      case fields::TensorProto::data_location:
        tensor.external = int32_field(message, place) == 1;
        break;
      default:
        skip(message, place);
    }
  }
}

void decode_sparse_tensor(SparseTensor& tensor, Message message, const Place& place) {
  while (message.next()) {
    switch (message.tag()) {
      case fields::SparseTensorProto::values:
        decode_tensor(tensor.values, message_field(message, place), place.word("values"));
        break;
      case fields::SparseTensorProto::indices:
        decode_tensor(tensor.indices, message_field(message, place), place.word("indices"));
        break;
      case fields::SparseTensorProto::dims:
        append_int64s(tensor.dims, message, place);
        break;
      default:
        skip(message, place);
    }
  }
}

void decode_shape(List<Dimension>& shape, Message message, const Place& place) {
  while (next(message, fields::TensorShapeProto::dim, place)) {
    Message dimension = message_field(message, place);
    Dimension& dim = shape.emplace_back();
    while (dimension.next()) {
      switch (dimension.tag()) {
        case fields::TensorShapeProtoDimension::dim_value:  // a oneof: the last one counts
          dim = {int64_field(dimension, place), {}};
          break;
        case fields::TensorShapeProtoDimension::dim_param:
          dim = {std::nullopt, name_field(dimension, place)};
          break;
        default:
          skip(dimension, place);
      }
    }
  }
}

void decode_tensor_type(Type& type, Message message, const Place& place) {
  while (message.next()) {
    switch (message.tag()) {
      case fields::TypeProtoTensor::elem_type:
        type.element = int32_field(message, place);
        break;
      case fields::TypeProtoTensor::shape:
        expect_first(!type.shape, "shape", place);
        decode_shape(type.shape.emplace(type.item.get_allocator()), message_field(message, place), place);
        break;
      default:
        skip(message, place);
    }
  }
}

/// `depth` is the number of types around this one.
void decode_type(Type& type, Message message, const Place& outer, std::size_t depth = 0);

void decode_item_type(Type& type, Message message, const Place& place, std::size_t depth) {
  // The only field of Sequence and of Optional has the same number.
  while (next(message, fields::TypeProtoSequence::elem_type, place)) {
    expect_first(type.item.empty(), "elem_type", place);
    decode_type(type.item.emplace_back(type.item.get_allocator()), message_field(message, place), place, depth + 1);
  }
}

// Rules: onnx/model/nesting-limit, onnx/model/types-of-ir-version.
void decode_type(Type& type, Message message, const Place& outer, std::size_t depth) {
  const Place place = outer.word("type");
  if (depth > type_nesting_limit) {
    refuse(place, "onnx/model/nesting-limit", fmt::format("a type nested deeper than {} levels", type_nesting_limit),
           fmt::format("at most {} levels (a limit of this reader)", type_nesting_limit));
  }
  const auto start = [&](Type::Kind kind) {
    expect_first(type.kind == Type::Kind::none, "a type", place);
    type.kind = kind;
    return message_field(message, place);
  };
  while (message.next()) {
    switch (message.tag()) {
      case fields::TypeProto::tensor_type:
        decode_tensor_type(type, start(Type::Kind::tensor), place);
        break;
      case fields::TypeProto::sequence_type:
        decode_item_type(type, start(Type::Kind::sequence), place, depth);
        break;
      case fields::TypeProto::map_type:
        start(Type::Kind::map);
        break;
      case fields::TypeProto::opaque_type:
        start(Type::Kind::opaque);
        break;
      case fields::TypeProto::sparse_tensor_type:
        decode_tensor_type(type, start(Type::Kind::sparse_tensor), place);
        break;
      case fields::TypeProto::optional_type:
        decode_item_type(type, start(Type::Kind::optional), place, depth);
        break;
      default:
        skip(message, place);
    }
  }
}

void decode_value_info(ValueInfo& info, Message message, const Place& place) {
  bool typed = false;
  while (message.next()) {
    switch (message.tag()) {
      case fields::ValueInfoProto::name:
        info.name = name_field(message, place);
        break;
      case fields::ValueInfoProto::type:
        expect_first(!typed, "type", place);
        typed = true;
        decode_type(info.type, message_field(message, place), place);
        break;
      default:
        skip(message, place);
    }
  }
}

void decode_graph(Graph& graph, Message message, const Place& place);

void decode_attribute(Attribute& attribute, Message message, const Place& place) {
  while (message.next()) {
    switch (message.tag()) {
      case fields::AttributeProto::name:
        attribute.name = name_field(message, place);
        break;
      case fields::AttributeProto::f:
        attribute.add(AttributeType::float_);
        attribute.f = float_field(message, place);
        break;
      case fields::AttributeProto::i:
        attribute.add(AttributeType::int_);
        attribute.i = int64_field(message, place);
        break;
      case fields::AttributeProto::s:
        attribute.add(AttributeType::string);
        attribute.s = string_field(message, place);
        break;
      case fields::AttributeProto::t:
        attribute.add(AttributeType::tensor);
        expect_first(attribute.tensor.empty(), "t", place);
        decode_next(decode_tensor, attribute.tensor, "tensor", message, place);
        break;
      case fields::AttributeProto::g:
        attribute.add(AttributeType::graph);
        expect_first(attribute.graph.empty(), "g", place);
        decode_next(decode_graph, attribute.graph, "graph", message, place);
        break;
      case fields::AttributeProto::floats:
        attribute.add(AttributeType::floats);
        append_floats(attribute.floats, message, place);
        break;
      case fields::AttributeProto::ints:
        attribute.add(AttributeType::ints);
        append_int64s(attribute.ints, message, place);
        break;
      case fields::AttributeProto::strings:
        attribute.add(AttributeType::strings);
        attribute.strings.push_back(string_field(message, place));
        break;
      case fields::AttributeProto::tensors:
        attribute.add(AttributeType::tensors);
        decode_next(decode_tensor, attribute.tensors, "tensor", message, place);
        break;
      case fields::AttributeProto::graphs:
        attribute.add(AttributeType::graphs);
        decode_next(decode_graph, attribute.graphs, "graph", message, place);
        break;
      case fields::AttributeProto::tp:
        attribute.add(AttributeType::type_proto);
        expect_first(attribute.type_proto.empty(), "tp", place);
        decode_type(attribute.type_proto.emplace_back(attribute.type_proto.get_allocator()),
                    message_field(message, place), place);
        break;
      case fields::AttributeProto::type:
        attribute.type = int32_field(message, place);
        break;
      case fields::AttributeProto::ref_attr_name:
        attribute.reference = name_field(message, place);
        break;
      case fields::AttributeProto::sparse_tensor:
        attribute.add(AttributeType::sparse_tensor);
        expect_first(attribute.sparse_tensor.empty(), "sparse_tensor", place);
        decode_next(decode_sparse_tensor, attribute.sparse_tensor, "sparse_tensor", message, place);
        break;
      case fields::AttributeProto::sparse_tensors:  // no operator accepts a list of these two
        attribute.add(AttributeType::sparse_tensors);
        skip(message, place);
        break;
      case fields::AttributeProto::type_protos:
        attribute.add(AttributeType::type_protos);
        skip(message, place);
        break;
      default:
        skip(message, place);
    }
  }
}

void decode_node(Node& node, Message message, const Place& place) {
  while (message.next()) {
    switch (message.tag()) {
      case fields::NodeProto::input:
        node.input.push_back(name_field(message, place));
        break;
      case fields::NodeProto::output:
        node.output.push_back(name_field(message, place));
        break;
      case fields::NodeProto::name:
        node.name = name_field(message, place);
        break;
      case fields::NodeProto::op_type:
        node.op_type = name_field(message, place);
        break;
      case fields::NodeProto::attribute:
        decode_next(decode_attribute, node.attribute, "attribute", message, place);
        break;
      case fields::NodeProto::domain:
        node.domain = name_field(message, place);
        break;
      case fields::NodeProto::overload:
        node.overload = name_field(message, place);
        break;
      default:
        skip(message, place);
    }
  }
}

// Rule: onnx/model/nesting-limit.
void decode_graph(Graph& graph, Message message, const Place& place) {
  // A nested graph is three places deeper than the one around it: node, attribute, graph.
  if (place.depth > 1 + 3 * nesting_limit) {
    refuse(place, "onnx/model/nesting-limit", fmt::format("graphs nested deeper than {} levels", nesting_limit),
           fmt::format("at most {} levels (a limit of this reader)", nesting_limit));
  }
  while (message.next()) {
    switch (message.tag()) {
      case fields::GraphProto::node:
        decode_next(decode_node, graph.node, "node", message, place);
        break;
      case fields::GraphProto::name:
        graph.name = name_field(message, place);
        break;
      case fields::GraphProto::initializer:
        decode_next(decode_tensor, graph.initializer, "initializer", message, place);
        break;
      case fields::GraphProto::input:
        decode_next(decode_value_info, graph.input, "input", message, place);
        break;
      case fields::GraphProto::output:
        decode_next(decode_value_info, graph.output, "output", message, place);
        break;
      case fields::GraphProto::value_info:
        decode_next(decode_value_info, graph.value_info, "value_info", message, place);
        break;
      case fields::GraphProto::sparse_initializer:
        decode_next(decode_sparse_tensor, graph.sparse_initializer, "sparse_initializer", message, place);
        break;
      default:
        skip(message, place);
    }
  }
}

void decode_operator_set(OperatorSet& set, Message message, const Place& place) {
  while (message.next()) {
    switch (message.tag()) {
      case fields::OperatorSetIdProto::domain:
        set.domain = name_field(message, place);
        break;
      case fields::OperatorSetIdProto::version:
        set.version = int64_field(message, place);
        break;
      default:
        skip(message, place);
    }
  }
}

void decode_function(Function& function, Message message, const Place& place) {
  while (message.next()) {
    switch (message.tag()) {
      case fields::FunctionProto::name:
        function.name = name_field(message, place);
        break;
      case fields::FunctionProto::input:
        function.input.push_back(name_field(message, place));
        break;
      case fields::FunctionProto::output:
        function.output.push_back(name_field(message, place));
        break;
      case fields::FunctionProto::attribute:
        function.attribute.push_back(name_field(message, place));
        break;
      case fields::FunctionProto::node:
        decode_next(decode_node, function.node, "node", message, place);
        break;
      case fields::FunctionProto::opset_import:
        decode_next(decode_operator_set, function.opset_import, "opset_import", message, place);
        break;
      case fields::FunctionProto::domain:
        function.domain = name_field(message, place);
        break;
      case fields::FunctionProto::attribute_proto:
        decode_next(decode_attribute, function.attribute_proto, "attribute_proto", message, place);
        break;
      case fields::FunctionProto::value_info:
        decode_next(decode_value_info, function.value_info, "value_info", message, place);
        break;
      case fields::FunctionProto::overload:
        function.overload = name_field(message, place);
        break;
      default:
        skip(message, place);
    }
  }
}

void decode_model(Model& model, Message message, const Place& place) {
  while (message.next()) {
    switch (message.tag()) {
      case fields::ModelProto::ir_version:
        model.ir_version = int64_field(message, place);
        break;
      case fields::ModelProto::producer_name:
        model.producer_name = name_field(message, place);
        break;
      case fields::ModelProto::producer_version:
        model.producer_version = name_field(message, place);
        break;
      case fields::ModelProto::graph:
        expect_first(model.graph.empty(), "graph", place);
        decode_next(decode_graph, model.graph, "graph", message, place);
        break;
      case fields::ModelProto::opset_import:
        decode_next(decode_operator_set, model.opset_import, "opset_import", message, place);
        break;
      case fields::ModelProto::functions:
        decode_next(decode_function, model.functions, "function", message, place);
        break;
      default:
        skip(message, place);
    }
  }
}

}  // namespace

Model decode(std::span<const std::byte> bytes) {
  Model model;
  const Place place{.what = "model"};
  Budget message_budget("messages");
  try {
    const pbf_reader whole(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    decode_model(model, {whole, message_budget}, place);
  } catch (const protozero::exception& error) {
    refuse_bytes(place, error);
  }
  return model;
}

}  // namespace ifcert::onnx::proto
