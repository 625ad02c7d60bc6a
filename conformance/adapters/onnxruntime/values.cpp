#include "values.hpp"

#include <algorithm>
#include <cstring>
#include <span>

#include "empty_sequence.hpp"
#include "types.hpp"

namespace ifcert::onnxruntime {
namespace {

namespace sdk = adapter;

OrtAllocator* allocator() {
  return told<OrtAllocator*>(api().GetAllocatorWithDefaultOptions);
}

void fill_in(OrtValue* value, const sdk::Tensor& tensor) {
  const auto size = told<std::size_t>(api().GetTensorSizeInBytes, value);
  if (size != tensor.data.size())
    throw sdk::AdapterError("ONNX Runtime keeps " + std::to_string(tensor.data.size()) + " bytes of " + tensor.type +
                            " in " + std::to_string(size));
  if (size != 0) std::memcpy(told<void*>(api().GetTensorMutableData, value), tensor.data.data(), size);
}

void fill_in_strings(OrtValue* value, const std::vector<std::string>& strings) {
  for (std::size_t i = 0; i < strings.size(); ++i) {
    auto* const buffer = told<char*>(api().GetResizedStringTensorElementBuffer, value, i, strings[i].size());
    strings[i].copy(buffer, strings[i].size());
  }
}

RuntimeValue write(const sdk::Tensor& tensor) {
  auto value = made<RuntimeValue>(api().CreateTensorAsOrtValue, allocator(), tensor.shape.data(), tensor.shape.size(),
                                  type_named(tensor.type));
  if (tensor.type == "string")
    fill_in_strings(value.get(), tensor.strings);
  else
    fill_in(value.get(), tensor);
  return value;
}

RuntimeValue write(const sdk::Sequence& sequence) {
  if (sequence.items.empty()) return empty_sequence(sequence.of.value_or(""));
  std::vector<RuntimeValue> items;
  std::vector<const OrtValue*> pointers;
  for (const sdk::Tensor& item : sequence.items) {
    items.push_back(write(item));
    pointers.push_back(items.back().get());
  }
  return made<RuntimeValue>(api().CreateValue, pointers.data(), pointers.size(), ONNX_TYPE_SEQUENCE);
}

RuntimeValue write(std::monostate /*absent*/) {
  return nullptr;
}

RuntimeValue write(const sdk::Optional& optional) {
  return std::visit([](const auto& held) { return write(held); }, optional.value);
}

RuntimeValue write(const sdk::Other& other) {
  throw sdk::AdapterError("no input can be " + other.description);
}

std::vector<std::byte> bytes_of(OrtValue* value) {
  const auto* const data = static_cast<const std::byte*>(told<void*>(api().GetTensorMutableData, value));
  return {data, data + told<std::size_t>(api().GetTensorSizeInBytes, value)};
}

std::vector<std::string> strings_of(const OrtValue* value, std::size_t count) {
  std::vector<std::string> strings(count);
  for (std::size_t i = 0; i < count; ++i) {
    strings[i].resize(told<std::size_t>(api().GetStringTensorElementLength, value, i));
    require(api().GetStringTensorElement(value, strings[i].size(), i, strings[i].data()));
  }
  return strings;
}

/// Zeroes the bits behind the last of `count` elements of less than a byte, as the protocol has them: what the runtime
/// leaves there is of no element.
void clear_padding(sdk::Tensor& tensor, std::size_t count) {
  const auto* const known =
      std::ranges::find(sdk::element_bits, tensor.type, [](const auto& type) { return type.first; });
  const std::size_t used = count * known->second % 8;
  if (used != 0 && !tensor.data.empty()) tensor.data.back() &= static_cast<std::byte>((1U << used) - 1);
}

/// Throws AdapterError for an element type that the protocol has no name for.
sdk::Tensor read_tensor(OrtValue* value) {
  const auto info = made<ShapeInfo>(api().GetTensorTypeAndShape, static_cast<const OrtValue*>(value));
  const auto type = told<ONNXTensorElementDataType>(api().GetTensorElementType, info.get());
  sdk::Tensor tensor{std::string(name_of(type)), {}, {}, {}};
  if (tensor.type.empty()) throw sdk::AdapterError("ONNX Runtime's element type " + std::to_string(type) + " is new");
  tensor.shape.resize(told<std::size_t>(api().GetDimensionsCount, info.get()));
  require(api().GetDimensions(info.get(), tensor.shape.data(), tensor.shape.size()));
  const auto count = told<std::size_t>(api().GetTensorShapeElementCount, info.get());
  if (type == ONNX_TENSOR_ELEMENT_DATA_TYPE_STRING)
    tensor.strings = strings_of(value, count);
  else
    tensor.data = bytes_of(value);
  clear_padding(tensor, count);
  return tensor;
}

sdk::Value read_sequence(const OrtValue* value) {
  const auto info = made<TypeInfo>(api().GetTypeInfo, value);
  const auto name = name_of(info.get());
  if (!name) return sdk::Other{"a sequence of what are no tensors"};
  sdk::Sequence sequence{name->substr(4, name->size() - 5), {}};
  const auto count = told<std::size_t>(api().GetValueCount, value);
  for (std::size_t i = 0; i < count; ++i) {
    const auto item = made<RuntimeValue>(api().GetValue, value, static_cast<int>(i), allocator());
    sequence.items.push_back(read_tensor(item.get()));
  }
  return sequence;
}

/// A value that is there.
sdk::Value read_present(OrtValue* value) {
  const auto kind = told<ONNXType>(api().GetValueType, static_cast<const OrtValue*>(value));
  if (kind == ONNX_TYPE_TENSOR) return read_tensor(value);
  if (kind == ONNX_TYPE_SEQUENCE) return read_sequence(value);
  return sdk::Other{"a value of ONNX Runtime's kind " + std::to_string(kind)};
}

}  // namespace

RuntimeValue written(const sdk::Value& value) {
  return std::visit([](const auto& held) { return write(held); }, value);
}

sdk::Value read(OrtValue* value, const std::optional<std::string>& declared) {
  const bool there = told<int>(api().HasValue, static_cast<const OrtValue*>(value)) != 0;
  constexpr std::string_view opening = "optional(";
  if (!declared || !declared->starts_with(opening))
    return there ? read_present(value) : sdk::Other{"nothing, where no optional is declared"};
  sdk::Optional optional{declared->substr(opening.size(), declared->size() - opening.size() - 1), {}};
  if (!there) return optional;
  sdk::Value held = read_present(value);
  if (auto* const tensor = std::get_if<sdk::Tensor>(&held))
    optional.value = std::move(*tensor);
  else if (auto* const sequence = std::get_if<sdk::Sequence>(&held))
    optional.value = std::move(*sequence);
  else
    return held;
  return optional;
}

}  // namespace ifcert::onnxruntime
