#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "operators/operator_call.hpp"

namespace ifcert::kernels {
namespace {

using testing::HasSubstr;

using Integers = std::vector<std::int64_t>;

Value five_elements() {
  return floats({5}, {1, 2, 3, 4, 5});
}

const Attributes into_three{{"num_outputs", std::int64_t{3}}};

TEST(Split, IntoEqualPartsTheLastOneSmaller) {
  const auto parts = all_evaluated({"Split", {five_elements()}, into_three}, 3);
  EXPECT_THAT(parts[0], IsValue(floats({2}, {1, 2})));
  EXPECT_THAT(parts[1], IsValue(floats({2}, {3, 4})));
  EXPECT_THAT(parts[2], IsValue(floats({1}, {5})));
}

TEST(Split, IntoTheLengthsGiven) {
  const Value rows = floats({2, 3}, {1, 2, 3, 4, 5, 6});
  const auto parts = all_evaluated({"Split", {rows, list({1, 0, 2})}, {{"axis", std::int64_t{-1}}}}, 3);
  EXPECT_THAT(parts[0], IsValue(floats({2, 1}, {1, 4})));
  EXPECT_THAT(parts[1], IsValue(floats({2, 0}, {})));
  EXPECT_THAT(parts[2], IsValue(floats({2, 2}, {2, 3, 5, 6})));
}

TEST(Split, BeforeVersion13TheLengthsAreAnAttribute) {
  const auto parts = all_evaluated({"Split", {five_elements()}, {{"split", Integers{4, 1}}}, 11}, 2);
  EXPECT_THAT(parts[1], IsValue(floats({1}, {5})));
  EXPECT_THAT(all_evaluated({"Split", {floats({2}, {1, 2})}, {}, 2}, 2)[1], IsValue(floats({1}, {2})));
}

std::string split_refusal(const Call& call, std::size_t outputs) {
  try {
    all_evaluated(call, outputs);
    return {};
  } catch (const EvaluationError& error) {
    return error.what();
  }
}

TEST(Split, RefusesOperandsThatDoNotFit) {
  EXPECT_THAT(split_refusal({"Split", {five_elements()}, into_three}, 2),
              HasSubstr("num_outputs is 3, but the node has 2"));
  EXPECT_THAT(split_refusal({"Split", {five_elements()}}, 2), HasSubstr("either operand 1"));
  EXPECT_THAT(split_refusal({"Split", {five_elements(), list({2, 3})}, {{"num_outputs", std::int64_t{2}}}}, 2),
              HasSubstr("either operand 1"));
  EXPECT_THAT(split_refusal({"Split", {five_elements()}, {}, 13}, 2), HasSubstr("does not split into 2 parts"));
  EXPECT_THAT(split_refusal({"Split", {floats({2}, {1, 2})}, {{"num_outputs", std::int64_t{4}}}}, 4),
              HasSubstr("does not split into 4 parts"));
  EXPECT_THAT(split_refusal({"Split", {five_elements(), list({2, 2})}}, 2), HasSubstr("the lengths add up to 4"));
  EXPECT_THAT(split_refusal({"Split", {five_elements(), list({6, -1})}}, 2), HasSubstr("a length is -1"));
  EXPECT_THAT(split_refusal({"Split", {five_elements(), list({std::numeric_limits<std::int64_t>::max(), 1})}}, 2),
              HasSubstr("64 bits"));
  EXPECT_THAT(split_refusal({"Split", {floats({}, {1}), list({1})}}, 1), HasSubstr("outside"));
  EXPECT_NE(split_refusal({"Split", {five_elements(), list({5})}}, 0), "");
}

}  // namespace
}  // namespace ifcert::kernels
