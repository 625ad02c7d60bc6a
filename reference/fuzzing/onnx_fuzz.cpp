// libFuzzer target: any bytes are read, checked, run, converted and specialised; only our own exceptions may be thrown,
// and converted and specialised models compute the same values.
#include "fuzzing/fuzzed_reading.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  ifcert::use(std::as_bytes(std::span(data, size)), [](std::span<const std::byte> bytes) {
    const auto owner = std::make_shared<const std::vector<std::byte>>(bytes.begin(), bytes.end());
    return ifcert::onnx::read_bytes(owner, *owner);
  });
  return 0;
}
