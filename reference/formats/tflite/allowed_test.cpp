// Operators out of order: strict reading says so, and reading that allows it sorts them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ifcert/reference.hpp>

#include "formats/tflite/file_builder.hpp"

namespace ifcert::tflite::allowed_findings {
namespace {

using namespace file_builder;
using testing::Contains;
using testing::Each;
using testing::Field;
using testing::IsEmpty;
using testing::Not;

constexpr const char* rule = "tflite/file/made-before-use";

Reading read_allowing(const std::string& bytes, const AllowedRules& allowed = {rule}) {
  const auto owner = std::make_shared<const std::string>(bytes);
  return read_bytes(owner, std::as_bytes(std::span(*owner)), allowed);
}

Value list(const std::vector<std::int32_t>& numbers) {
  return make_tensor<std::int32_t>(ElementType::int32, {static_cast<std::int64_t>(numbers.size())}, numbers);
}

Value truth(bool value) {
  const std::uint8_t byte = value ? 1 : 0;
  return make_tensor<std::uint8_t>(ElementType::boolean, {}, {&byte, 1});
}

/// y = cond ? |-x| + -x : x, whose then subgraph has these operators.
File choice(const std::vector<Operator>& operators) {
  return {{{"main", {boolean(), ints({-1}), ints({-1})}, {0, 1}, {2}, {if_({0, 1}, {2}, 1, 2)}},
           {"then", {ints({-1}), ints({-1}), ints({-1}), ints({-1})}, {0}, {3}, operators},
           pass("else", ints({-1}))}};
}

const Operator negated = operation(BuiltinOperator_NEG, {0}, {1});
const Operator absolute = operation(BuiltinOperator_ABS, {1}, {2});
const Operator sum = operation(BuiltinOperator_ADD, {1, 2}, {3});

TEST(AllowedInTensorFlowLite, OperatorsAreSorted) {
  for (const std::vector<Operator>& operators : std::vector<std::vector<Operator>>{
           {sum, absolute, negated}, {absolute, sum, negated}, {sum, negated, absolute}}) {
    const std::string bytes = written(choice(operators));
    const Reading strict = read(bytes);
    EXPECT_THAT(strict.broken, Each(Field(&Diagnostic::rule, rule)));
    EXPECT_THAT(strict.broken, Each(Field(&Diagnostic::allowable, true)));
    EXPECT_THAT(strict.broken, Not(IsEmpty()));
    const Reading allowed = read_allowing(bytes);
    EXPECT_EQ(allowed.allowed, strict.broken);
    ASSERT_NE(allowed.mended, nullptr);
    Reading again = read(*allowed.mended);
    EXPECT_THAT(check(again), IsEmpty());
    const Program program(std::move(again.model));
    EXPECT_EQ(to_string(program.run(std::vector<Value>{truth(true), list({1, -2})}).front()), "int32[2] [0, 4]");
    EXPECT_EQ(to_string(program.run(std::vector<Value>{truth(false), list({1, -2})}).front()), "int32[2] [1, -2]");
    EXPECT_EQ(allowed.mended->size(), bytes.size());
  }
  EXPECT_EQ(read_allowing(written(choice({negated, absolute, sum}))).mended, nullptr);
}

TEST(AllowedInTensorFlowLite, CyclesAreNot) {
  const Operator circular = operation(BuiltinOperator_ADD, {3, 2}, {3});
  const Reading reading = read_allowing(written(choice({negated, absolute, circular})));
  EXPECT_THAT(reading.broken,
              Contains(testing::AllOf(Field(&Diagnostic::rule, rule), Field(&Diagnostic::allowable, false))));
  EXPECT_EQ(reading.mended, nullptr);
}

// What the operators do to variables, or custom ones to anything, is not in the tensors that they read.
TEST(AllowedInTensorFlowLite, AnOrderThatMayHaveEffectsIsNot) {
  File with_variable = choice({sum, absolute, negated});
  with_variable.subgraphs[2].tensors.push_back(ints({2}));
  with_variable.subgraphs[2].tensors.back().variable = true;
  File with_custom = choice({sum, absolute, negated});
  with_custom.subgraphs[1].operators.push_back({custom_code("Anything"), {0}, {}});
  for (const File& file : {with_variable, with_custom}) {
    const Reading reading = read_allowing(written(file));
    EXPECT_THAT(reading.broken,
                Contains(testing::AllOf(Field(&Diagnostic::rule, rule), Field(&Diagnostic::allowable, false))));
    EXPECT_EQ(reading.mended, nullptr);
  }
}

}  // namespace
}  // namespace ifcert::tflite::allowed_findings
