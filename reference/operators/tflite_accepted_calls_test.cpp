// What inference accepts of the operands of TensorFlow Lite's operators, evaluation computes for some values of theirs,
// or it says which value, shape or option is at fault. Inference is told no shapes: those that a file declares are
// hints, and the shapes of the run count.
#include <array>
#include <string_view>

#include "operators/accepted_calls.hpp"
#include "operators/random_tflite_calls.hpp"

namespace ifcert::kernels {
namespace {

/// Parts of messages that name a value, a shape or an option as the fault; and what the reference lacks.
constexpr std::array<std::string_view, 21> tflite_faults{
    "index ",  // of GATHER: outside of the axis
    "axis ",   // outside, or of another size
    "axes are given",
    "begins and",  // of SLICE: not as many as dims
    "attribute batch_dims is ",
    "different batch dims",
    "attribute perm has",  // of TRANSPOSE: operand 1
    "do not broadcast",
    "differ in shape",  // of SELECT
    "cannot select from shape",
    "differ in more than axis",
    "expected tensors of one type and shape",
    "expected a scalar",
    "expected a list",
    "new shape ",  // of RESHAPE
    "cannot hold",
    "division by zero",
    "the reference does not support",  // an activation
    // No text says that the two agree.
    "PACK: values_count is ",
    // No text says that one must be there: LiteRT reads no option as a scalar.
    "RESHAPE: neither operand 1 nor attribute new_shape",
    // No text has the types of a fused activation.
    "CONCATENATION: operands are tensor(",
};

/// Options have the types that the schema gives them, so the reader never returns others.
bool has_type_of_schema(const std::string& name, const AttributeValue& value) {
  if (name == "new_shape") return std::holds_alternative<Integers>(value);
  const bool is_text = name.ends_with("_type") || name == "fused_activation_function";
  return is_text ? std::holds_alternative<std::string>(value) : std::holds_alternative<std::int64_t>(value);
}

Call call_with_options(Random& random) {
  Call call = random_tflite_call(random);
  std::erase_if(call.attributes, [](const auto& each) { return !has_type_of_schema(each.first, each.second); });
  for (Value& value : call.inputs) {  // extreme shapes ask for gigabytes
    if (value.tensor() != nullptr && bytes_fit_shape(*value.tensor())) value = with_other_elements(random, value);
  }
  return call;
}

TEST(TfliteAcceptedCalls, AreComputedForSomeValuesOrTheFaultIsNamed) {
  expect_computed_or_at_fault(
      20261128, tflite_faults, Shapes::unknown, [](const Call& call) { return find_tflite_operator(call.op); },
      call_with_options, one_output);
}

}  // namespace
}  // namespace ifcert::kernels
