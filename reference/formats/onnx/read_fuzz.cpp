// libFuzzer target: any bytes are read, checked, prepared and run on zeros; only our own exceptions may come.
#include <ifcert/reference.hpp>

#include "kernels/result.hpp"
#include "standalone/zero_inputs.hpp"

/// Linked in place of the library's own limit.
const std::uint64_t ifcert::kernels::tensor_byte_limit = 1 << 20;

namespace {

/// Loops run as long as the model says, which no fuzzer has time for.
constexpr std::uint64_t most_nodes = 1000;

void read_check_run(std::span<const std::byte> bytes) {
  const auto owner = std::make_shared<const std::vector<std::byte>>(bytes.begin(), bytes.end());
  ifcert::Reading reading = ifcert::onnx::read_bytes(owner, *owner);
  if (!ifcert::check(reading).empty()) return;
  const ifcert::Program program(std::move(reading.model));
  const auto inputs = ifcert::zero_inputs(program.model().main());
  if (!inputs) return;
  for (const ifcert::Value& output : program.run(*inputs, {}, most_nodes)) (void)to_string(output);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    read_check_run(std::as_bytes(std::span(data, size)));
  } catch (const ifcert::UnreadableModel&) {
    return 0;
  } catch (const ifcert::EvaluationError&) {
    return 0;
  }
  return 0;
}
