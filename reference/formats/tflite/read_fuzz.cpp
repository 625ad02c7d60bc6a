// libFuzzer target: any bytes are read as TensorFlow Lite or Circle, checked, converted, prepared and run on zeros;
// only our own exceptions may come.
#include "standalone/fuzzed_reading.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto* bytes = reinterpret_cast<const std::byte*>(data);
  const auto held = std::make_shared<const std::vector<std::byte>>(bytes, bytes + size);
  ifcert::use([&] { return ifcert::tflite::read_bytes(held, *held); });
  return 0;
}
