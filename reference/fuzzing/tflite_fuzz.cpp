// libFuzzer target: any bytes are read as TensorFlow Lite or Circle, checked, run and converted; only our own
// exceptions may be thrown, and converted models compute the same values.
#include "fuzzing/fuzzed_reading.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto* bytes = reinterpret_cast<const std::byte*>(data);
  const auto held = std::make_shared<const std::vector<std::byte>>(bytes, bytes + size);
  ifcert::use({reinterpret_cast<const char*>(data), size}, [&] { return ifcert::tflite::read_bytes(held, *held); });
  return 0;
}
