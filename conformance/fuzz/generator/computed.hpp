// The reference's results for a model, computed from the files that a runtime would read.
#pragma once

#include <filesystem>
#include <ifcert/reference.hpp>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace ifcert::generator {

using Files = std::vector<WrittenFile>;

/// Reads written files, the model's own last. Throws UnreadableModel.
Reading read_back(const std::shared_ptr<const Files>& files);

/// The rules that the model in these files breaks.
std::set<std::string> broken_rules(const std::shared_ptr<const Files>& files);

/// A model after it was written and read back. A `fault` that is not empty describes which rule the model breaks, or
/// why it does not compute.
struct Computed {
  std::shared_ptr<const Files> files;
  Model model;
  SlotTypes types;
  std::vector<std::vector<Value>> outputs;  // of each run
  std::string fault;
};

/// `path` selects the format by its extension. `delegate`, if there is one, computes what the reference lacks. Throws
/// Inexpressible where that format cannot express the model.
Computed computed(const Model& model, const std::filesystem::path& path, const std::vector<std::vector<Value>>& runs,
                  const Delegate& delegate = {});

/// The same for a model that was read from these files.
Computed computed(std::shared_ptr<const Files> files, const std::vector<std::vector<Value>>& runs,
                  const Delegate& delegate = {});

/// "model.onnx", "model.xml", "model.tflite".
std::string model_name(Format format);

}  // namespace ifcert::generator
