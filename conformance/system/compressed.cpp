#include "conformance/system/compressed.hpp"

#include <zlib.h>

#include <algorithm>
#include <cstdint>

#include "conformance/system/error.hpp"

namespace ifcert::conformance {

std::string base64(std::string_view bytes) {
  constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t group = 0;
    for (std::size_t j = 0; j < 3; ++j)
      group = group << 8U | (j < count ? static_cast<unsigned char>(bytes[i + j]) : 0U);
    for (std::size_t j = 0; j < 4; ++j) text += j <= count ? letters[group >> (18 - 6 * j) & 63U] : '=';
  }
  return text;
}

std::string deflate_base64(std::string_view text) {
  uLongf size = compressBound(static_cast<uLong>(text.size()));
  std::string bytes(size, '\0');
  const int status = compress2(reinterpret_cast<Bytef*>(bytes.data()), &size,
                               reinterpret_cast<const Bytef*>(text.data()), static_cast<uLong>(text.size()), 9);
  if (status != Z_OK) throw Error("the drawings of the report cannot be compressed");
  bytes.resize(size);
  return base64(bytes);
}

}  // namespace ifcert::conformance
