// The result of reading a file.
#pragma once

#include <filesystem>
#include <ifcert/diagnostic.hpp>
#include <ifcert/graph.hpp>
#include <vector>

namespace ifcert {

/// A model, and the broken rules that only the raw file shows (names, attributes, duplicate entries). Where `broken` is
/// not empty, the model is as complete as possible, so that check() can find more.
struct Reading {
  Model model;
  std::vector<Diagnostic> broken;
  std::vector<std::filesystem::path> files = {};  // the files that were read: the model's own, and those of its weights
};

/// Reads a model file in the format of its file name (.onnx, .xml, .tflite, .circle). Throws UnreadableModel.
Reading read_model(const std::filesystem::path& path);

}  // namespace ifcert
