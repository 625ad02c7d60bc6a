// The ONNX messages as they stand in the file: decoded, not yet understood. Strings and tensor bytes point into the
// file.
#pragma once

#include <cstdint>
#include <ifcert/diagnostic.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ifcert::onnx::proto {

/// AttributeProto.AttributeType.
enum class AttributeType : std::int32_t {
  undefined = 0,
  float_ = 1,
  int_ = 2,
  string = 3,
  tensor = 4,
  graph = 5,
  floats = 6,
  ints = 7,
  strings = 8,
  tensors = 9,
  graphs = 10,
  sparse_tensor = 11,
  sparse_tensors = 12,
  type_proto = 13,
  type_protos = 14,
};

struct Entry {
  std::string_view key, value;
};

struct Tensor {
  std::vector<std::int64_t> dims;
  std::int32_t data_type = 0;
  std::string_view name;
  std::vector<float> float_data;
  std::vector<std::int32_t> int32_data;
  std::vector<std::int64_t> int64_data;
  std::vector<double> double_data;
  std::vector<std::uint64_t> uint64_data;
  std::vector<std::string_view> string_data;
  std::optional<std::string_view> raw_data;
  bool external = false;
  bool segmented = false;
  std::vector<Entry> external_data;
};

/// Values at indices, zeros elsewhere. The name of an initializer is that of its values.
struct SparseTensor {
  Tensor values, indices;
  std::vector<std::int64_t> dims;
};

struct Dimension {
  std::optional<std::int64_t> value;
  std::string_view param;
};

/// One of the alternatives of TypeProto; `item` holds the element type of a sequence or an optional.
struct Type {
  enum class Kind : std::uint8_t { none, tensor, sequence, optional, map, sparse_tensor, opaque } kind = Kind::none;
  std::int32_t element = 0;
  std::optional<std::vector<Dimension>> shape;
  std::vector<Type> item;
};

struct ValueInfo {
  std::string_view name;
  Type type;
};

struct Graph;

struct Attribute {
  std::string_view name;
  std::string_view reference;  // ref_attr_name; empty where there is none
  std::int32_t type = 0;
  std::uint32_t given = 0;  // a bit 1 << AttributeType for each field that holds a value
  std::optional<float> f;
  std::optional<std::int64_t> i;
  std::optional<std::string_view> s;
  std::vector<Tensor> tensor;  // at most one; `t`
  std::vector<Graph> graph;    // at most one; `g`
  std::vector<Type> type_proto;
  std::vector<float> floats;
  std::vector<std::int64_t> ints;
  std::vector<std::string_view> strings;
  std::vector<Tensor> tensors;
  std::vector<Graph> graphs;
  std::vector<SparseTensor> sparse_tensor;  // at most one

  bool gives(AttributeType field) const { return (given >> static_cast<unsigned>(field) & 1U) != 0; }
};

struct Node {
  std::vector<std::string_view> input, output;
  std::string_view name, op_type, domain, overload;
  std::vector<Attribute> attribute;
};

struct Graph {
  std::string_view name;
  std::vector<Node> node;
  std::vector<Tensor> initializer;
  std::vector<ValueInfo> input, output, value_info;
  std::vector<SparseTensor> sparse_initializer;
};

struct OperatorSet {
  std::string_view domain;
  std::int64_t version = 0;
};

struct Function {
  std::string_view name, domain, overload;
  std::vector<std::string_view> input, output, attribute;
  std::vector<Attribute> attribute_proto;
  std::vector<Node> node;
  std::vector<OperatorSet> opset_import;
  std::vector<ValueInfo> value_info;
};

struct Model {
  std::optional<std::int64_t> ir_version;
  std::string_view producer_name, producer_version;
  std::vector<OperatorSet> opset_import;
  std::vector<Graph> graph;  // at most one
  std::vector<Function> functions;
};

/// Decodes a ModelProto. Unknown fields are skipped. Throws UnreadableModel for bytes that are no such message:
/// truncated, another wire type than the field has, a singular message given twice, nesting beyond nesting_limit, more
/// messages than budget_limit.
Model decode(std::span<const std::byte> bytes);

}  // namespace ifcert::onnx::proto
