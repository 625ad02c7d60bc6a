// The graph form of one format → that of another, and a model as files of either.
#pragma once

#include <filesystem>
#include <ifcert/graph.hpp>
#include <ifcert/inexpressible.hpp>
#include <ifcert/rules.hpp>
#include <string>
#include <vector>

namespace ifcert {

/// The same model with the operators of the other format: ONNX (opset 16, or the first that has the model's types),
/// OpenVINO IR or TensorFlow Lite. Values keep their names, inputs and outputs their order. The model must be legal;
/// the result is. `types` are the model's (see checked()); without them they are inferred once more. Throws
/// Inexpressible.
Model translate(const Model& model, const SlotTypes& types, Format to);
Model translate(const Model& model, Format to);

struct WrittenFile {
  std::filesystem::path path;
  std::string bytes;
};

/// The files of the model in the format of the file name: .onnx, .tflite, .circle, or .xml preceded by its .bin. The
/// model must be legal, and `types` are its types, as for translate(). Nothing is written to the disk. Throws
/// Inexpressible.
std::vector<WrittenFile> write_model(const Model& model, const SlotTypes& types, const std::filesystem::path& path);
std::vector<WrittenFile> write_model(const Model& model, const std::filesystem::path& path);

}  // namespace ifcert
