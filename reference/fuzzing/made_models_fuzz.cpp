// libFuzzer target: models generated from the input's bytes are read, checked, run and converted.
#include "convert/model_maker.hpp"
#include "fuzzing/fuzzed_reading.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes = ifcert::onnx::model_parts::ModelMaker({data, size}).make();
  ifcert::use({reinterpret_cast<const char*>(data), size}, [&] { return ifcert::onnx::file_builder::read(bytes); });
  return 0;
}
