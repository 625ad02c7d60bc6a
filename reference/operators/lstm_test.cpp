#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "operators/operator_call.hpp"

namespace ifcert::kernels {
namespace {

using testing::HasSubstr;

using Integers = std::vector<std::int64_t>;

// One unit, one input. Weights are 0 unless given, in the order i, o, f, c.
struct OneUnit {
  std::vector<float> w = {0, 0, 0, 0};
  std::vector<float> r = {0, 0, 0, 0};
  std::vector<float> x = {1, 2};
  Attributes attributes = {{"hidden_size", std::int64_t{1}}};
  std::vector<Value> more = {};

  std::vector<Value> run() const {
    const auto steps = static_cast<std::int64_t>(x.size());
    std::vector<Value> inputs{floats({steps, 1, 1}, x), floats({1, 4, 1}, w), floats({1, 4, 1}, r)};
    inputs.insert(inputs.end(), more.begin(), more.end());
    return all_evaluated({"LSTM", inputs, attributes}, 3);
  }
};

// Identity as f, g and h, so that the arithmetic is visible in the result.
Attributes plain() {
  return {{"hidden_size", std::int64_t{1}}, {"activations", std::vector<std::string>{"Affine", "Affine", "Affine"}}};
}

TEST(Lstm, WithoutWeightsForgetsHalfOfItsCell) {
  // Every gate is Sigmoid(0) = 1/2, the cell gate Tanh(0) = 0: C = C/2, H = Tanh(C)/2.
  OneUnit unit;
  unit.more = {{}, {}, {}, floats({1, 1, 1}, {4})};
  const auto outputs = unit.run();
  const auto half_tanh = [](double c) { return static_cast<float>(std::tanh(c) / 2); };
  EXPECT_THAT(outputs[0], IsValue(floats({2, 1, 1, 1}, {half_tanh(2), half_tanh(1)})));
  EXPECT_THAT(outputs[1], IsValue(floats({1, 1, 1}, {half_tanh(1)})));
  EXPECT_THAT(outputs[2], IsValue(floats({1, 1, 1}, {1})));
}

TEST(Lstm, ComputesItsEquations) {
  OneUnit unit;
  unit.attributes = plain();
  unit.w = {1, 2, 3, 4};
  unit.r = {0, 0, 1, 0};
  // t=1: i 1, o 2, f 3, c 4: C = 3·0 + 1·4 = 4, H = 2·4 = 8. t=2: i 2, o 4, f 6+8, c 8: C = 14·4 + 16 = 72, H = 288.
  const auto outputs = unit.run();
  EXPECT_THAT(outputs[0], IsValue(floats({2, 1, 1, 1}, {8, 288})));
  EXPECT_THAT(outputs[2], IsValue(floats({1, 1, 1}, {72})));
}

TEST(Lstm, AddsBothBiasesAndPeepholes) {
  OneUnit unit;
  unit.attributes = plain();
  unit.x = {0};
  const Value b = floats({1, 8}, {1, 1, 1, 1, 1, 2, 3, 4});  // gates: i 2, o 3, f 4, c 5
  const Value p = floats({1, 3}, {10, 100, 1000});           // i += 10·1, f += 1000·1, o += 100·C
  unit.more = {b, {}, {}, floats({1, 1, 1}, {1}), p};
  // i 12, f 1004, C = 1004·1 + 12·5 = 1064, o = 3 + 106400 = 106403, H = o·C
  const auto outputs = unit.run();
  EXPECT_THAT(outputs[2], IsValue(floats({1, 1, 1}, {1064})));
  EXPECT_THAT(outputs[1], IsValue(floats({1, 1, 1}, {106403.0F * 1064.0F})));
}

TEST(Lstm, CouplesInputAndForgetGates) {
  OneUnit unit;
  unit.attributes = plain();
  unit.attributes["input_forget"] = std::int64_t{1};
  unit.x = {1};
  unit.w = {0.25, 1, 0, 8};
  unit.more = {{}, {}, {}, floats({1, 1, 1}, {4})};
  // i 0.25, f = 1 - i = 0.75: C = 0.75·4 + 0.25·8 = 5
  EXPECT_THAT(unit.run()[2], IsValue(floats({1, 1, 1}, {5})));
}

TEST(Lstm, ClipsTheOperandsOfActivations) {
  OneUnit unit;
  unit.attributes = plain();
  unit.attributes["clip"] = 3.0F;
  unit.x = {10};
  unit.w = {1, 1, 0, 1};
  // i, o and c are clipped to 3: C = 9, and H = 3·h(9 clipped to 3).
  const auto outputs = unit.run();
  EXPECT_THAT(outputs[2], IsValue(floats({1, 1, 1}, {9})));
  EXPECT_THAT(outputs[1], IsValue(floats({1, 1, 1}, {9})));
}

TEST(Lstm, GoesBackwardsWithDirectionReverse) {
  OneUnit unit;
  unit.attributes = plain();
  unit.w = {1, 1, 1, 1};
  // Backwards x = 2, 1: C = 4, then 1·4 + 1 = 5; Y is in the order of x.
  unit.attributes["direction"] = std::string("reverse");
  const auto outputs = unit.run();
  EXPECT_THAT(outputs[0], IsValue(floats({2, 1, 1, 1}, {5, 8})));
  EXPECT_THAT(outputs[2], IsValue(floats({1, 1, 1}, {5})));
}

TEST(Lstm, StopsAtTheEndOfEachSequence) {
  const Value x = floats({2, 2, 1}, {1, 1, 2, 2});
  const Value w = floats({1, 4, 1}, {1, 1, 1, 1});
  const Value r = floats({1, 4, 1}, {0, 0, 0, 0});
  const Value lengths = tensor<std::int32_t>(ElementType::int32, {2}, {1, 2});
  const auto outputs = all_evaluated({"LSTM", {x, w, r, {}, lengths}, plain()}, 3);
  // The first sequence has C = 1, H = 1; the second then C = 2·1 + 4 = 6, H = 12.
  EXPECT_THAT(outputs[0], IsValue(floats({2, 1, 2, 1}, {1, 1, 0, 12})));
  EXPECT_THAT(outputs[1], IsValue(floats({1, 2, 1}, {1, 12})));
}

TEST(Lstm, OfTwoDirectionsAndBatchFirstWritesEachResultToItsRow) {
  Attributes attributes = plain();
  attributes["direction"] = std::string("bidirectional");
  attributes["activations"] = std::vector<std::string>(6, "Affine");
  attributes["layout"] = std::int64_t{1};
  const Value x = floats({1, 2, 1}, {1, 2});
  const Value w = floats({2, 4, 1}, {1, 1, 1, 1, 1, 1, 1, 1});
  const Value r = floats({2, 4, 1}, {0, 0, 0, 0, 0, 0, 0, 0});
  const auto outputs = all_evaluated({"LSTM", {x, w, r}, attributes}, 3);
  // Forwards C = 1, 2·1 + 4 = 6: H = 1, 12. Backwards C = 4, 5: H = 8, 5.
  EXPECT_THAT(outputs[0], IsValue(floats({1, 2, 2, 1}, {1, 5, 12, 8})));
  EXPECT_THAT(outputs[1], IsValue(floats({1, 2, 1}, {12, 5})));
}

TEST(Lstm, KnowsTheFunctionsOfItsSpecification) {
  // i = f(x), C = i·g(1) with g Affine: f alone decides.
  const auto of = [](const std::string& name, float x, Attributes attributes = plain()) {
    OneUnit unit;
    unit.attributes = std::move(attributes);
    unit.attributes["activations"] = std::vector<std::string>{name, "Affine", "Affine"};
    unit.x = {1};
    unit.w = {x, 0, 0, 1};
    return unit.run()[2].tensor()->elements<float>()[0];
  };
  Attributes half = plain();
  half["activation_alpha"] = std::vector<float>{0.5F};
  EXPECT_FLOAT_EQ(of("Relu", -2), 0);
  EXPECT_FLOAT_EQ(of("LeakyRelu", -2), -0.02F);
  EXPECT_FLOAT_EQ(of("LeakyRelu", -2, half), -1);
  EXPECT_FLOAT_EQ(of("ThresholdedRelu", 0.5), 0);
  EXPECT_FLOAT_EQ(of("ThresholdedRelu", 0.5, half), 0.5);
  EXPECT_FLOAT_EQ(of("ScaledTanh", 1), std::tanh(1.0F));
  EXPECT_FLOAT_EQ(of("HardSigmoid", 1), 0.7F);
  EXPECT_FLOAT_EQ(of("HardSigmoid", 9), 1);
  EXPECT_FLOAT_EQ(of("Elu", -1), std::exp(-1.0F) - 1);
  EXPECT_FLOAT_EQ(of("Softsign", -3), -0.75F);
  EXPECT_FLOAT_EQ(of("Softplus", 0), std::log(2.0F));
  EXPECT_FLOAT_EQ(of("Softplus", 1000), 1000);
}

TEST(Lstm, RefusesOperandsThatDoNotFit) {
  const auto refusal_of = [](const OneUnit& unit) {
    try {
      unit.run();
      return std::string();
    } catch (const EvaluationError& error) {
      return std::string(error.what());
    }
  };
  OneUnit unit;
  unit.attributes["hidden_size"] = std::int64_t{2};
  EXPECT_THAT(refusal_of(unit), HasSubstr("hidden_size is 2, but R has the shape [1, 4, 1]"));
  unit = {};
  unit.w = {1, 1, 1};
  EXPECT_NE(refusal_of(unit), "");
  unit = {};
  unit.attributes["direction"] = std::string("sideways");
  EXPECT_THAT(refusal_of(unit), HasSubstr("\"sideways\""));
  unit = {};
  unit.attributes["activations"] = std::vector<std::string>{"Tanh"};
  EXPECT_THAT(refusal_of(unit), HasSubstr("1 entries; expected 3"));
  unit.attributes["activations"] = std::vector<std::string>{"Tanh", "Tanh", "Gelu"};
  EXPECT_THAT(refusal_of(unit), HasSubstr("\"Gelu\""));
  unit = {};
  unit.more = {floats({1, 4}, {0, 0, 0, 0})};
  EXPECT_THAT(refusal_of(unit), HasSubstr("B has the shape [1, 4]; expected [1, 8]"));
  unit.more = {{}, tensor<std::int32_t>(ElementType::int32, {1}, {3})};
  EXPECT_THAT(refusal_of(unit), HasSubstr("a sequence has length 3"));
  unit.more = {{}, {}, floats({1, 1, 2}, {0, 0})};
  EXPECT_THAT(refusal_of(unit), HasSubstr("initial_h has the shape [1, 1, 2]"));
  const std::int64_t huge = std::int64_t{1} << 62;
  EXPECT_THAT(refusal({"LSTM", {floats({0, 0, 1}, {}), floats({1, 0, 1}, {}), floats({0, 1, huge}, {})}}),
              HasSubstr("too large"));
}

}  // namespace
}  // namespace ifcert::kernels
