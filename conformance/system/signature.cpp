#include "conformance/system/signature.hpp"

#include <fmt/format.h>
#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/pem.h>

#include <array>
#include <memory>

#include "conformance/system/error.hpp"
#include "conformance/system/file.hpp"

namespace ifcert::conformance {
namespace {

using EvpKey = std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)>;
using EvpContext = std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)>;
using MemoryBio = std::unique_ptr<BIO, decltype(&BIO_free)>;

constexpr std::size_t signature_bytes = 64;

/// Never asks the terminal for a password.
int no_password(char* /*buffer*/, int /*size*/, int /*writing*/, void* /*data*/) {
  return 0;
}

using PemReader = decltype(&PEM_read_bio_PrivateKey);

EvpKey evp_key_in(const std::string& pem, PemReader read) {
  const MemoryBio bio(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())), &BIO_free);
  EvpKey key(bio ? read(bio.get(), nullptr, no_password, nullptr) : nullptr, &EVP_PKEY_free);
  if (key && EVP_PKEY_get_id(key.get()) != EVP_PKEY_ED25519) key.reset();
  return key;
}

const unsigned char* octets(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

}  // namespace

SigningKey::SigningKey(const std::filesystem::path& file) : pem_(read_file(file)) {
  if (!evp_key_in(pem_, &PEM_read_bio_PrivateKey)) {
    throw Error(
        fmt::format("{} is not a private Ed25519 key in PEM without a password "
                    "(`openssl genpkey -algorithm ed25519` makes one)",
                    file.string()));
  }
}

std::string SigningKey::signature_of(std::string_view text) const {
  const EvpKey key = evp_key_in(pem_, &PEM_read_bio_PrivateKey);
  const EvpContext context(EVP_MD_CTX_new(), &EVP_MD_CTX_free);
  std::array<unsigned char, signature_bytes> signature{};
  std::size_t size = signature.size();
  const bool made = key && context && EVP_DigestSignInit(context.get(), nullptr, nullptr, nullptr, key.get()) == 1 &&
                    EVP_DigestSign(context.get(), signature.data(), &size, octets(text), text.size()) == 1;
  if (!made) throw Error("OpenSSL cannot sign");
  return {signature.begin(), signature.end()};
}

bool is_signed_by(const std::filesystem::path& public_key, std::string_view text, std::string_view signature) {
  const EvpKey key = evp_key_in(read_file(public_key), &PEM_read_bio_PUBKEY);
  if (!key) {
    throw Error(fmt::format("{} is not a public Ed25519 key in PEM (`openssl pkey -in KEY -pubout` makes one)",
                            public_key.string()));
  }
  const EvpContext context(EVP_MD_CTX_new(), &EVP_MD_CTX_free);
  return context && signature.size() == signature_bytes &&
         EVP_DigestVerifyInit(context.get(), nullptr, nullptr, nullptr, key.get()) == 1 &&
         EVP_DigestVerify(context.get(), octets(signature), signature.size(), octets(text), text.size()) == 1;
}

}  // namespace ifcert::conformance
