// What inference accepts of the operands of ONNX's operators, evaluation computes for some values of theirs, or it says
// which value is at fault.
#include "operators/accepted_calls.hpp"

#include <array>
#include <string_view>

#include "operators/random_onnx_calls.hpp"

namespace ifcert::kernels {
namespace {

/// Parts of messages that name a value of an operand as the fault, which no type shows; and what the reference lacks.
constexpr std::array<std::string_view, 7> faults_of_values{
    "index ",           // of Gather: outside of the axis
    "has no elements",  // the axis of ArgMax, which the text does not forbid
    "is empty",         // the optional of OptionalGetElement
    "the mean of no integers",
    "a quotient is NaN",
    "which is not supported",
    "the reference does not evaluate",
};

TEST(AcceptedCalls, AreComputedForSomeValuesOrTheFaultIsAValue) {
  expect_computed_or_at_fault(
      20261131, faults_of_values, Shapes::known,
      [](const Call& call) { return find_onnx_operator(call.op, call.version); }, random_onnx_call, one_output);
}

}  // namespace
}  // namespace ifcert::kernels
