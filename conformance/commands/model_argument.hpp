// The models that a command line names.
#pragma once

#include <ifcert/reading.hpp>
#include <string>

namespace ifcert::conformance {

/// The model's name in messages: its path, or "stdin".
std::string display_name(const std::string& model);

/// Reads a model: a file, or, for "-", standard input, whose bytes show the format. Throws UnreadableModel, and Error
/// where standard input cannot be read or is larger than a file may be.
Reading read_model_argument(const std::string& model, const AllowedRules& allowed = {});

/// The extensions of model files.
constexpr const char* model_endings = "(.onnx, .xml, .tflite, .circle; - is standard input)";

/// Throws Error where the folder of an output file does not exist.
void require_folder_of(const std::string& file);

}  // namespace ifcert::conformance
