// Types and tensors as ONNX messages.
#pragma once

#include <ifcert/inexpressible.hpp>
#include <ifcert/values.hpp>
#include <string>
#include <string_view>

#include "model/place.hpp"

namespace ifcert::onnx {

/// Protocol Buffers limits a message, such as a model, to 2 GiB.
inline constexpr std::size_t message_limit = 0x7FFFFFFF;

/// A TypeProto; one without a value for an unknown type. Throws Inexpressible.
std::string type_message(const Type& type, const Place& place);

/// A TensorProto with its elements. Throws Inexpressible.
std::string tensor_message(const Value& value, std::string_view name, const Place& place);

/// A SparseTensorProto; the name is that of its values. Throws Inexpressible.
std::string sparse_tensor_message(const SparseTensor& sparse, std::string_view name, const Place& place);

}  // namespace ifcert::onnx
