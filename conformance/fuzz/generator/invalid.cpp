#include "conformance/fuzz/generator/invalid.hpp"

namespace ifcert::generator {

std::vector<faults::Fault> faults_of(Format format) {
  const auto of_format = format == Format::openvino ? faults::faults_of_openvino() : faults::faults_of_tflite();
  if (format != Format::onnx) return {of_format.begin(), of_format.end()};
  std::vector<faults::Fault> all;
  for (const auto& some : {faults::faults_of_if(), faults::faults_of_names(), faults::faults_of_nodes()})
    all.insert(all.end(), some.begin(), some.end());
  return all;
}

Invalid generate_invalid(std::uint64_t seed, Format format) {
  const std::vector<faults::Fault> faults = faults_of(format);
  Random random(seed);
  const faults::Fault& fault = faults[random.below(faults.size())];
  while (true) {
    Generated original = generate(random.next(), {.format = format});
    const Random choices = random;
    std::vector<WrittenFile> files = fault.make(original.model, random);
    if (!files.empty()) return {std::move(files), fault.name, fault.rule, std::move(original), choices, fault.make};
  }
}

}  // namespace ifcert::generator
