// What a script reproduces.
#pragma once

#include <ifcert/graph.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "conformance/suite/model_folder.hpp"

namespace ifcert::conformance {

/// The content of the script.
struct Reproduced {
  std::string title;                  // for the first line
  std::string note;                   // why a refusal is expected, if one is; may be empty
  std::string model_text;             // for people
  const ModelFiles& files;            // put into the script, unless they are large
  const nlohmann::json& steps;        // as in vector.json: the inputs, and what is expected
  std::vector<SlotInfo> inputs = {};  // in the model's order; empty if the model cannot be read
  bool guarded = true;                // the runtime may crash or hang
};

}  // namespace ifcert::conformance
