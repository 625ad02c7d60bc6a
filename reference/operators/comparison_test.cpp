#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "operators/operator_call.hpp"

namespace ifcert::kernels {
namespace {

using testing::HasSubstr;

constexpr float nan = std::numeric_limits<float>::quiet_NaN();

TEST(Comparison, ComparesNumbersElementByElement) {
  const Value a = floats({4}, {1, 2, -0.0F, nan});
  const Value b = floats({4}, {2, 1, 0, nan});
  EXPECT_THAT(evaluated({"Equal", {a, b}}), IsValue(booleans({4}, {0, 0, 1, 0})));
  EXPECT_THAT(evaluated({"Less", {a, b}}), IsValue(booleans({4}, {1, 0, 0, 0})));
  EXPECT_THAT(evaluated({"Greater", {a, b}}), IsValue(booleans({4}, {0, 1, 0, 0})));
  EXPECT_THAT(evaluated({"LessOrEqual", {a, b}}), IsValue(booleans({4}, {1, 0, 1, 0})));
  EXPECT_THAT(evaluated({"GreaterOrEqual", {a, b}}), IsValue(booleans({4}, {0, 1, 1, 0})));
}

TEST(Comparison, IsExactForLargeIntegers) {
  const auto natural = [](std::uint64_t x) { return tensor<std::uint64_t>(ElementType::uint64, {}, {x}); };
  EXPECT_THAT(evaluated({"Less", {natural(~std::uint64_t{0} - 1), natural(~std::uint64_t{0})}}),
              IsValue(booleans({}, {1})));
  EXPECT_THAT(evaluated({"Greater", {natural(~std::uint64_t{0}), natural(0)}}), IsValue(booleans({}, {1})));
}

TEST(Comparison, ComparesHalvesByTheirNumbers) {
  const auto half = [](std::uint16_t bits) { return tensor<std::uint16_t>(ElementType::float16, {}, {bits}); };
  EXPECT_THAT(evaluated({"Less", {half(0xbc00), half(0x3c00)}}), IsValue(booleans({}, {1})));
  EXPECT_THAT(evaluated({"Equal", {half(0x8000), half(0x0000)}}), IsValue(booleans({}, {1})));
  EXPECT_THAT(evaluated({"Equal", {half(0x7e00), half(0x7e00)}}), IsValue(booleans({}, {0})));
}

TEST(Comparison, EqualAcceptsStringsAndBooleansToo) {
  EXPECT_THAT(evaluated({"Equal", {make_strings({2}, {"a", "b"}), make_strings({}, {"b"})}}),
              IsValue(booleans({2}, {0, 1})));
  EXPECT_THAT(evaluated({"Equal", {booleans({2}, {0, 1}), booleans({2}, {1, 1})}}), IsValue(booleans({2}, {0, 1})));
}

TEST(Comparison, Broadcasts) {
  EXPECT_THAT(evaluated({"Less", {floats({2, 1}, {1, 3}), floats({2}, {2, 4})}}),
              IsValue(booleans({2, 2}, {1, 1, 0, 1})));
  const Attributes broadcast{{"broadcast", std::int64_t{1}}, {"axis", std::int64_t{0}}};
  EXPECT_THAT(evaluated({"Equal", {integers({2, 2}, {1, 2, 3, 4}), integers({2}, {1, 4})}, broadcast, 1}),
              IsValue(booleans({2, 2}, {1, 0, 0, 1})));
}

TEST(Comparison, RefusesTypesWithoutOrder) {
  EXPECT_THAT(refusal({"Less", {booleans({}, {0}), booleans({}, {1})}}), HasSubstr("tensor(bool)"));
  const Value string = make_strings({}, {"a"});
  EXPECT_THAT(refusal({"Greater", {string, string}}), HasSubstr("tensor(string)"));
  EXPECT_THROW(inferred({"Less"}, {Type::tensor(ElementType::boolean), Type{}}), EvaluationError);
  EXPECT_THROW(inferred({"Equal"}, {Type::tensor(ElementType::complex64), Type{}}), EvaluationError);
}

TEST(ComparisonTypes, AreBoolean) {
  EXPECT_EQ(inferred({"Less"}, {float_type({2, 1}), float_type({3})}),
            Type::tensor(ElementType::boolean, static_shape({2, 3})));
  EXPECT_EQ(inferred({"Equal"}, {Type{}, Type{}}), Type::tensor(ElementType::boolean));
}

}  // namespace
}  // namespace ifcert::kernels
