// Draws the vectors' models for the page.
#pragma once

#include <nlohmann/json.hpp>

#include "conformance/results/certification.hpp"

namespace ifcert::conformance {

/// {"svgs": [text, …], "of": {vector: index in svgs}, "undrawn": {vector: why}}. A drawing that several vectors share
/// is stored once. Never throws for a model: one that the reference cannot read is undrawn, with the reference's
/// reason.
nlohmann::json drawings_of(const Certification& certification);

}  // namespace ifcert::conformance
