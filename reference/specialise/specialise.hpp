// The bytes of specialised() of ifcert/specialise.hpp, for each format. A decision on a node that the file does not
// show any more does nothing.
#pragma once

#include <cstddef>
#include <ifcert/specialise.hpp>
#include <span>
#include <string>
#include <string_view>

namespace ifcert {
/// Of the model's format. Nothing is read again: the result may break a rule where the formats' functions do not see
/// it.
std::string specialised_bytes(const Model& model, std::span<const std::byte> bytes, const Decisions& decisions);

/// A new file that takes the place of the one from which `before` was read, whose data is beside it. Throws
/// Inexpressible where it breaks a rule; `how` it was made begins what is said: "without an If".
Specialised legal_file(const Model& before, std::string bytes, std::string_view how);
}  // namespace ifcert

namespace ifcert::onnx {
std::string specialised(const Model& model, std::span<const std::byte> bytes, const Decisions& decisions);
}  // namespace ifcert::onnx

namespace ifcert::openvino {
std::string specialised(const Model& model, std::span<const std::byte> xml, const Decisions& decisions);
}  // namespace ifcert::openvino

namespace ifcert::tflite {
std::string specialised(const Model& model, std::span<const std::byte> bytes, const Decisions& decisions);
}  // namespace ifcert::tflite
