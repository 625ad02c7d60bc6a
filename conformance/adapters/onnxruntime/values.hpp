// The protocol's values as the runtime's own, and back.
#pragma once

#include <ifcert_adapter.hpp>
#include <optional>
#include <string>

#include "api.hpp"

namespace ifcert::onnxruntime {

/// An input in memory of the runtime's own; null for an absent optional, which the runtime is fed by not feeding it.
RuntimeValue written(const adapter::Value& value);

/// A copy of what the runtime returned, as what it is; only whether it is an optional is for the declared type to say,
/// since the runtime makes no difference between one that is there and its value.
adapter::Value read(OrtValue* value, const std::optional<std::string>& declared);

}  // namespace ifcert::onnxruntime
