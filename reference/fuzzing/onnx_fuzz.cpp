// libFuzzer target: any bytes are read, checked, run and converted; only our own exceptions may be thrown, and
// converted models compute the same values.
#include "fuzzing/fuzzed_reading.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto bytes = std::as_bytes(std::span(data, size));
  const auto owner = std::make_shared<const std::vector<std::byte>>(bytes.begin(), bytes.end());
  ifcert::use({reinterpret_cast<const char*>(data), size}, [&] { return ifcert::onnx::read_bytes(owner, *owner); });
  return 0;
}
