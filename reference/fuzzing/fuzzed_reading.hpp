// The part that all fuzz targets share, after the input is read.
#pragma once

#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <ifcert/reference.hpp>
#include <span>
#include <string_view>
#include <vector>

#include "convert/conversion_agreement.hpp"
#include "convert/generated_inputs.hpp"
#include "operators/result.hpp"
#include "specialise/specialisation_agreement.hpp"

/// Replaces the library's own limit.
const std::uint64_t ifcert::kernels::tensor_byte_limit = 1 << 20;

namespace ifcert {

/// Reports both models: the one that was converted is the input, which libFuzzer saves as crash-….
[[noreturn]] inline void report(const std::string& fault, const std::vector<WrittenFile>& files) {
  for (const WrittenFile& file : files) {
    const auto path = std::filesystem::temp_directory_path() / ("ifcert_fuzz_" + file.path.string());
    std::ofstream(path, std::ios::binary) << file.bytes;
    fmt::print(stderr, "converted: {}\n", path.string());
  }
  fmt::print(stderr, "{}\n", fault);
  std::abort();
}

/// Replaces the Ifs that a run decides; where the model without them is legal, it computes the same values.
template <class Read>
void specialise(const Model& model, std::span<const std::byte> file, std::size_t seed, const Read& read) {
  const auto inputs = GeneratedInputs(seed).of(model.main());
  if (!inputs) return;
  try {
    const Program program(model);
    const std::vector<std::vector<Value>> runs{*inputs};
    const auto read_text = [&](const std::string& text) { return read(std::as_bytes(std::span(text))); };
    const RunLimits limits{.nodes = 1000, .memory = kernels::tensor_byte_limit};
    const SpecialisationAgreement agreement(program, file, runs, read_text, limits);
    const std::string edited = specialised_bytes(model, file, agreement.decisions());
    if (!errors_in(check(read(std::as_bytes(std::span(edited))))).empty()) return;
    const std::string fault = agreement.fault_of(agreement.decisions());
    if (!fault.empty()) report("without its Ifs: " + fault, {});
  } catch (const Inexpressible&) {
    return;
  } catch (const EvaluationError&) {
    return;
  }
}

/// Reads, checks, prepares, runs, converts and specialises a file, which `read` reads from its bytes; only our own
/// exceptions may be thrown, and each format that can express the model computes the same values. TensorFlow Lite and
/// Circle, which differ in the identifier, alternate.
template <class Read>
void use(std::span<const std::byte> file, const Read& read) {
  try {
    const Reading reading = read(file);
    if (!errors_in(check(reading)).empty()) return;
    const std::size_t seed = std::hash<std::string_view>{}({reinterpret_cast<const char*>(file.data()), file.size()});
    specialise(reading.model, file, seed, read);
    const ConversionAgreement agreement(reading.model, seed);
    for (const char* name : {"model.onnx", "model.xml", seed % 2 == 0 ? "model.tflite" : "model.circle"}) {
      std::vector<WrittenFile> files;
      const std::string fault = agreement.fault_of(name, files);
      if (!fault.empty()) report(fault, files);
    }
  } catch (const UnreadableModel&) {
    return;
  } catch (const EvaluationError&) {
    return;
  }
}

}  // namespace ifcert
