// The graph form of one format → that of another, and a model as files of either.
#pragma once

#include <filesystem>
#include <ifcert/graph.hpp>
#include <ifcert/inexpressible.hpp>
#include <string>
#include <vector>

namespace ifcert {

/// The same model with the operators of the other format: ONNX (opset 16, or the first that has the model's types),
/// OpenVINO IR or TensorFlow Lite. Values keep their names, inputs and outputs their order. The model must be legal;
/// the result is. Throws Inexpressible.
Model translate(const Model& model, Format to);

struct WrittenFile {
  std::filesystem::path path;
  std::string bytes;
};

/// The files of the model in the format of the file name: .onnx, .tflite, .circle, or .xml preceded by its .bin. The
/// model must be legal. Nothing is written to the disk. Throws Inexpressible.
std::vector<WrittenFile> write_model(const Model& model, const std::filesystem::path& path);

}  // namespace ifcert
