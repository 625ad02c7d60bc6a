// For tests: files of TensorFlow Lite and Circle from short descriptions of subgraphs, so that a test can also write
// what no converter would.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <ifcert/tflite.hpp>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "formats/tflite/schema_generated.h"

namespace ifcert::tflite::file_builder {

// The names of the schema that tests use.
using schema::BuiltinOperator;
using schema::BuiltinOperator_ABS;
using schema::BuiltinOperator_ADD;
using schema::BuiltinOperator_BROADCAST_TO;
using schema::BuiltinOperator_IF;
using schema::BuiltinOperator_INSTANCE_NORM;
using schema::BuiltinOperator_LESS;
using schema::BuiltinOperator_NEG;
using schema::BuiltinOperator_RESHAPE;
using schema::BuiltinOperator_WHILE;
using schema::TensorType;
using schema::TensorType_BOOL;
using schema::TensorType_FLOAT32;
using schema::TensorType_INT32;
using schema::TensorType_RESOURCE;
using schema::TensorType_STRING;

using Fbb = flatbuffers::FlatBufferBuilder;
using Indices = std::vector<std::int32_t>;

/// Optional fields (`signature`, `has_rank` and the rest) are written where they are set.
struct Tensor {
  schema::TensorType type = schema::TensorType_INT32;
  std::vector<std::int32_t> shape = {};
  std::string name = {};
  std::uint32_t buffer = 0;
  std::vector<std::int32_t> signature = {};
  bool has_rank = false;
  bool variable = false;
  bool quantized = false;
  bool sparse = false;
  std::uint32_t external = 0;
};

/// An entry of the model's operator codes.
struct Code {
  std::int8_t deprecated = 0;
  schema::BuiltinOperator builtin = schema::BuiltinOperator_ADD;
  std::string custom = {};
  std::int32_t version = 1;
  bool operator==(const Code&) const = default;
};

/// The code as converters write it: in both fields, the older of which holds at most 127.
inline Code code(schema::BuiltinOperator builtin) {
  return {static_cast<std::int8_t>(std::min<int>(builtin, 127)), builtin};
}

inline Code custom_code(std::string name) {
  return {static_cast<std::int8_t>(schema::BuiltinOperator_CUSTOM), schema::BuiltinOperator_CUSTOM, std::move(name)};
}

struct Options {
  schema::BuiltinOptions type = schema::BuiltinOptions_NONE;
  std::function<flatbuffers::Offset<void>(Fbb&)> write = {};
};

/// `code_index` is written in place of the index of `code`.
struct Operator {
  Code code;
  Indices inputs, outputs;
  Options options = {};
  std::optional<std::uint32_t> code_index = std::nullopt;
  Indices intermediates = {};
};

struct Subgraph {
  std::string name;
  std::vector<Tensor> tensors;
  Indices inputs, outputs;
  std::vector<Operator> operators = {};
};

/// A buffer's bytes are in the table, or after it at the next multiple of 16. `offset` and `size` are written in place
/// of the right ones.
struct Bytes {
  std::string bytes;
  bool behind = false;
  std::optional<std::uint64_t> offset = std::nullopt;
  std::optional<std::uint64_t> size = std::nullopt;
};

/// A name for a subgraph and its outputs, by which programs find them.
struct Signature {
  std::string key;
  std::uint32_t subgraph = 0;
  std::vector<std::pair<std::string, std::uint32_t>> outputs = {};
};

/// `buffers` are numbered from 1; buffer 0 is the empty one.
struct File {
  std::vector<Subgraph> subgraphs;
  std::vector<Bytes> buffers = {};
  std::string identifier = "TFL3";
  std::uint32_t version = 3;
  std::vector<Signature> signatures = {};
};

inline Options if_options(std::int32_t then_subgraph, std::int32_t else_subgraph) {
  return {schema::BuiltinOptions_IfOptions,
          [=](Fbb& b) { return schema::CreateIfOptions(b, then_subgraph, else_subgraph).Union(); }};
}

inline Options while_options(std::int32_t cond_subgraph, std::int32_t body_subgraph) {
  return {schema::BuiltinOptions_WhileOptions,
          [=](Fbb& b) { return schema::CreateWhileOptions(b, cond_subgraph, body_subgraph).Union(); }};
}

inline Operator if_(const Indices& inputs, const Indices& outputs, std::int32_t then_subgraph,
                    std::int32_t else_subgraph) {
  return {code(schema::BuiltinOperator_IF), inputs, outputs, if_options(then_subgraph, else_subgraph)};
}

inline Operator while_(const Indices& inputs, const Indices& outputs, std::int32_t cond_subgraph,
                       std::int32_t body_subgraph) {
  return {code(schema::BuiltinOperator_WHILE), inputs, outputs, while_options(cond_subgraph, body_subgraph)};
}

inline Operator operation(schema::BuiltinOperator builtin, const Indices& inputs, const Indices& outputs) {
  return {code(builtin), inputs, outputs};
}

inline Tensor boolean(std::vector<std::int32_t> shape = {}) {
  return {schema::TensorType_BOOL, std::move(shape), "cond"};
}

inline Tensor ints(std::vector<std::int32_t> shape = {}, std::uint32_t buffer = 0) {
  return {schema::TensorType_INT32, std::move(shape), "", buffer};
}

/// A subgraph that returns its only input.
inline Subgraph pass(std::string name, const Tensor& tensor) {
  return {std::move(name), {tensor}, {0}, {0}};
}

/// A subgraph that applies one operator to its only input.
inline Subgraph unary(std::string name, schema::BuiltinOperator builtin, const Tensor& tensor) {
  return {std::move(name), {tensor, tensor}, {0}, {1}, {operation(builtin, {0}, {1})}};
}

/// The bytes of the numbers, concatenated.
template <class T>
std::string bytes_of(std::initializer_list<T> numbers) {
  return {reinterpret_cast<const char*>(std::data(numbers)), numbers.size() * sizeof(T)};
}

inline flatbuffers::Offset<schema::Tensor> written(Fbb& b, const Tensor& tensor) {
  flatbuffers::Offset<schema::QuantizationParameters> quantization;
  flatbuffers::Offset<schema::SparsityParameters> sparsity;
  const std::vector<float> scale{0.5F};
  if (tensor.quantized) quantization = schema::CreateQuantizationParametersDirect(b, nullptr, nullptr, &scale, nullptr);
  if (tensor.sparse) sparsity = schema::CreateSparsityParameters(b);
  return schema::CreateTensorDirect(b, &tensor.shape, tensor.type, tensor.buffer,
                                    tensor.name.empty() ? nullptr : tensor.name.c_str(), quantization, tensor.variable,
                                    sparsity, tensor.signature.empty() ? nullptr : &tensor.signature, tensor.has_rank,
                                    tensor.external);
}

inline flatbuffers::Offset<schema::Operator> written(Fbb& b, const Operator& op, std::vector<Code>& codes) {
  const auto found = std::ranges::find(codes, op.code);
  const auto index = static_cast<std::uint32_t>(found - codes.begin());
  if (found == codes.end()) codes.push_back(op.code);
  const flatbuffers::Offset<void> options = op.options.write ? op.options.write(b) : 0;
  return schema::CreateOperatorDirect(b, op.code_index.value_or(index), &op.inputs, &op.outputs, op.options.type,
                                      options, nullptr, 0, nullptr,
                                      op.intermediates.empty() ? nullptr : &op.intermediates);
}

inline flatbuffers::Offset<schema::SubGraph> written(Fbb& b, const Subgraph& subgraph, std::vector<Code>& codes) {
  std::vector<flatbuffers::Offset<schema::Tensor>> tensors;
  std::vector<flatbuffers::Offset<schema::Operator>> operators;
  for (const Tensor& tensor : subgraph.tensors) tensors.push_back(written(b, tensor));
  for (const Operator& op : subgraph.operators) operators.push_back(written(b, op, codes));
  return schema::CreateSubGraphDirect(b, &tensors, &subgraph.inputs, &subgraph.outputs, &operators,
                                      subgraph.name.empty() ? nullptr : subgraph.name.c_str());
}

inline flatbuffers::Offset<schema::SignatureDef> written(Fbb& b, const Signature& signature) {
  std::vector<flatbuffers::Offset<schema::TensorMap>> outputs;
  for (const auto& [name, tensor] : signature.outputs)
    outputs.push_back(schema::CreateTensorMapDirect(b, name.c_str(), tensor));
  return schema::CreateSignatureDefDirect(b, nullptr, &outputs, signature.key.c_str(), signature.subgraph);
}

/// `start` is the offset of the bytes after the table.
inline std::vector<flatbuffers::Offset<schema::Buffer>> written(Fbb& b, const std::vector<Bytes>& buffers,
                                                                std::uint64_t start) {
  std::vector<flatbuffers::Offset<schema::Buffer>> all{schema::CreateBuffer(b)};
  for (const Bytes& buffer : buffers) {
    flatbuffers::Offset<flatbuffers::Vector<std::uint8_t>> data;
    if (!buffer.behind) {
      b.ForceVectorAlignment(buffer.bytes.size(), 1, 16);
      data = b.CreateVector(reinterpret_cast<const std::uint8_t*>(buffer.bytes.data()), buffer.bytes.size());
    }
    const std::uint64_t offset = buffer.offset.value_or(buffer.behind ? start : 0);
    const std::uint64_t size = buffer.size.value_or(buffer.behind ? buffer.bytes.size() : 0);
    all.push_back(schema::CreateBuffer(b, data, offset, size));
    if (buffer.behind) start += (buffer.bytes.size() + 15) / 16 * 16;
  }
  return all;
}

inline std::string table_of(const File& file, std::uint64_t start) {
  Fbb b;
  std::vector<Code> codes;
  std::vector<flatbuffers::Offset<schema::SubGraph>> subgraphs;
  for (const Subgraph& subgraph : file.subgraphs) subgraphs.push_back(written(b, subgraph, codes));
  std::vector<flatbuffers::Offset<schema::OperatorCode>> operator_codes;
  for (const Code& each : codes) {
    operator_codes.push_back(schema::CreateOperatorCodeDirect(
        b, each.deprecated, each.custom.empty() ? nullptr : each.custom.c_str(), each.version, each.builtin));
  }
  const auto buffers = written(b, file.buffers, start);
  std::vector<flatbuffers::Offset<schema::SignatureDef>> signatures;
  for (const Signature& each : file.signatures) signatures.push_back(written(b, each));
  b.Finish(schema::CreateModelDirect(b, file.version, &operator_codes, &subgraphs, "test", &buffers, nullptr, nullptr,
                                     signatures.empty() ? nullptr : &signatures),
           file.identifier.c_str());
  return {reinterpret_cast<const char*>(b.GetBufferPointer()), b.GetSize()};
}

/// The bytes of the file. Their number does not depend on `start`, unless it is 0.
inline std::string written(const File& file) {
  const std::uint64_t start = (table_of(file, 16).size() + 15) / 16 * 16;
  std::string bytes = table_of(file, start);
  for (const Bytes& buffer : file.buffers) {
    if (!buffer.behind) continue;
    bytes.resize((bytes.size() + 15) / 16 * 16);
    bytes += buffer.bytes;
  }
  return bytes;
}

/// Bytes that read() keeps alive, `shift` bytes after a multiple of 16.
inline Reading read(std::string_view bytes, std::size_t shift = 0) {
  std::byte* to = nullptr;
  const auto owner = std::make_shared<const Buffer>(Buffer::allocate(bytes.size() + shift, &to));
  std::memcpy(to + shift, bytes.data(), bytes.size());
  return read_bytes(owner, owner->bytes().subspan(shift));
}

inline Reading read(const File& file) {
  return read(written(file));
}

}  // namespace ifcert::tflite::file_builder
