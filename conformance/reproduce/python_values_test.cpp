#include "conformance/reproduce/python_values.hpp"

#include <gtest/gtest.h>

namespace ifcert::conformance {
namespace {

using nlohmann::json;

json tensor(const char* type, json shape, const char* data) {
  return {{"kind", "tensor"}, {"type", type}, {"shape", std::move(shape)}, {"data", data}};
}

TEST(PythonValue, IsAnArrayOfNumbersWhereTheyAreExact) {
  EXPECT_EQ(python_value(tensor("bool", json::array(), "AQ==")), "np.array(True, \"bool\")");
  EXPECT_EQ(python_value(tensor("float32", {1, 2}, "AACAPwAAAEA=")), "np.array([[1, 2]], \"float32\")");
  EXPECT_EQ(python_value(tensor("float32", {0, 2}, "")), "np.zeros([0, 2], \"float32\")");
}

TEST(PythonValue, KeepsTheSignOfZero) {
  EXPECT_EQ(python_value(tensor("float32", {1}, "AAAAgA==")), "np.array([-0.0], \"float32\")");
}

TEST(PythonValue, IsBytesWhereNumbersWouldLoseBits) {
  EXPECT_EQ(python_value(tensor("float32", {1}, "AQDAfw==")),
            "np.frombuffer(bytes.fromhex(\"0100c07f\"), \"float32\").reshape([1]).copy()");
}

TEST(PythonValue, IsATupleWhereNumpyLacksTheTypeAndForStrings) {
  EXPECT_EQ(python_value(tensor("bfloat16", {1}, "gD8=")), "(\"bfloat16\", [1], bytes.fromhex(\"803f\"))");
  const json strings{{"kind", "tensor"}, {"type", "string"}, {"shape", {2}}, {"strings", {"YQ==", "/w=="}}};
  EXPECT_EQ(python_value(strings), "(\"string\", [2], [b\"a\", bytes.fromhex(\"ff\")])");
  EXPECT_FALSE(is_array(strings));
}

TEST(PythonValue, HasListsForSequencesAndMarksOptionals) {
  const json one = tensor("bool", json::array(), "AQ==");
  EXPECT_EQ(python_value({{"kind", "sequence"}, {"of", "tensor(bool)"}, {"items", {one}}}),
            "[np.array(True, \"bool\")]");
  EXPECT_EQ(python_value({{"kind", "optional"}, {"of", "tensor(bool)"}, {"absent", true}}), "(\"optional\", None)");
}

TEST(PlainValue, HasArraysOfObjectsForStringsAndNoMarkForAnOptional) {
  const json strings{{"kind", "tensor"}, {"type", "string"}, {"shape", {1, 2}}, {"strings", {"YQ==", ""}}};
  EXPECT_EQ(plain_value(strings), "np.array([[\"a\", \"\"]], object)");
  const json none{{"kind", "tensor"}, {"type", "string"}, {"shape", {0}}, {"strings", json::array()}};
  EXPECT_EQ(plain_value(none), "np.zeros([0], object)");
  EXPECT_EQ(plain_value({{"kind", "optional"}, {"of", "tensor(string)"}, {"value", none}}), "np.zeros([0], object)");
  EXPECT_EQ(plain_value({{"kind", "optional"}, {"of", "tensor(bool)"}, {"absent", true}}), "None");
  EXPECT_EQ(plain_value({{"kind", "sequence"}, {"of", "tensor(string)"}, {"items", {none}}}),
            "[np.zeros([0], object)]");
}

TEST(PlainValue, LacksTheTypesThatNumpyLacks) {
  const json lacking = tensor("bfloat16", {1}, "gD8=");
  EXPECT_FALSE(is_plain(lacking));
  EXPECT_FALSE(is_plain({{"kind", "sequence"}, {"of", "tensor(bfloat16)"}, {"items", {lacking}}}));
  EXPECT_TRUE(is_plain({{"kind", "optional"}, {"of", "tensor(bfloat16)"}, {"absent", true}}));
}

TEST(PythonText, IsNoCodeWhateverAModelNamesItsInputs) {
  EXPECT_EQ(python_text("x"), "\"x\"");
  EXPECT_EQ(python_text("\"; import os #"),
            "bytes.fromhex(\"223b20696d706f7274206f732023\").decode(errors=\"surrogateescape\")");
}

}  // namespace
}  // namespace ifcert::conformance
