// The models that a command line names.
#pragma once

#include <ifcert/reading.hpp>
#include <string>

namespace ifcert::conformance {

/// How messages call it: its name, or "stdin".
std::string called(const std::string& model);

/// Reads a model: a file, or for "-" what standard input gives, whose bytes show the format. Throws UnreadableModel,
/// and Error where standard input cannot be read, or gives more than a file may have.
Reading read_given(const std::string& model);

/// The endings of model files.
constexpr const char* model_endings = "(.onnx, .xml, .tflite, .circle; - is standard input)";

/// Throws Error where the folder of a file that is to be written is not there.
void require_folder_of(const std::string& file);

}  // namespace ifcert::conformance
