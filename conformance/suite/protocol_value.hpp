// The protocol's values (docs/protocol.md, "Values"): their bytes, their form, and their elements as people read them.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ifcert::conformance {

/// The bytes of a base64 text (RFC 4648, with padding); nothing where the text is not base64.
std::optional<std::string> decode_base64(std::string_view text);

/// How a VALUE that matches the schema contradicts itself (bytes that do not fill the shape, padding bits that are not
/// zero, a sequence item of another type than declared), as one phrase; empty when it does not.
std::string contradiction(const nlohmann::json& value);

/// The elements of a well-formed tensor, in row order, at most `limit` of them: "1.5", "-0", "nan (0x7fc00001)",
/// "true".
std::vector<std::string> elements(const nlohmann::json& tensor, std::size_t limit);

/// A well-formed VALUE on one line: "float32 [2]: 1, 2"; long tensors end in "…".
std::string readable(const nlohmann::json& value);

/// A value's type as the protocol writes it: "tensor(float32)", "seq(tensor(int64))"; "?" where an answer leaves it
/// open.
std::string type_of(const nlohmann::json& value);

/// [2, 3] as "[2,3]".
std::string shape_text(const nlohmann::json& shape);

}  // namespace ifcert::conformance
