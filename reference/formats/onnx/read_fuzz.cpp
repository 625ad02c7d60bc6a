// libFuzzer target: any bytes are read, checked, converted, prepared and run on zeros; only our own exceptions may
// come.
#include "standalone/fuzzed_reading.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto bytes = std::as_bytes(std::span(data, size));
  const auto owner = std::make_shared<const std::vector<std::byte>>(bytes.begin(), bytes.end());
  ifcert::use([&] { return ifcert::onnx::read_bytes(owner, *owner); });
  return 0;
}
