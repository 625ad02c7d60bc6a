// Every operator of ONNX on random operands, from a fixed seed.
#include "operators/random_onnx_calls.hpp"

namespace ifcert::kernels {
namespace {

TEST(RandomOperands, AreComputedOrRefusedAndInferredTypesHold) {
  Random random(20260101);
  const auto find = [](const Call& call) { return find_onnx_operator(call.op, call.version); };
  expect_computed_or_refused(random, onnx_signatures, 80'000, find, random_onnx_call);
}

TEST(RandomOperands, ANodeWithoutOutputsOrWithTwoIsRefused) {
  Random random(7);
  for (const Signature& signature : onnx_signatures) {
    if (signature.name == "Split" || signature.name == "LSTM") continue;  // these may have two
    expect_exactly_one_output(random, *find_onnx_operator(signature.name, 25));
  }
}

}  // namespace
}  // namespace ifcert::kernels
