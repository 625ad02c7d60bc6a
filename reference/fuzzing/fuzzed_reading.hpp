// The part that all fuzz targets share, after the input is read.
#pragma once

#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <ifcert/reference.hpp>
#include <string_view>

#include "convert/conversion_agreement.hpp"
#include "operators/result.hpp"

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

/// Reads, checks, prepares, runs and converts; only our own exceptions may be thrown, and each format that can express
/// the model computes the same values. TensorFlow Lite and Circle, which differ in the identifier, alternate.
template <class Read>
void use(std::string_view bytes, Read read) {
  try {
    const Reading reading = read();
    if (!errors_in(check(reading)).empty()) return;
    const std::size_t seed = std::hash<std::string_view>{}(bytes);
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
