// Detached Ed25519 signatures (RFC 8032), of the 64 bytes that `openssl pkeyutl -sign -rawin` writes too.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace ifcert::conformance {

/// A private key, read from a PEM file when it is made: Error for a file that is not an Ed25519 key without password.
class SigningKey {
 public:
  explicit SigningKey(const std::filesystem::path& file);

  /// 64 bytes.
  [[nodiscard]] std::string signature_of(std::string_view text) const;

 private:
  std::string pem_;
};

/// Whether the key in this PEM file (a public one) made the signature of this text. Throws Error for a file that is not
/// an Ed25519 key.
bool is_signed_by(const std::filesystem::path& public_key, std::string_view text, std::string_view signature);

}  // namespace ifcert::conformance
