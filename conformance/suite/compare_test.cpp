#include "conformance/suite/compare.hpp"

#include <gmock/gmock.h>

namespace ifcert::conformance {
namespace {

using nlohmann::json;
using testing::HasSubstr;

json tensor(const char* type, json shape, const char* data) {
  return {{"kind", "tensor"}, {"type", type}, {"shape", std::move(shape)}, {"data", data}};
}

json sequence(json of, json items) {
  return {{"kind", "sequence"}, {"of", std::move(of)}, {"items", std::move(items)}};
}
json present(json of, json value) {
  return {{"kind", "optional"}, {"of", std::move(of)}, {"value", std::move(value)}};
}
json absent(json of) {
  return {{"kind", "optional"}, {"of", std::move(of)}, {"absent", true}};
}
json named(const char* name, json value) {
  return {{"name", name}, {"value", std::move(value)}};
}

const json two = tensor("int8", {2}, "AQI=");

Fault fault_of(const json& expected, const json& got) {
  const auto difference = compare_values(expected, got, "y");
  EXPECT_TRUE(difference.has_value());
  return difference ? difference->fault : Fault::none;
}

TEST(Comparison, FindsEqualValuesEqual) {
  EXPECT_FALSE(compare_values(two, two, "y"));
  EXPECT_FALSE(
      compare_values(sequence("tensor(int8)", json::array({two})), sequence("tensor(int8)", json::array({two})), "y"));
  EXPECT_FALSE(compare_values(absent("tensor(int8)"), absent("tensor(int8)"), "y"));
}

TEST(Comparison, ComparesTheTypeThenTheShapeThenTheData) {
  EXPECT_EQ(fault_of(two, tensor("uint8", {1, 2}, "AQM=")), Fault::wrong_type);
  EXPECT_EQ(fault_of(two, tensor("int8", {1, 2}, "AQM=")), Fault::wrong_shape);
  EXPECT_EQ(fault_of(two, tensor("int8", {2}, "AQM=")), Fault::wrong_value);
}

TEST(Comparison, NamesTheElementThatDiffersAndBothValues) {
  const auto difference = compare_values(two, tensor("int8", {2}, "AQM="), "output y");
  ASSERT_TRUE(difference);
  EXPECT_EQ(difference->reason, "output y: element 1 is 3, expected 2 (1 of 2 elements differ)");
}

TEST(Comparison, IsBitForBit) {
  EXPECT_EQ(fault_of(tensor("float32", {1}, "AAAAAA=="), tensor("float32", {1}, "AAAAgA==")), Fault::wrong_value)
      << "-0";
  EXPECT_EQ(fault_of(tensor("float32", {1}, "AADAfw=="), tensor("float32", {1}, "AQDAfw==")), Fault::wrong_value)
      << "a NaN's payload";
}

TEST(Comparison, BlamesTheAdapterForAnAnswerThatContradictsItself) {
  EXPECT_EQ(fault_of(two, tensor("int8", {3}, "AQI=")), Fault::none);
  EXPECT_EQ(fault_of(two, tensor("int8", {2}, "AQI")), Fault::none);
}

TEST(Comparison, DistinguishesKinds) {
  EXPECT_EQ(fault_of(two, sequence("tensor(int8)", json::array({two}))), Fault::wrong_type);
  EXPECT_EQ(fault_of(present("tensor(int8)", two), two), Fault::wrong_type);
  EXPECT_EQ(fault_of(two, {{"kind", "other"}, {"is", "a map"}}), Fault::wrong_type);
}

TEST(Comparison, ComparesTheItemsOfSequencesAndOptionals) {
  const json three = tensor("int8", {2}, "AQM=");
  EXPECT_EQ(fault_of(sequence("tensor(int8)", json::array({two, two})), sequence("tensor(int8)", json::array({two}))),
            Fault::wrong_shape);
  EXPECT_EQ(
      fault_of(sequence("tensor(int8)", json::array({two, two})), sequence("tensor(int8)", json::array({two, three}))),
      Fault::wrong_value);
  EXPECT_EQ(fault_of(present("tensor(int8)", two), absent("tensor(int8)")), Fault::wrong_value);
  EXPECT_EQ(fault_of(present("tensor(int8)", two), present("tensor(int8)", three)), Fault::wrong_value);
}

TEST(Comparison, AllowsAnEmptyAnswerToLeaveItsItemTypeOpen) {
  EXPECT_FALSE(compare_values(sequence("tensor(int8)", json::array()), sequence(nullptr, json::array()), "y"));
  EXPECT_FALSE(compare_values(absent("tensor(int8)"), absent(nullptr), "y"));
  EXPECT_FALSE(compare_values(present("tensor(int8)", two), present(nullptr, two), "y"));
  EXPECT_EQ(fault_of(absent("tensor(int8)"), absent("tensor(int16)")), Fault::wrong_type);
}

TEST(Comparison, ComparesTheNumberAndTheNamesOfOutputs) {
  const json expected = json::array({named("a", two), named("b", two)});
  EXPECT_FALSE(compare_outputs(expected, expected));
  EXPECT_THAT(compare_outputs(expected, json::array({named("a", two)}))->reason,
              HasSubstr("1 outputs were returned, expected 2"));
  EXPECT_THAT(compare_outputs(expected, json::array({named("b", two), named("a", two)}))->reason,
              HasSubstr("output 0 is named 'b', expected 'a'"));
}

TEST(Outputs, UnderAnotherNameWithTheRightBitsAreAWrongName) {
  const json expected = json::array({{{"name", "y"}, {"value", two}}});
  const json renamed = json::array({{{"name", "z"}, {"value", two}}});
  const json other = tensor("int8", {2}, "AQM=");
  const json wrong_too = json::array({{{"name", "z"}, {"value", other}}});
  EXPECT_EQ(compare_outputs(expected, renamed)->fault, Fault::wrong_name);
  EXPECT_EQ(compare_outputs(expected, renamed)->reason, "output 0 is named 'z', expected 'y'; its value is right");
  EXPECT_EQ(compare_outputs(expected, wrong_too)->fault, Fault::wrong_value);
}

}  // namespace
}  // namespace ifcert::conformance
