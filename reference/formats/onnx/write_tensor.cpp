#include "formats/onnx/write_tensor.hpp"

#include <protozero/pbf_writer.hpp>

#include "formats/onnx/fields.hpp"
#include "model/onnx_element_types.hpp"

namespace ifcert::onnx {
namespace {

using protozero::pbf_writer;

std::string dimension_message(const Dim& dim) {
  std::string bytes;
  pbf_writer message(bytes);
  if (dim.known())
    message.add_int64(fields::TensorShapeProtoDimension::dim_value, dim.value);
  else if (!dim.symbol.empty())
    message.add_string(fields::TensorShapeProtoDimension::dim_param, dim.symbol);
  return bytes;
}

std::string tensor_type_message(const Type& type) {
  std::string bytes;
  pbf_writer message(bytes);
  message.add_int32(fields::TypeProtoTensor::elem_type, data_type_of(type.element));
  if (!type.shape) return bytes;
  std::string shape;
  for (const Dim& dim : *type.shape)
    pbf_writer(shape).add_message(fields::TensorShapeProto::dim, dimension_message(dim));
  message.add_message(fields::TypeProtoTensor::shape, shape);
  return bytes;
}

/// Writes the type of a sequence or an optional: their only fields have the same number.
std::string item_message(const Type& type, const Place& place) {
  static_assert(fields::TypeProtoSequence::elem_type + 0U == fields::TypeProtoOptional::elem_type + 0U);
  std::string bytes;
  pbf_writer(bytes).add_message(fields::TypeProtoSequence::elem_type, type_message(type.item.front(), place));
  return bytes;
}

}  // namespace

std::string type_message(const Type& type, const Place& place) {
  std::string bytes;
  pbf_writer message(bytes);
  switch (type.kind) {
    case Type::Kind::unknown:
      break;
    case Type::Kind::tensor:
      message.add_message(fields::TypeProto::tensor_type, tensor_type_message(type));
      break;
    case Type::Kind::sequence:
      message.add_message(fields::TypeProto::sequence_type, item_message(type, place));
      break;
    case Type::Kind::optional:
      message.add_message(fields::TypeProto::optional_type, item_message(type, place));
      break;
    default:
      throw Inexpressible(to_string(place),
                          "the graph form holds only the kind of maps, sparse tensors and opaque types");
  }
  return bytes;
}

std::string tensor_message(const Value& value, std::string_view name, const Place& place) {
  const Tensor* tensor = value.tensor();
  if (tensor == nullptr) throw Inexpressible(to_string(place), "the value is not a tensor");
  const std::span<const std::byte> data = tensor->data.bytes();
  std::size_t size = data.size();
  for (const std::string& string : tensor->strings) size += string.size();
  if (size > message_limit) throw Inexpressible(to_string(place), "a tensor in a file has at most 2 GiB");
  std::string bytes;
  pbf_writer message(bytes);
  for (const std::int64_t dim : tensor->dims) message.add_int64(fields::TensorProto::dims, dim);
  message.add_int32(fields::TensorProto::data_type, data_type_of(tensor->type));
  if (!name.empty()) message.add_string(fields::TensorProto::name, name.data(), name.size());
  if (tensor->type == ElementType::string) {
    for (const std::string& string : tensor->strings) message.add_bytes(fields::TensorProto::string_data, string);
  } else {
    message.add_bytes(fields::TensorProto::raw_data, reinterpret_cast<const char*>(data.data()), data.size());
  }
  return bytes;
}

std::string sparse_tensor_message(const SparseTensor& sparse, std::string_view name, const Place& place) {
  std::string bytes;
  pbf_writer message(bytes);
  message.add_message(fields::SparseTensorProto::values, tensor_message(sparse.values, name, place));
  message.add_message(fields::SparseTensorProto::indices, tensor_message(sparse.indices, "", place));
  for (const std::int64_t dim : sparse.dims) message.add_int64(fields::SparseTensorProto::dims, dim);
  return bytes;
}

}  // namespace ifcert::onnx
