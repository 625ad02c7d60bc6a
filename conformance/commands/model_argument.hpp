// The models that a command line names.
#pragma once

#include <ifcert/reading.hpp>
#include <string>

namespace ifcert::conformance {

/// The argument, or, where it is the id of a vector and no file has that name, the path of the vector's model. Throws
/// Error where the vectors cannot be read.
std::string model_file(const std::string& argument);

/// The model's name in messages: its path, or "stdin".
std::string display_name(const std::string& model);

/// Reads a model: a file, or, for "-", standard input, whose bytes show the format. Throws UnreadableModel, and Error
/// where standard input cannot be read or is larger than a file may be.
Reading read_model_argument(const std::string& model, const AllowedRules& allowed = {});

/// What a model may be, for the help of a command.
constexpr const char* model_endings = "(.onnx, .xml, .tflite, .circle; or the id of a vector; - is standard input)";

/// Throws Error where the folder of an output file does not exist.
void require_folder_of(const std::string& file);

}  // namespace ifcert::conformance
