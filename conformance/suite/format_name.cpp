#include "conformance/suite/format_name.hpp"

namespace ifcert::conformance {

std::string name_of(Format format) {
  switch (format) {
    case Format::onnx:
      return "onnx";
    case Format::openvino:
      return "openvino";
    case Format::tflite:
      return "tflite";
  }
  return "onnx";
}

std::optional<Format> format_named(std::string_view name) {
  for (const Format format : {Format::onnx, Format::openvino, Format::tflite}) {
    if (name_of(format) == name) return format;
  }
  return std::nullopt;
}

}  // namespace ifcert::conformance
