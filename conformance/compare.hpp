// Compares an answer's values with the expected ones bit for bit, without tolerance and without the reference library.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "conformance/certification.hpp"

namespace ifcert::conformance {

/// How a value differs from the expected one. `fault` is none where the answer contradicts itself (bytes that do not
/// fill its shape): that is the adapter's fault and shows nothing about the runtime.
struct Difference {
  Fault fault;
  std::string reason;  // one phrase: "output y: element 1 is 2, expected 1.5 (1 of 2 elements differs)"
};

/// Compares two VALUEs of the protocol: type first, then shape, then data. Returns nothing where they are equal. The
/// expected value is well-formed; both match the schema. `where` begins the reason.
std::optional<Difference> compare_values(const nlohmann::json& expected, const nlohmann::json& got,
                                         const std::string& where);

/// Compares two lists of {"name","value"}: their number, then the name and value of each, in order.
std::optional<Difference> compare_outputs(const nlohmann::json& expected, const nlohmann::json& got);

/// Compares the outputs that a load declared, a list of {"name","type","shape"}, with the values that a run returned,
/// which are right: a declared type, and each declared number of a shape, must be that of the value.
std::optional<Difference> compare_declared(const nlohmann::json& declared, const nlohmann::json& outputs);

}  // namespace ifcert::conformance
