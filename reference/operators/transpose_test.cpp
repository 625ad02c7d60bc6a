#include <gtest/gtest.h>

#include <cmath>
#include <ifcert/elements.hpp>
#include <limits>

#include "operators/operator_call.hpp"

namespace ifcert::kernels {
namespace {

using testing::HasSubstr;

using Integers = std::vector<std::int64_t>;

TEST(Transpose, ReversesTheAxesWithoutPerm) {
  const Value block = floats({1, 2, 3}, {1, 2, 3, 4, 5, 6});
  EXPECT_THAT(evaluated({"Transpose", {block}}), IsValue(floats({3, 2, 1}, {1, 4, 2, 5, 3, 6})));
  EXPECT_THAT(evaluated({"Transpose", {block}, {{"perm", Integers{1, 0, 2}}}}),
              IsValue(floats({2, 1, 3}, {1, 2, 3, 4, 5, 6})));
  EXPECT_THAT(evaluated({"Transpose", {floats({}, {7})}}), IsValue(floats({}, {7})));
  EXPECT_THAT(evaluated({"Transpose", {floats({0, 4}, {})}}), IsValue(floats({4, 0}, {})));
}

TEST(Transpose, MovesElementsOfEveryType) {
  EXPECT_THAT(evaluated({"Transpose", {make_strings({2, 2}, {"a", "b", "c", "d"})}}),
              IsValue(make_strings({2, 2}, {"a", "c", "b", "d"})));
  const auto packed = [](const std::vector<std::uint8_t>& codes) { return pack(ElementType::uint4, {2, 2}, codes); };
  EXPECT_THAT(evaluated({"Transpose", {packed({1, 2, 3, 15})}}), IsValue(packed({1, 3, 2, 15})));
}

TEST(Transpose, RefusesAnInvalidPerm) {
  const Value matrix = floats({1, 1}, {1});
  EXPECT_EQ(refusal({"Transpose", {matrix}, {{"perm", Integers{0}}}}),
            "Transpose: attribute perm has 1 axes, but the operand has 2");
  EXPECT_THAT(refusal({"Transpose", {matrix}, {{"perm", Integers{0, 0}}}}), HasSubstr("names axis 0 twice"));
  EXPECT_THAT(refusal({"Transpose", {matrix}, {{"perm", Integers{0, 2}}}}), HasSubstr("axis 2 is outside"));
  EXPECT_EQ(inferred({"Transpose", {}, {{"perm", Integers{1, 0}}}}, {float_type({2, -1})}), float_type({-1, 2}));
  EXPECT_EQ(inferred({"Transpose"}, {Type::tensor(ElementType::float32)}), Type::tensor(ElementType::float32));
}

}  // namespace
}  // namespace ifcert::kernels
