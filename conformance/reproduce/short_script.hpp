// The short scripts of reproduction.cpp: the runtime's calls, one after the other. The caller includes what they need.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "conformance/reproduce/plain_runtime.hpp"
#include "conformance/reproduce/reproduced.hpp"

namespace ifcert::conformance {

/// Whether the model must load, and nothing else is right.
bool is_legal(const nlohmann::json& steps);

/// Whether a short script can show the steps: all have the outcome of a legal model, or all are refused, or both are
/// right; and the runtime takes all values in a plain form.
bool is_short(const Reproduced& example, const PlainRuntime& runtime);

/// The script without its comments.
std::string short_script(const Reproduced& example, const PlainRuntime& runtime);

}  // namespace ifcert::conformance
