// Every operator of ONNX and of TensorFlow Lite on random operands, from a fixed seed.
#include "operators/random_onnx_calls.hpp"
#include "operators/random_tflite_calls.hpp"

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

TEST(TfliteRandomOperands, AreComputedOrRefusedAndInferredTypesHold) {
  Random random(20261122);
  const auto find = [](const Call& call) { return find_tflite_operator(call.op); };
  expect_computed_or_refused(random, tflite_signatures, 80'000, find, random_tflite_call);
}

TEST(TfliteRandomOperands, ANodeWithoutOutputsOrWithTwoIsRefused) {
  Random random(7);
  for (const Signature& signature : tflite_signatures) {
    ASSERT_NE(find_tflite_operator(signature.name), nullptr) << signature.name;
    expect_exactly_one_output(random, *find_tflite_operator(signature.name));
  }
}

}  // namespace
}  // namespace ifcert::kernels
