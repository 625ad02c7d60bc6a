// The specialisation of each format: specialised() of ifcert/specialise.hpp.
#pragma once

#include <cstddef>
#include <ifcert/specialise.hpp>
#include <span>
#include <string>

namespace ifcert::onnx {
std::string specialised(const Model& model, std::span<const std::byte> bytes, const Decisions& decisions);
}  // namespace ifcert::onnx

namespace ifcert::openvino {
std::string specialised(const Model& model, std::span<const std::byte> xml, const Decisions& decisions);
}  // namespace ifcert::openvino

namespace ifcert::tflite {
std::string specialised(const Model& model, std::span<const std::byte> bytes, const Decisions& decisions);
}  // namespace ifcert::tflite
