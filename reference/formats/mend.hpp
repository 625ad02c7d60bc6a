// A file without the breaches that leave it one meaning: every other byte or element stays as it is.
#pragma once

#include <ifcert/graph.hpp>
#include <ifcert/reading.hpp>
#include <span>
#include <string>

namespace ifcert {
namespace onnx {

/// The bytes of a file that was read, with the allowable breaches of these rules mended.
std::string mended(std::span<const std::byte> bytes, const AllowedRules& allowed);

}  // namespace onnx
namespace openvino {

/// The text of an .xml that was read, with the allowable breaches of these rules mended: repetitions, which it leaves
/// out.
std::string mended(std::span<const std::byte> xml, const AllowedRules& allowed);

}  // namespace openvino
namespace tflite {

/// A file of TensorFlow Lite or Circle with its operators in execution order. `model` is the file as it was read.
std::string with_sorted_operators(std::span<const std::byte> bytes, const Model& model);

}  // namespace tflite
}  // namespace ifcert
