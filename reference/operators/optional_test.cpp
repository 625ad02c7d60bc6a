#include <gtest/gtest.h>

#include "operators/operator_call.hpp"

namespace ifcert::kernels {
namespace {

using testing::HasSubstr;

const Attributes of_floats{{"type", Type::tensor(ElementType::float32)}};

Value something() {
  return evaluated({"Optional", {floats({2}, {1, 2})}});
}
Value nothing() {
  return evaluated({"Optional", {}, of_floats});
}

TEST(Optional, HoldsATensorASequenceOrNothing) {
  EXPECT_EQ(kind_text(type_of(something())), "optional(tensor(float32))");
  EXPECT_EQ(kind_text(type_of(nothing())), "optional(tensor(float32))");
  const Value sequence = Sequence{Type::tensor(ElementType::int64), {}};
  EXPECT_EQ(kind_text(type_of(evaluated({"Optional", {sequence}}))), "optional(seq(tensor(int64)))");
  EXPECT_TRUE(nothing().optional()->value.empty());
}

TEST(Optional, RefusesWhatItCannotHold) {
  EXPECT_THAT(refusal({"Optional"}), HasSubstr("neither an operand nor attribute type"));
  EXPECT_THAT(refusal({"Optional", {something()}}), HasSubstr("optional(tensor(float32))"));
  EXPECT_THAT(refusal({"Optional", {integers({}, {1})}, of_floats}), HasSubstr("attribute type is tensor(float32)"));
}

TEST(OptionalHasElement, HasElementTellsWhetherThereIsOne) {
  EXPECT_THAT(evaluated({"OptionalHasElement", {something()}}), IsValue(booleans({}, {1})));
  EXPECT_THAT(evaluated({"OptionalHasElement", {nothing()}}), IsValue(booleans({}, {0})));
  EXPECT_THAT(evaluated({"OptionalHasElement", {something()}, {}, 15}), IsValue(booleans({}, {1})));
}

TEST(OptionalHasElement, FromVersion18AcceptsAnythingAndNothing) {
  EXPECT_THAT(evaluated({"OptionalHasElement", {floats({}, {0})}, {}, 18}), IsValue(booleans({}, {1})));
  EXPECT_THAT(evaluated({"OptionalHasElement", {Sequence{}}, {}, 18}), IsValue(booleans({}, {1})));
  EXPECT_THAT(evaluated({"OptionalHasElement", {}, {}, 18}), IsValue(booleans({}, {0})));
  EXPECT_THAT(evaluated({"OptionalHasElement", {Value{}}, {}, 18}), IsValue(booleans({}, {0})));
  EXPECT_THAT(refusal({"OptionalHasElement", {floats({}, {0})}, {}, 17}), HasSubstr("expected an optional"));
  EXPECT_THAT(refusal({"OptionalHasElement", {}, {}, 17}), HasSubstr("left out"));
}

TEST(OptionalGetElement, ReturnsItsElement) {
  EXPECT_THAT(evaluated({"OptionalGetElement", {something()}}), IsValue(floats({2}, {1, 2})));
  EXPECT_THAT(evaluated({"OptionalGetElement", {floats({}, {3})}, {}, 18}), IsValue(floats({}, {3})));
  EXPECT_THAT(refusal({"OptionalGetElement", {nothing()}}), HasSubstr("is empty"));
  EXPECT_THAT(refusal({"OptionalGetElement", {floats({}, {3})}, {}, 17}), HasSubstr("expected an optional"));
  EXPECT_THAT(refusal({"OptionalGetElement", {Value{}}}), HasSubstr("left out"));
}

TEST(OptionalTypes, AreInferred) {
  const Type any_floats = Type::tensor(ElementType::float32);
  const Type boolean = Type::tensor(ElementType::boolean, Shape{});
  EXPECT_EQ(inferred({"Optional"}, {float_type({2})}), Type::optional_of(any_floats)) << "its shape may change";
  EXPECT_EQ(inferred({"Optional", {}, of_floats}, {}), Type::optional_of(any_floats));
  EXPECT_EQ(inferred({"Optional"}, {Type{}}), Type::optional_of(Type{}));
  EXPECT_EQ(inferred({"OptionalHasElement"}, {}), boolean);
  EXPECT_EQ(inferred({"OptionalHasElement", {}, {}, 15}, {Type::optional_of(any_floats)}), boolean);
  EXPECT_EQ(inferred({"OptionalGetElement"}, {Type::optional_of(any_floats)}), any_floats);
  EXPECT_EQ(inferred({"OptionalGetElement"}, {any_floats}), any_floats);
  EXPECT_EQ(inferred({"OptionalGetElement"}, {Type{}}), Type{});
  EXPECT_THROW(inferred({"OptionalGetElement", {}, {}, 15}, {any_floats}), EvaluationError);
  EXPECT_THROW(inferred({"OptionalHasElement", {}, {}, 15}, {any_floats}), EvaluationError);
  EXPECT_THROW(inferred({"Optional"}, {}), EvaluationError);
}

}  // namespace
}  // namespace ifcert::kernels
