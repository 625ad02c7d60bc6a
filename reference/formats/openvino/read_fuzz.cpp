// libFuzzer target: any text and any weights are read, checked, prepared and run on zeros; only our own exceptions may
// come. The input is the .xml, then, behind its first zero byte, the .bin.
#include <algorithm>
#include <ifcert/reference.hpp>

#include "kernels/result.hpp"
#include "standalone/zero_inputs.hpp"

/// Linked in place of the library's own limit.
const std::uint64_t ifcert::kernels::tensor_byte_limit = 1 << 20;

namespace {

/// Loops run as long as the model says, which no fuzzer has time for.
constexpr std::uint64_t most_nodes = 1000;

void read_check_run(std::span<const std::byte> bytes) {
  const auto zero = std::ranges::find(bytes, std::byte{0});
  const auto text = bytes.first(static_cast<std::size_t>(zero - bytes.begin()));
  const auto rest = bytes.subspan(std::min(text.size() + 1, bytes.size()));
  const auto weights = std::make_shared<const std::vector<std::byte>>(rest.begin(), rest.end());
  ifcert::Reading reading = ifcert::openvino::read_bytes(text, weights, *weights);
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
