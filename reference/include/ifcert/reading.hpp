// The result of reading a file.
#pragma once

#include <filesystem>
#include <functional>
#include <ifcert/diagnostic.hpp>
#include <ifcert/graph.hpp>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace ifcert {

/// The names of rules whose breach a caller allows; all_allowances() has those that can be.
using AllowedRules = std::set<std::string, std::less<>>;

/// A model, and the broken rules that only the raw file shows (names, attributes, duplicate entries). Where `broken` is
/// not empty, the model is as complete as possible, so that check() can find more.
struct Reading {
  Model model;
  std::vector<Diagnostic> broken;
  std::vector<std::filesystem::path> files = {};  // the files that were read: the model's own, and those of its weights
  /// Findings that the caller allowed; the model is the file's with these mended.
  std::vector<Diagnostic> allowed = {};
  /// The bytes of the mended file; nullptr where nothing was mended. (An .xml keeps its .bin.)
  std::shared_ptr<const std::string> mended = nullptr;
};

/// Reads a model file in the format of its file name (.onnx, .xml, .tflite, .circle). Throws UnreadableModel.
Reading read_model(const std::filesystem::path& path, const AllowedRules& allowed = {});

}  // namespace ifcert
