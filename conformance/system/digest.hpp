// SHA-256, as lower-case hexadecimal digits.
#pragma once

#include <string>
#include <string_view>

namespace ifcert::conformance {

/// The SHA-256 of the bytes: 64 lower-case hexadecimal digits. Throws Error where OpenSSL cannot compute it.
std::string sha256(std::string_view bytes);

}  // namespace ifcert::conformance
