// An ONNX file without the breaches that leave it one meaning: every other byte stays as it is.
#pragma once

#include <ifcert/reading.hpp>
#include <span>
#include <string>

namespace ifcert::onnx {

/// The bytes of a file that was read, with the allowable breaches of these rules mended.
std::string mended(std::span<const std::byte> bytes, const AllowedRules& allowed);

}  // namespace ifcert::onnx
