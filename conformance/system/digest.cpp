#include "digest.hpp"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <array>

#include "error.hpp"

namespace ifcert::conformance {

std::string sha256(std::string_view bytes) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int size = 0;
  if (EVP_Digest(bytes.data(), bytes.size(), digest.data(), &size, EVP_sha256(), nullptr) != 1) {
    throw Error("OpenSSL cannot compute SHA-256");
  }
  std::string text;
  for (unsigned int i = 0; i < size; ++i) text += fmt::format("{:02x}", digest.at(i));
  return text;
}

}  // namespace ifcert::conformance
