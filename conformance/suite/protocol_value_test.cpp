#include "conformance/suite/protocol_value.hpp"

#include <gmock/gmock.h>

namespace ifcert::conformance {
namespace {

using nlohmann::json;
using testing::HasSubstr;

json tensor_value(const char* type, json shape, const char* data) {
  return {{"kind", "tensor"}, {"type", type}, {"shape", std::move(shape)}, {"data", data}};
}

json strings(json shape, json elements) {
  return {{"kind", "tensor"}, {"type", "string"}, {"shape", std::move(shape)}, {"strings", std::move(elements)}};
}

TEST(Base64, IsDecodedOnlyInItsCanonicalSpelling) {
  EXPECT_EQ(decode_base64(""), "");
  EXPECT_EQ(decode_base64("AQI="), "\x01\x02");
  EXPECT_EQ(decode_base64("Zm9vYg=="), "foob");
  EXPECT_EQ(decode_base64("AQI"), std::nullopt) << "no padding";
  EXPECT_EQ(decode_base64("AQJ="), std::nullopt) << "bits after the last byte";
  EXPECT_EQ(decode_base64("A==="), std::nullopt);
  EXPECT_EQ(decode_base64("AQ I"), std::nullopt);
  EXPECT_EQ(decode_base64("===="), std::nullopt);
}

TEST(Value, IsSoundWhenItsBytesFillItsShape) {
  EXPECT_EQ(contradiction(tensor_value("int16", {1}, "AQI=")), "");
  EXPECT_EQ(contradiction(tensor_value("int16", json::array(), "AQI=")), "") << "rank 0 has one element";
  EXPECT_EQ(contradiction(tensor_value("float32", {0, 3}, "")), "");
  EXPECT_EQ(contradiction(strings({2}, {"", "Zm9vYg=="})), "");
}

TEST(Value, ContradictsItselfWhenItsBytesDoNotFillItsShape) {
  EXPECT_THAT(contradiction(tensor_value("int16", {2}, "AQI=")), HasSubstr("2 bytes of int16 for the shape [2]"));
  EXPECT_THAT(contradiction(tensor_value("int8", {4611686018427387904, 8}, "AQI=")), HasSubstr("2 bytes"));
  EXPECT_THAT(contradiction(tensor_value("int8", {0, 4611686018427387904, 8}, "")), "");
  EXPECT_THAT(contradiction(strings({3}, {"", ""})), HasSubstr("2 strings for the shape [3]"));
  EXPECT_THAT(contradiction(tensor_value("int8", {1}, "?")), HasSubstr("not base64"));
}

TEST(Value, HasZeroBitsAfterItsLastElement) {
  EXPECT_EQ(contradiction(tensor_value("int4", {1}, "Dw==")), "");
  EXPECT_THAT(contradiction(tensor_value("int4", {1}, "Hw==")), HasSubstr("padding bits"));
  EXPECT_THAT(contradiction(tensor_value("uint2", {3}, "QA==")), HasSubstr("padding bits"));
}

TEST(Value, HasItemsOfTheDeclaredType) {
  const json item = tensor_value("int8", {2}, "AQI=");
  EXPECT_EQ(contradiction({{"kind", "sequence"}, {"of", "tensor(int8)"}, {"items", {item}}}), "");
  EXPECT_EQ(contradiction({{"kind", "sequence"}, {"of", nullptr}, {"items", json::array()}}), "");
  EXPECT_THAT(contradiction({{"kind", "sequence"}, {"of", "tensor(int16)"}, {"items", {item}}}), HasSubstr("int16"));
  EXPECT_THAT(contradiction({{"kind", "sequence"}, {"of", nullptr}, {"items", {item}}}),
              HasSubstr("without an item type"));
  EXPECT_THAT(contradiction({{"kind", "optional"}, {"of", "tensor(int16)"}, {"value", item}}), HasSubstr("int8"));
}

TEST(Value, IsShownAsPeopleWriteIt) {
  EXPECT_EQ(readable(tensor_value("int8", {2}, "AQI=")), "int8 [2]: 1, 2");
  EXPECT_EQ(readable(tensor_value("int8", {0}, "")), "int8 [0]: no elements");
  EXPECT_EQ(readable(tensor_value("int8", {17}, "AAAAAAAAAAAAAAAAAAAAAAA=")),
            "int8 [17]: 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, …");
  EXPECT_EQ(readable(strings({2}, {"Zm9vYg==", "AP8="})), "string [2]: \"foob\", \"\\u0000\xef\xbf\xbd\"");
  EXPECT_EQ(readable({{"kind", "optional"}, {"of", "tensor(int8)"}, {"absent", true}}),
            "optional(tensor(int8)): absent");
  EXPECT_EQ(readable({{"kind", "sequence"}, {"of", "tensor(int8)"}, {"items", {tensor_value("int8", {1}, "AQ==")}}}),
            "seq(tensor(int8)): (int8 [1]: 1)");
}

}  // namespace
}  // namespace ifcert::conformance
