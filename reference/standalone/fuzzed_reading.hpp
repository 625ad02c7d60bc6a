// What every fuzz target does with what their reader makes of the input.
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <ifcert/reference.hpp>
#include <memory>
#include <utility>

#include "kernels/result.hpp"
#include "standalone/zero_inputs.hpp"

/// Linked in place of the library's own limit.
const std::uint64_t ifcert::kernels::tensor_byte_limit = 1 << 20;

namespace ifcert {

/// What was written, read again.
inline Reading read_again(const std::vector<WrittenFile>& files) {
  const std::string& bytes = files.back().bytes;
  const auto of = [](const std::string& text) { return std::as_bytes(std::span(text)); };
  const std::shared_ptr<const void> held(&files, [](const void*) {});  // they are there for as long as it is read
  const auto ending = files.back().path.extension();
  if (ending == ".onnx") return onnx::read_bytes(held, of(bytes));
  if (ending == ".xml") return openvino::read_bytes(of(bytes), held, of(files.front().bytes));
  return tflite::read_bytes(held, of(bytes));
}

/// "The model is a legal one; what comes out is", in each format that can express it.
inline void convert(const Model& model) {
  for (const std::string_view name : {"model.onnx", "model.xml", "model.tflite", "model.circle"}) {
    try {
      const std::vector<WrittenFile> files = write_model(model, name);
      const std::vector<Diagnostic> broken = errors_in(check(read_again(files)));
      if (broken.empty()) continue;
      fmt::print(stderr, "{} of a legal model: {}\n", name, to_string(broken.front()));
    } catch (const Inexpressible&) {
      continue;
    } catch (const UnreadableModel& error) {
      fmt::print(stderr, "{} of a legal model: {}\n", name, error.what());
    }
    std::abort();
  }
}

/// Reads, checks, converts, prepares and runs on zeros; only our own exceptions may come. Loops run as long as the
/// model says, which no fuzzer has time for: the run has a limit.
template <class Read>
void use(Read read) {
  constexpr std::uint64_t most_nodes = 1000;
  try {
    Reading reading = read();
    if (!errors_in(check(reading)).empty()) return;
    convert(reading.model);
    const Program program(std::move(reading.model));
    const auto inputs = zero_inputs(program.model().main());
    if (!inputs) return;
    for (const Value& output : program.run(*inputs, {}, {.nodes = most_nodes})) (void)to_string(output);
  } catch (const UnreadableModel&) {
    return;
  } catch (const EvaluationError&) {
    return;
  }
}

}  // namespace ifcert
