// The statements of a script, made from the parts in plain_apis/script.py.
#pragma once

#include <string>

#include "conformance/reproduce/calls.hpp"
#include "conformance/reproduce/plain_runtime.hpp"
#include "conformance/reproduce/reproduced.hpp"

namespace ifcert::conformance {

/// Whether the model may compute: no step has to be a refusal, or one may be instead of values.
bool is_legal(const nlohmann::json& steps);

/// Whether the steps are loads and runs that are all expected to compute, or all to be refused, or all either, of
/// values that the runtime's short sections can pass.
bool is_straight(const Reproduced& example, const PlainRuntime& runtime);

/// For such steps.
std::string straight_statements(const Reproduced& example, const PlainRuntime& runtime, const Calls& calls);

/// For any steps, one after the other.
std::string step_statements(const Reproduced& example, const PlainRuntime& runtime, const Calls& calls);

}  // namespace ifcert::conformance
