#include "empty_sequence.hpp"

#include <ifcert_adapter.hpp>
#include <string_view>

#include "types.hpp"

namespace ifcert::onnxruntime {
namespace {

/// Protobuf's way to write a number.
std::string varint(std::size_t value) {
  std::string text;
  for (; value > 127; value >>= 7) text += static_cast<char>((value & 127) | 128);
  return text + static_cast<char>(value);
}

/// A field that holds a number.
std::string number(std::size_t field, std::size_t value) {
  return varint(field << 3) + varint(value);
}

/// A field that holds a text or a message.
std::string bytes(std::size_t field, std::string_view content) {
  return varint(field << 3 | 2) + varint(content.size()) + std::string(content);
}

/// onnx.proto's ModelProto of opset 11 with one node, s = SequenceEmpty <dtype = element> ().
std::string model_of(ONNXTensorElementDataType element) {
  const std::string dtype = bytes(1, "dtype") + number(3, element) + number(20, 2);
  const std::string node = bytes(2, "s") + bytes(4, "SequenceEmpty") + bytes(5, dtype);
  const std::string type = bytes(4, bytes(1, bytes(1, number(1, element))));
  const std::string graph = bytes(1, node) + bytes(2, "g") + bytes(12, bytes(1, "s") + bytes(2, type));
  return number(1, 8) + bytes(7, graph) + bytes(8, number(2, 11));
}

/// The element type in "tensor(float32)".
std::string_view element_in(std::string_view type) {
  constexpr std::string_view opening = "tensor(";
  if (!type.starts_with(opening)) throw adapter::AdapterError("an empty sequence must say of what it is");
  return type.substr(opening.size(), type.size() - opening.size() - 1);
}

RuntimeValue given_by(const std::string& model) {
  const auto options = made<Options>(api().CreateSessionOptions);
  require(api().SetIntraOpNumThreads(options.get(), 1));
  const auto session = made<Session>(api().CreateSessionFromArray, environment(), model.data(), model.size(),
                                     static_cast<const OrtSessionOptions*>(options.get()));
  const char* const name = "s";
  OrtValue* value = nullptr;
  require(api().Run(session.get(), nullptr, nullptr, nullptr, 0, &name, 1, &value));
  return RuntimeValue(value);
}

}  // namespace

RuntimeValue empty_sequence(std::string_view item_type) {
  const std::string model = model_of(type_named(element_in(item_type)));
  try {
    return given_by(model);
  } catch (const adapter::Unsupported& lack) {  // it is not what the vector asks for
    throw adapter::Refused("the C API makes no sequence of no items, and SequenceEmpty: " + std::string(lack.what()));
  }
}

}  // namespace ifcert::onnxruntime
