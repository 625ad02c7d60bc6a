// libFuzzer target: models of which the input's bytes are the choices are written, read, checked, run, converted and
// specialised.
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "conformance/fuzz/generator/generate.hpp"
#include "fuzzing/fuzzed_reading.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ifcert;
  generator::Random random(std::span(data, size));
  const Format format = random.any_of({Format::onnx, Format::openvino, Format::tflite});
  const Model model = generator::generate(random, {.format = format, .rare_forms = true}).model;
  const std::string file = write_model(model, "model.onnx").back().bytes;
  use(std::as_bytes(std::span(file)), [](std::span<const std::byte> bytes) {
    const auto owner = std::make_shared<const std::vector<std::byte>>(bytes.begin(), bytes.end());
    return onnx::read_bytes(owner, *owner);
  });
  return 0;
}
