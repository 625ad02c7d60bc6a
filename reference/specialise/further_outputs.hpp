// The bytes of with_outputs() of ifcert/further_outputs.hpp, for each format.
#pragma once

#include <cstddef>
#include <ifcert/further_outputs.hpp>
#include <span>
#include <string>

namespace ifcert::onnx {
std::string with_outputs(const Model& model, std::span<const std::byte> bytes, std::span<const FurtherOutput> outputs);
}  // namespace ifcert::onnx

namespace ifcert::openvino {
std::string with_outputs(const Model& model, std::span<const std::byte> xml, std::span<const FurtherOutput> outputs);
}  // namespace ifcert::openvino

namespace ifcert::tflite {
std::string with_outputs(const Model& model, std::span<const std::byte> bytes, std::span<const FurtherOutput> outputs);
}  // namespace ifcert::tflite
