#include <gtest/gtest.h>

#include <ifcert/elements.hpp>

#include "operators/operator_call.hpp"

namespace ifcert::kernels {
namespace {

using testing::HasSubstr;

const Attributes allow_zero{{"allowzero", std::int64_t{1}}};

Value counting(const Dims& dims) {
  std::vector<float> elements(element_count(dims));
  for (std::size_t i = 0; i < elements.size(); ++i) elements[i] = static_cast<float>(i);
  return floats(dims, elements);
}

Dims dims_of_result(const Call& call) {
  return evaluated(call).tensor()->dims;
}

TEST(Identity, ReturnsAnyValueUnchanged) {
  const Value tensor = counting({2});
  EXPECT_EQ(evaluated({"Identity", {tensor}}).tensor(), tensor.tensor());
  const Value sequence = Sequence{Type::tensor(ElementType::float32), {tensor}};
  EXPECT_EQ(evaluated({"Identity", {sequence}}).sequence(), sequence.sequence());
  const Value optional = Optional{Type::tensor(ElementType::float32), {}};
  EXPECT_EQ(evaluated({"Identity", {optional}}).optional(), optional.optional());
  EXPECT_NE(refusal({"Identity", {Value{}}}), "");
  EXPECT_NE(refusal({"Identity", {tensor, tensor}}), "");
}

TEST(Reshape, ChangesTheDimsOfTheSameElements) {
  const Value value = counting({2, 3, 4});
  const Value reshaped = evaluated({"Reshape", {value, list({4, 6})}});
  EXPECT_THAT(reshaped, IsValue(counting({4, 6})));
  EXPECT_EQ(reshaped.tensor()->data.bytes().data(), value.tensor()->data.bytes().data());
}

TEST(Reshape, ComputesMinusOneAndCopiesZero) {
  const Value value = counting({2, 3, 4});
  EXPECT_EQ(dims_of_result({"Reshape", {value, list({-1, 4})}}), Dims({6, 4}));
  EXPECT_EQ(dims_of_result({"Reshape", {value, list({0, -1})}}), Dims({2, 12}));
  EXPECT_EQ(dims_of_result({"Reshape", {value, list({0, 0, 4, 1})}}), Dims({2, 3, 4, 1}));
  EXPECT_EQ(dims_of_result({"Reshape", {counting({1}), list({})}}), Dims({}));
}

TEST(Reshape, TreatsZeroAsADimWhereAllowed) {
  const Value nothing = floats({0, 3}, {});
  EXPECT_EQ(dims_of_result({"Reshape", {nothing, list({3, 4, 0})}, allow_zero}), Dims({3, 4, 0}));
  EXPECT_THAT(refusal({"Reshape", {nothing, list({0, -1})}, allow_zero}), HasSubstr("both 0 and -1"));
  EXPECT_THAT(refusal({"Reshape", {nothing, list({0, -1})}}), HasSubstr("elements for any value of -1"));
}

TEST(Reshape, RefusesAnotherNumberOfElements) {
  const Value value = counting({2, 3});
  EXPECT_THAT(refusal({"Reshape", {value, list({4})}}), HasSubstr("[2, 3] has 6 elements"));
  EXPECT_THAT(refusal({"Reshape", {value, list({-1, 4})}}), HasSubstr("elements for any value of -1"));
  EXPECT_THAT(refusal({"Reshape", {value, list({-1, -1})}}), HasSubstr("more than once"));
  EXPECT_THAT(refusal({"Reshape", {value, list({-2, -3})}}), HasSubstr("negative"));
  EXPECT_THAT(refusal({"Reshape", {value, list({1, 1, 0})}}), HasSubstr("copies dim 2"));
}

TEST(Reshape, RefusesHostileSizes) {
  const std::int64_t huge = std::int64_t{1} << 62;
  EXPECT_NE(refusal({"Reshape", {counting({2}), list({huge})}}), "");
  EXPECT_NE(refusal({"Reshape", {counting({2}), list({huge, huge})}}), "");
  EXPECT_NE(refusal({"Reshape", {counting({2}), list({huge, huge, -1})}}), "");
}

TEST(Reshape, RefusesAShapeThatIsNotAListOfInt64) {
  EXPECT_THAT(refusal({"Reshape", {counting({2}), integers({1, 1}, {2})}}), HasSubstr("rank 2"));
  EXPECT_THAT(refusal({"Reshape", {counting({2}), floats({1}, {2})}}), HasSubstr("expected tensor(int64)"));
  EXPECT_THAT(refusal({"Reshape", {counting({2})}}), HasSubstr("left out"));
}

TEST(Reshape, BeforeVersion5TheShapeIsAnAttribute) {
  const Attributes shape{{"shape", std::vector<std::int64_t>{3, -1}}};
  EXPECT_EQ(dims_of_result({"Reshape", {counting({6})}, shape, 4}), Dims({3, 2}));
  EXPECT_EQ(inferred({"Reshape", {}, shape, 1}, {float_type({6})}), float_type({3, 2}));
}

TEST(Reshape, HandlesStringsAndPackedTypes) {
  EXPECT_THAT(evaluated({"Reshape", {make_strings({2}, {"a", "b"}), list({2, 1})}}),
              IsValue(make_strings({2, 1}, {"a", "b"})));
  const Value packed = pack(ElementType::int4, {3}, std::vector<std::uint8_t>{1, 2, 3});
  EXPECT_THAT(evaluated({"Reshape", {packed, list({3, 1})}}),
              IsValue(pack(ElementType::int4, {3, 1}, std::vector<std::uint8_t>{1, 2, 3})));
}

TEST(Squeeze, RemovesTheRequestedAxesOrAllOfSizeOne) {
  const Value value = counting({1, 3, 1, 2});
  EXPECT_EQ(dims_of_result({"Squeeze", {value}}), Dims({3, 2}));
  EXPECT_EQ(dims_of_result({"Squeeze", {value, list({0})}}), Dims({3, 1, 2}));
  EXPECT_EQ(dims_of_result({"Squeeze", {value, list({-2, 0})}}), Dims({3, 2}));
  EXPECT_EQ(dims_of_result({"Squeeze", {value, Value{}}}), Dims({3, 2}));
  EXPECT_EQ(dims_of_result({"Squeeze", {value, list({})}}), Dims({1, 3, 1, 2}));
  EXPECT_EQ(dims_of_result({"Squeeze", {value}, {{"axes", std::vector<std::int64_t>{2}}}, 11}), Dims({1, 3, 2}));
}

TEST(Squeeze, RefusesAnAxisThatIsNotOfSizeOneOrOutOfRange) {
  EXPECT_EQ(refusal({"Squeeze", {counting({1, 3}), list({1})}}), "Squeeze: axis 1 of [1, 3] is not of size 1");
  EXPECT_THAT(refusal({"Squeeze", {floats({0}, {}), list({0})}}), HasSubstr("is not of size 1"));
  EXPECT_EQ(refusal({"Squeeze", {counting({1, 3}), list({2})}}), "Squeeze: axis 2 is outside [-2, 1] of rank 2");
  EXPECT_NE(refusal({"Squeeze", {counting({1}), list({0}), list({0})}}), "");
}

TEST(Unsqueeze, InsertsAxesOfTheResult) {
  const Value value = counting({3, 4, 5});
  EXPECT_EQ(dims_of_result({"Unsqueeze", {value, list({0, 4})}}), Dims({1, 3, 4, 5, 1}));
  EXPECT_EQ(dims_of_result({"Unsqueeze", {value, list({-1, 1})}}), Dims({3, 1, 4, 5, 1}));
  EXPECT_EQ(dims_of_result({"Unsqueeze", {floats({}, {1}), list({0})}}), Dims({1}));
  EXPECT_EQ(dims_of_result({"Unsqueeze", {floats({}, {1}), integers({}, {0})}}), Dims({1}));
  EXPECT_EQ(dims_of_result({"Unsqueeze", {value}, {{"axes", std::vector<std::int64_t>{0}}}, 11}), Dims({1, 3, 4, 5}));
}

// "List of integers": a run refuses a matrix of axes, whatever they are. A scalar counts as one axis.
TEST(Unsqueeze, AxesOfRankTwoAreAMisfit) {
  const Type x = float_type({3});
  const auto axes = [](const Dims& dims) { return Type::tensor(ElementType::int64, static_shape(dims)); };
  EXPECT_EQ(misfit_of({"Unsqueeze"}, {x, axes({1, 1})}), "Unsqueeze: operand 1 has rank 2; expected a list (rank 1)");
  EXPECT_EQ(misfit_of({"Unsqueeze"}, {x, axes({1})}), "");
  EXPECT_EQ(misfit_of({"Unsqueeze"}, {x, axes({})}), "");
}

TEST(Unsqueeze, RefusesRepeatedAndMissingAxes) {
  const Value value = counting({3});
  EXPECT_THAT(refusal({"Unsqueeze", {value, list({0, -3})}}), HasSubstr("twice"));
  EXPECT_THAT(refusal({"Unsqueeze", {value, list({2})}}), HasSubstr("outside [-2, 1]"));
  EXPECT_THAT(refusal({"Unsqueeze", {value}}), HasSubstr("not given"));
  EXPECT_THAT(refusal({"Unsqueeze", {value}, {}, 12}), HasSubstr("axes is not given"));
}

TEST(ReshapeTypes, AreInferredOnlyWhereCertain) {
  const Type any_floats = Type::tensor(ElementType::float32);
  const Type three = Type::tensor(ElementType::int64, static_shape({3}));
  const Call reshape{"Reshape"};
  EXPECT_EQ(inferred(reshape, {float_type({2, 6}), three}, {{}, list({3, -1, 1})}), float_type({3, 4, 1}));
  EXPECT_EQ(inferred(reshape, {float_type({-1, 6}), three}, {{}, list({0, -1, 3})}), float_type({-1, -1, 3}));
  EXPECT_EQ(inferred(reshape, {float_type({2, 6}), three}), float_type({-1, -1, -1}));
  EXPECT_EQ(inferred(reshape, {any_floats, three}), float_type({-1, -1, -1}));
  EXPECT_EQ(inferred(reshape, {any_floats, Type{}}), any_floats);
  EXPECT_EQ(inferred({"Reshape", {}, {{"allowzero", AttributeReference{"z"}}}}, {float_type({6}), three},
                     {{}, list({2, 3, 0})}),
            float_type({-1, -1, -1}));
  EXPECT_THROW(inferred(reshape, {any_floats, any_floats}), EvaluationError);
}

TEST(SqueezeTypes, AreInferredOnlyWhereCertain) {
  const Type any_floats = Type::tensor(ElementType::float32);
  const Type axes = Type::tensor(ElementType::int64, static_shape({1}));
  EXPECT_EQ(inferred({"Squeeze"}, {float_type({1, 3})}), float_type({3}));
  EXPECT_EQ(inferred({"Squeeze"}, {float_type({1, -1})}), any_floats);
  EXPECT_EQ(inferred({"Squeeze"}, {float_type({-1, 2}), axes}, {{}, list({0})}), float_type({2}));
  EXPECT_EQ(inferred({"Squeeze"}, {float_type({1, 2}), axes}), any_floats);
  EXPECT_EQ(inferred({"Squeeze", {}, {{"axes", AttributeReference{"a"}}}, 11}, {float_type({1, 2})}), any_floats);
  EXPECT_EQ(inferred({"Unsqueeze"}, {float_type({-1, 2}), axes}, {{}, list({-1})}), float_type({-1, 2, 1}));
  EXPECT_EQ(inferred({"Unsqueeze"}, {float_type({2}), axes}), any_floats);
  EXPECT_EQ(inferred({"Identity"}, {Type::optional_of(any_floats)}), Type::optional_of(any_floats));
}

}  // namespace
}  // namespace ifcert::kernels
