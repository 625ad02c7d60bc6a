// The calls of a runtime's plain API that a script makes.
#pragma once

#include <string>

#include "conformance/reproduce/plain_runtime.hpp"
#include "conformance/reproduce/reproduced.hpp"

namespace ifcert::conformance {

/// Parts of a script, as Python. `load` is given `path` or, if it takes bytes, `model`; `run` computes `returned` of
/// FEEDS, or of `feeds`; it is empty for a tool that computes nothing.
struct Calls {
  std::string functions;
  std::string load, run;
  bool takes_bytes = false;
};

/// The runtime's short sections if they can do what the steps need, otherwise its functions for numpy's types.
Calls short_calls(const Reproduced& example, const PlainRuntime& runtime);

/// The runtime's functions for all types.
Calls all_calls(const PlainRuntime& runtime);

}  // namespace ifcert::conformance
