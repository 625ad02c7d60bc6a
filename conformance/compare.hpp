// Bit for bit: an answer's values against the values a vector asks for. No tolerance, no reference library.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "conformance/certification.hpp"

namespace ifcert::conformance {

/// How a value departs from the expected one. `fault` is none where the answer contradicts itself (bytes that do not
/// fill its shape): that is the adapter's doing and says nothing about the runtime.
struct Difference {
  Fault fault;
  std::string reason;  // one phrase: "output y: element 1 is 2, expected 1.5 (1 of 2 elements differs)"
};

/// Two VALUEs of the protocol: type first, then shape, then data. Nothing where they are equal. The expected value is
/// well-formed; both have the schema's form. `where` begins the reason.
std::optional<Difference> compare_values(const nlohmann::json& expected, const nlohmann::json& got,
                                         const std::string& where);

/// Two lists of {"name","value"}: their number, then name and value of each, in order.
std::optional<Difference> compare_outputs(const nlohmann::json& expected, const nlohmann::json& got);

/// What a load said of its outputs, a list of {"name","type","shape"}, against the values that a run gave, which are as
/// they should be: a type or a number in a shape that is said is that of the value. What is not said is not wrong.
std::optional<Difference> compare_said(const nlohmann::json& said, const nlohmann::json& outputs);

}  // namespace ifcert::conformance
