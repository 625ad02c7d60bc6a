// Compares an answer's values with the expected ones bit for bit, without tolerance and without the reference library.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "conformance/results/certification.hpp"

namespace ifcert::conformance {

/// How a value differs from the expected one. `fault` is none where the answer contradicts itself, for example where it
/// has fewer bytes than its shape requires: that is a fault of the adapter, and shows nothing about the runtime.
struct Difference {
  Fault fault;
  std::string reason;  // one phrase: "output y: element 1 is 2, expected 1.5 (1 of 2 elements differ)"
};

/// Compares two VALUEs of the protocol: type first, then shape, then data. Returns nothing where they are equal. Both
/// must match the schema, and the expected value must be well-formed. The reason begins with `where`.
std::optional<Difference> compare_values(const nlohmann::json& expected, const nlohmann::json& got,
                                         const std::string& where);

/// Compares two lists of {"name","value"}: their number, then the name and value of each, in order.
std::optional<Difference> compare_outputs(const nlohmann::json& expected, const nlohmann::json& got);

/// Compares the outputs that a load declared, a list of {"name","type","shape"}, with the values that a run returned.
/// The values have been found right; so a declared type, and each dimension that is declared as a number, must be the
/// value's.
std::optional<Difference> compare_declared(const nlohmann::json& declared, const nlohmann::json& outputs);

}  // namespace ifcert::conformance
