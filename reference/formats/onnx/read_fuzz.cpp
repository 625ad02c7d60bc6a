// libFuzzer target: any bytes are read, checked, prepared and, where they take no inputs, run; only our own exceptions
// may come.
#include <ifcert/reference.hpp>

namespace {

/// Loops run as long as the model says, which no fuzzer has time for.
bool has_loop(const ifcert::Model& model) {
  for (const ifcert::Graph& graph : model.graphs) {
    for (const ifcert::Node& node : graph.nodes) {
      if (node.op == "Loop" || node.op == "Scan" || node.call) return true;
    }
  }
  return false;
}

void read_check_run(std::span<const std::byte> bytes) {
  const auto owner = std::make_shared<const std::vector<std::byte>>(bytes.begin(), bytes.end());
  ifcert::Reading reading = ifcert::onnx::read_bytes(owner, *owner);
  if (!ifcert::check(reading).empty()) return;
  const ifcert::Program program(std::move(reading.model));
  if (!program.model().main().inputs.empty() || has_loop(program.model())) return;
  for (const ifcert::Value& output : program.run({})) (void)to_string(output);
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
