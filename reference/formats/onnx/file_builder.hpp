// For tests: ONNX messages written field by field, so that a test can also write what no exporter would.
#pragma once

#include <ifcert/onnx.hpp>
#include <initializer_list>
#include <protozero/pbf_writer.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "formats/onnx/fields.hpp"

namespace ifcert::onnx::file_builder {

using protozero::pbf_writer;

/// The bytes of a message whose fields are written by a function.
template <class Write>
std::string message(const Write& write) {
  std::string bytes;
  pbf_writer writer(bytes);
  write(writer);
  return bytes;
}

/// tensor(type) of that shape; a negative dim means unknown.
inline std::string tensor_type(int data_type, const std::vector<std::int64_t>& dims) {
  const std::string shape = message([&](pbf_writer& w) {
    for (const std::int64_t dim : dims) {
      w.add_message(fields::TensorShapeProto::dim, message([&](pbf_writer& d) {
                      if (dim >= 0) d.add_int64(fields::TensorShapeProtoDimension::dim_value, dim);
                    }));
    }
  });
  const std::string tensor = message([&](pbf_writer& w) {
    w.add_int32(fields::TypeProtoTensor::elem_type, data_type);
    w.add_message(fields::TypeProtoTensor::shape, shape);
  });
  return message([&](pbf_writer& w) { w.add_message(fields::TypeProto::tensor_type, tensor); });
}

inline const std::string bool_scalar = tensor_type(9, {});
inline const std::string float_pair = tensor_type(1, {2});

inline std::string value_info(std::string_view name, const std::string& type = {}) {
  return message([&](pbf_writer& w) {
    w.add_string(fields::ValueInfoProto::name, name.data(), name.size());
    if (!type.empty()) w.add_message(fields::ValueInfoProto::type, type);
  });
}

inline std::string float_tensor(std::string_view name, std::initializer_list<std::int64_t> dims,
                                const std::vector<float>& values) {
  return message([&](pbf_writer& w) {
    w.add_packed_int64(fields::TensorProto::dims, dims.begin(), dims.end());
    w.add_int32(fields::TensorProto::data_type, 1);
    w.add_packed_float(fields::TensorProto::float_data, values.begin(), values.end());
    w.add_string(fields::TensorProto::name, name.data(), name.size());
  });
}

/// A graph attribute.
inline std::string branch(std::string_view name, const std::string& graph) {
  return message([&](pbf_writer& w) {
    w.add_string(fields::AttributeProto::name, name.data(), name.size());
    w.add_message(fields::AttributeProto::g, graph);
    w.add_int32(fields::AttributeProto::type, 5);
  });
}

/// An attribute of type GRAPHS.
inline std::string graphs_attribute(std::string_view name, const std::vector<std::string>& graphs) {
  return message([&](pbf_writer& w) {
    w.add_string(fields::AttributeProto::name, name.data(), name.size());
    for (const std::string& graph : graphs) w.add_message(fields::AttributeProto::graphs, graph);
    w.add_int32(fields::AttributeProto::type, 10);
  });
}

using Names = std::vector<std::string>;

inline std::string node(std::string_view op, const Names& inputs, const Names& outputs,
                        const std::vector<std::string>& attributes = {}) {
  return message([&](pbf_writer& w) {
    for (const std::string& input : inputs) w.add_string(fields::NodeProto::input, input);
    for (const std::string& output : outputs) w.add_string(fields::NodeProto::output, output);
    w.add_string(fields::NodeProto::op_type, op.data(), op.size());
    for (const std::string& attribute : attributes) w.add_message(fields::NodeProto::attribute, attribute);
  });
}

struct Parts {
  std::vector<std::string> nodes, initializers, inputs, outputs, value_infos = {};
};

inline std::string graph(std::string_view name, const Parts& parts) {
  return message([&](pbf_writer& w) {
    for (const std::string& part : parts.nodes) w.add_message(fields::GraphProto::node, part);
    w.add_string(fields::GraphProto::name, name.data(), name.size());
    for (const std::string& part : parts.initializers) w.add_message(fields::GraphProto::initializer, part);
    for (const std::string& part : parts.inputs) w.add_message(fields::GraphProto::input, part);
    for (const std::string& part : parts.outputs) w.add_message(fields::GraphProto::output, part);
    for (const std::string& part : parts.value_infos) w.add_message(fields::GraphProto::value_info, part);
  });
}

/// An attribute of one int64.
inline std::string int_attribute(std::string_view name, std::int64_t value) {
  return message([&](pbf_writer& w) {
    w.add_string(fields::AttributeProto::name, name.data(), name.size());
    w.add_int64(fields::AttributeProto::i, value);
    w.add_int32(fields::AttributeProto::type, 2);
  });
}

/// An attribute of that type that refers to the function's attribute `to`.
inline std::string reference_attribute(std::string_view name, int type, std::string_view to) {
  return message([&](pbf_writer& w) {
    w.add_string(fields::AttributeProto::name, name.data(), name.size());
    w.add_int32(fields::AttributeProto::type, type);
    w.add_string(fields::AttributeProto::ref_attr_name, to.data(), to.size());
  });
}

struct FunctionParts {
  Names inputs, outputs;
  std::vector<std::string> nodes;
  Names attributes = {};
  std::vector<std::string> defaults = {};
};

/// A function of the domain "local" that imports opset 16 and the domain itself.
inline std::string function(std::string_view name, const FunctionParts& parts) {
  const auto import = [](std::string_view domain, std::int64_t version) {
    return message([&](pbf_writer& w) {
      w.add_string(fields::OperatorSetIdProto::domain, domain.data(), domain.size());
      w.add_int64(fields::OperatorSetIdProto::version, version);
    });
  };
  return message([&](pbf_writer& w) {
    w.add_string(fields::FunctionProto::name, name.data(), name.size());
    w.add_string(fields::FunctionProto::domain, "local");
    for (const std::string& input : parts.inputs) w.add_string(fields::FunctionProto::input, input);
    for (const std::string& output : parts.outputs) w.add_string(fields::FunctionProto::output, output);
    for (const std::string& attribute : parts.attributes) w.add_string(fields::FunctionProto::attribute, attribute);
    for (const std::string& attribute : parts.defaults)
      w.add_message(fields::FunctionProto::attribute_proto, attribute);
    for (const std::string& part : parts.nodes) w.add_message(fields::FunctionProto::node, part);
    w.add_message(fields::FunctionProto::opset_import, import("", 16));
    w.add_message(fields::FunctionProto::opset_import, import("local", 1));
  });
}

/// A node that calls a function of the domain "local".
inline std::string call(std::string_view name, const Names& inputs, const Names& outputs,
                        const std::vector<std::string>& attributes = {}) {
  std::string bytes = node(name, inputs, outputs, attributes);
  pbf_writer(bytes).add_string(fields::NodeProto::domain, "local");
  return bytes;
}

/// The model with functions of the domain "local", which it imports.
inline std::string with_functions(std::string model_bytes, const std::vector<std::string>& functions) {
  pbf_writer w(model_bytes);
  w.add_message(fields::ModelProto::opset_import, message([](pbf_writer& o) {
                  o.add_string(fields::OperatorSetIdProto::domain, "local");
                  o.add_int64(fields::OperatorSetIdProto::version, 1);
                }));
  for (const std::string& part : functions) w.add_message(fields::ModelProto::functions, part);
  return model_bytes;
}

inline std::string model(const std::string& main, std::int64_t opset = 16, std::int64_t ir_version = 8) {
  return message([&](pbf_writer& w) {
    w.add_int64(fields::ModelProto::ir_version, ir_version);
    w.add_message(fields::ModelProto::graph, main);
    w.add_message(fields::ModelProto::opset_import,
                  message([&](pbf_writer& o) { o.add_int64(fields::OperatorSetIdProto::version, opset); }));
  });
}

/// Reads the bytes as read_bytes does; they are kept alive by the result.
inline Reading read(const std::string& bytes, const std::filesystem::path& folder = {}) {
  const auto owner = std::make_shared<const std::string>(bytes);
  return read_bytes(owner, std::as_bytes(std::span(*owner)), folder);
}

}  // namespace ifcert::onnx::file_builder
