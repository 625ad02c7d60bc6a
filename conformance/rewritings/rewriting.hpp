// Rewritings: a model's file, written otherwise where the texts say that nothing depends on it. They change the bytes
// of the file itself (protobuf, XML, FlatBuffers) and nothing else in it, unlike a model that is read and written.
//
// Their readers get models that the reference has found legal. Other bytes are refused with NotMade, never worse, but
// no fuzz target tries that.
#pragma once

#include <filesystem>
#include <map>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/suite/model_folder.hpp"

namespace ifcert::conformance {

/// Why a rewriting does not exist for a model: "no list has two initializers".
class NotMade : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Changes the files of a model, by their paths as in ModelFiles::bytes. Throws NotMade.
using Rewrite = void (*)(ModelFiles& files);

struct Rewriting {
  std::string_view name;                    // "initializers-reversed"; permanent
  std::string_view system;                  // "onnx", "openvino", "tflite"
  std::string_view subject;                 // what it changes: "initializers"; two of one subject may undo each other
  std::string_view what;                    // what it does, in words
  std::vector<std::string_view> sentences;  // ids in vectors/SYSTEM/sentences.json: why nothing depends on it
  Rewrite rewrite;
  bool is_rare = false;  // few models have what it changes
};

/// All of them, by system.
std::span<const Rewriting> all_rewritings();

/// Those of a system, in the table's order.
std::vector<const Rewriting*> rewritings_of(std::string_view system);

/// The rewriting of that name, or nullptr.
const Rewriting* find_rewriting(std::string_view system, std::string_view name);

/// Between the names of rewritings that fail together alone: "raw-data + node-names-long".
inline constexpr std::string_view between_rewritings = " + ";

/// Whether it is the name of a rewriting of the system, or several such names.
bool names_rewritings(std::string_view system, std::string_view name);

/// The files as the rewriting makes them, in a folder of another name. Throws NotMade where it cannot be made, or would
/// change nothing.
ModelFiles rewritten_by(const Rewriting& rewriting, const ModelFiles& files);

}  // namespace ifcert::conformance
