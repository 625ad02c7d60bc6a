// What every fuzz target does with what their reader makes of the input.
#pragma once

#include <ifcert/reference.hpp>
#include <utility>

#include "kernels/result.hpp"
#include "standalone/zero_inputs.hpp"

/// Linked in place of the library's own limit.
const std::uint64_t ifcert::kernels::tensor_byte_limit = 1 << 20;

namespace ifcert {

/// Reads, checks, prepares and runs on zeros; only our own exceptions may come. Loops run as long as the model says,
/// which no fuzzer has time for: the run has a limit.
template <class Read>
void read_check_run(Read read) {
  constexpr std::uint64_t most_nodes = 1000;
  try {
    Reading reading = read();
    if (!check(reading).empty()) return;
    const Program program(std::move(reading.model));
    const auto inputs = zero_inputs(program.model().main());
    if (!inputs) return;
    for (const Value& output : program.run(*inputs, {}, most_nodes)) (void)to_string(output);
  } catch (const UnreadableModel&) {
    return;
  } catch (const EvaluationError&) {
    return;
  }
}

}  // namespace ifcert
