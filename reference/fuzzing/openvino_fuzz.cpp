// libFuzzer target: any text and any weights are read, checked, run, converted and specialised; only our own
// exceptions may be thrown, and converted and specialised models compute the same values. The input is the .xml, then,
// after its first zero byte, the .bin.
#include <algorithm>

#include "fuzzing/fuzzed_reading.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto bytes = std::as_bytes(std::span(data, size));
  const auto zero = std::ranges::find(bytes, std::byte{0});
  const auto text = bytes.first(static_cast<std::size_t>(zero - bytes.begin()));
  const auto rest = bytes.subspan(std::min(text.size() + 1, bytes.size()));
  const auto weights = std::make_shared<const std::vector<std::byte>>(rest.begin(), rest.end());
  ifcert::use(text,
              [&](std::span<const std::byte> xml) { return ifcert::openvino::read_bytes(xml, weights, *weights); });
  return 0;
}
