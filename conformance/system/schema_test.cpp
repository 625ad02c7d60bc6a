#include "conformance/system/schema.hpp"

#include <gmock/gmock.h>

#include "conformance/system/error.hpp"
#include "conformance/system/file.hpp"
#include "conformance/system/temporary_folder.hpp"

namespace ifcert::conformance {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::ThrowsMessage;

class SchemaFile : public testing::Test {
 protected:
  Schema schema(const json& document) const {
    replace_file(folder.path() / "a.schema.json", document.dump());
    return Schema(folder.path() / "a.schema.json");
  }

  TemporaryFolder folder;
};

TEST_F(SchemaFile, NamesThePlaceWhereADocumentDiffers) {
  const Schema closed = schema({{"type", "object"},
                                {"additionalProperties", false},
                                {"properties", {{"steps", {{"type", "array"}, {"items", {{"type", "integer"}}}}}}}});
  EXPECT_EQ(closed.fault({{"steps", {1, 2}}}), "");
  EXPECT_THAT(closed.fault({{"steps", {1, "two"}}}), HasSubstr("steps[1]"));
  EXPECT_NE(closed.fault({{"other", 1}}), "");
  EXPECT_THAT([&] { closed.require({{"other", 1}}, "file.json"); }, ThrowsMessage<Error>(HasSubstr("file.json")));
}

TEST_F(SchemaFile, DistinguishesAListsFirstItemsFromTheOthers) {
  const Schema list = schema({{"items", {{{"type", "string"}}}}, {"additionalItems", {{"type", "integer"}}}});
  EXPECT_EQ(list.fault({"first", 2, 3}), "");
  EXPECT_NE(list.fault({1, 2, 3}), "");
  EXPECT_NE(list.fault({"first", "second"}), "");
}

TEST_F(SchemaFile, RefersToItsNeighbours) {
  replace_file(folder.path() / "b.schema.json", R"({"definitions":{"name":{"type":"string"}}})");
  const Schema referring = schema({{"items", {{"$ref", "b.schema.json#/definitions/name"}}}});
  EXPECT_EQ(referring.fault({"a"}), "");
  EXPECT_NE(referring.fault({1}), "");
}

TEST_F(SchemaFile, AcceptsLongTextsOfBytes) {
  const Schema bytes = schema({{"type", "string"}, {"contentEncoding", "base64"}});
  EXPECT_EQ(bytes.fault(std::string(1U << 22U, 'A')), "");
}

TEST_F(SchemaFile, ThatCannotBeReadIsAnError) {
  EXPECT_THROW(Schema(folder.path() / "missing.json"), Error);
  EXPECT_THROW(schema(json::array({1})), Error);
}

}  // namespace
}  // namespace ifcert::conformance
