// What a reader makes of a file.
#pragma once

#include <filesystem>
#include <ifcert/diagnostic.hpp>
#include <ifcert/graph.hpp>
#include <vector>

namespace ifcert {

/// A model, and the rules that only the raw file can show to be broken (names, attributes, duplicate entries). Where
/// `broken` is not empty the model is still as whole as could be, so that check() can say more.
struct Reading {
  Model model;
  std::vector<Diagnostic> broken;
  std::vector<std::filesystem::path> files = {};  // what was read: the model's own file, and those of its weights
};

/// Reads a model file, in the format that its name says (.onnx, .xml, .tflite, .circle). Throws UnreadableModel.
Reading read_model(const std::filesystem::path& path);

}  // namespace ifcert
