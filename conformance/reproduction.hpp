// A script that shows what a runtime does with a model, by nothing but the runtime's plain Python API and numpy.
#pragma once

#include <ifcert/graph.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "conformance/model_folder.hpp"
#include "conformance/plain_runtime.hpp"

namespace ifcert::conformance {

/// The content of the script.
struct Reproduced {
  std::string title;                  // for the first line
  std::string note;                   // why a refusal is expected, if one is; may be empty
  std::string model_text;             // for people
  const ModelFiles& files;            // put into the script, unless they are large
  const nlohmann::json& steps;        // as in the vector's line: the inputs, and what is expected
  std::vector<SlotInfo> inputs = {};  // in the model's order; empty if the model cannot be read
  bool guarded = true;                // the runtime may crash or hang
};

/// The script's text: model, inputs, expected outcomes, and the runtime's calls. It exits with 0 if the runtime is
/// right. It is short, some ten to fifteen lines, unless it has values that numpy lacks, held or concurrent runs, or
/// outcomes of several kinds. A short script ends as any script does: with 1 after an exception, which may also be that
/// a package is missing; a crash, or an alarm after a hang, ends it by a signal. A long one makes the calls in a second
/// process; it exits with 1 if the runtime is wrong, crashes or hangs, and with 2 if it cannot be tried. Throws Error
/// for a model of another system than the runtime's.
std::string reproduction(const Reproduced& example, const PlainRuntime& runtime);

}  // namespace ifcert::conformance
