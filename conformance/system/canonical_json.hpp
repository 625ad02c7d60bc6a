// JSON with one text for each value (RFC 8785, the JSON Canonicalization Scheme), so that digests and signatures of it
// mean something.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace ifcert::conformance {

/// No white space, members in the order of their UTF-16 code units, numbers as ECMAScript prints them. Throws Error for
/// text that is not UTF-8, a number that is not finite, and an integer above 2^53, which ECMAScript does not keep.
std::string canonical_json(const nlohmann::json& value);

}  // namespace ifcert::conformance
