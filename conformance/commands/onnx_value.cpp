#include "conformance/commands/onnx_value.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <ifcert/types.hpp>
#include <protozero/pbf_writer.hpp>

#include "conformance/suite/protocol_value.hpp"
#include "conformance/system/error.hpp"
#include "reference/model/onnx_element_types.hpp"

namespace ifcert::conformance {
namespace {

using nlohmann::json;

// Fields of onnx.proto's TensorProto, and of SequenceProto and OptionalProto, which use the same numbers.
constexpr int tensor_dims = 1, tensor_type = 2, tensor_strings = 6, tensor_name = 8, tensor_bytes = 9;
constexpr int held_name = 1, held_type = 2, held_tensor = 3, optional_sequence = 5;

// SequenceProto.DataType and OptionalProto.DataType.
constexpr std::int32_t nothing = 0, of_tensors = 1, of_a_sequence = 3;

std::int32_t number_of(const std::string& element) {
  constexpr std::int32_t most = 64;
  const ElementType type = element_type_named(element);
  for (std::int32_t number = 1; number < most; ++number) {
    if (onnx::element_type_of(std::int64_t{number}) == type) return number;
  }
  throw Error(fmt::format("ONNX has no element type {}", element));
}

std::string bytes_of_text(const json& text) {
  return decode_base64(text.get_ref<const std::string&>()).value();
}

std::string tensor_message(const std::string& name, const json& tensor) {
  std::string message;
  protozero::pbf_writer writer(message);
  for (const json& dim : tensor.at("shape")) writer.add_int64(tensor_dims, dim.get<std::int64_t>());
  writer.add_int32(tensor_type, number_of(tensor.at("type").get<std::string>()));
  if (tensor.contains("strings")) {
    for (const json& text : tensor.at("strings")) writer.add_bytes(tensor_strings, bytes_of_text(text));
  }
  if (!name.empty()) writer.add_string(tensor_name, name);
  if (tensor.contains("data")) writer.add_bytes(tensor_bytes, bytes_of_text(tensor.at("data")));
  return message;
}

std::string sequence_message(const std::string& name, const json& sequence) {
  std::string message;
  protozero::pbf_writer writer(message);
  if (!name.empty()) writer.add_string(held_name, name);
  writer.add_int32(held_type, of_tensors);
  for (const json& item : sequence.at("items")) writer.add_message(held_tensor, tensor_message("", item));
  return message;
}

std::string optional_message(const std::string& name, const json& optional) {
  std::string message;
  protozero::pbf_writer writer(message);
  if (!name.empty()) writer.add_string(held_name, name);
  if (!optional.contains("value")) {
    writer.add_int32(held_type, nothing);
    return message;
  }
  const json& value = optional.at("value");
  const bool is_tensor = value.at("kind") == "tensor";
  writer.add_int32(held_type, is_tensor ? of_tensors : of_a_sequence);
  writer.add_message(is_tensor ? held_tensor : optional_sequence,
                     is_tensor ? tensor_message("", value) : sequence_message("", value));
  return message;
}

}  // namespace

std::string onnx_bytes(const std::string& name, const json& value) {
  const auto& kind = value.at("kind").get_ref<const std::string&>();
  if (kind == "tensor") return tensor_message(name, value);
  return kind == "sequence" ? sequence_message(name, value) : optional_message(name, value);
}

}  // namespace ifcert::conformance
