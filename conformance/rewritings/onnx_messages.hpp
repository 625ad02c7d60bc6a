// Messages that rewritings add to an ONNX file.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/rewritings/onnx_tree.hpp"

namespace ifcert::conformance::onnx_messages {

using NameList = std::vector<std::string>;

/// A node of the default domain.
onnx_tree::Message node(std::string_view op_type, const NameList& inputs, const NameList& outputs);

/// Gives a node a graph as an attribute.
void add_graph(onnx_tree::Message& node, std::string_view attribute, onnx_tree::Message graph);

/// The numbers of AttributeProto.AttributeType that are needed.
inline constexpr std::int64_t tensor_attribute = 4, graph_attribute = 5;

/// The numbers of TensorProto.DataType that are needed.
inline constexpr std::int64_t float_type = 1, int64_type = 7, bool_type = 9;

/// A tensor without a name. `raw_data` has its numbers as the file stores them.
onnx_tree::Message tensor(std::int64_t type, const std::vector<std::int64_t>& dims, std::string_view raw_data);

/// A Constant that makes the tensor.
onnx_tree::Message constant(std::string_view output, onnx_tree::Message tensor);

/// A Constant of one number, with dims () or (1).
onnx_tree::Message constant_int64(std::string_view output, char number, const std::vector<std::int64_t>& dims);
onnx_tree::Message constant_bool(std::string_view output, bool value);

/// Declares a value: a scalar of that type, or its name alone.
onnx_tree::Message scalar_info(std::string_view name, std::int64_t type);
onnx_tree::Message untyped_info(std::string_view name);

}  // namespace ifcert::conformance::onnx_messages
