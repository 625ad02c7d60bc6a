// libFuzzer target: models of which the input's bytes are the choices are written, read, checked, run and converted.
#include <memory>
#include <span>

#include "conformance/fuzz/generator/computed.hpp"
#include "conformance/fuzz/generator/generate.hpp"
#include "fuzzing/fuzzed_reading.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ifcert;
  generator::Random random(std::span(data, size));
  const Format format = random.any_of({Format::onnx, Format::openvino, Format::tflite});
  const Model model = generator::generate(random, {.format = format, .rare_forms = true}).model;
  const auto files = std::make_shared<const generator::Files>(write_model(model, "model.onnx"));
  use({reinterpret_cast<const char*>(data), size}, [&] { return generator::read_back(files); });
  return 0;
}
