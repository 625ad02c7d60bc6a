// What the values of a vector's runs need of a runtime and of its language binding (docs/protocol.md, "hello").
#pragma once

#include <nlohmann/json.hpp>

#include "conformance/results/certification.hpp"

namespace ifcert::conformance {

/// The features as an array of words, each once: "input:tensor(int64)" for a value of that type that is fed,
/// "output:tensor(bool)" for one that is expected, "…:no-elements" for a tensor without elements, "…:absent" for an
/// optional without a value. None for a vector of the axis diagnoses: what must be refused need not be passed or read.
nlohmann::json value_needs(const VectorSummary& vector);

}  // namespace ifcert::conformance
