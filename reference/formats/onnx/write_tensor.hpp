// Types and tensors as ONNX messages.
#pragma once

#include <ifcert/inexpressible.hpp>
#include <ifcert/values.hpp>
#include <string>
#include <string_view>

#include "place.hpp"

namespace ifcert::onnx {

/// Protocol Buffers bounds a message to 2 GiB, and a model is one.
inline constexpr std::size_t message_limit = 0x7FFFFFFF;

/// A TypeProto; one without a value says nothing. Throws Inexpressible.
std::string type_message(const Type& type, const Place& place);

/// A TensorProto with its elements in it. Throws Inexpressible.
std::string tensor_message(const Value& value, std::string_view name, const Place& place);

}  // namespace ifcert::onnx
