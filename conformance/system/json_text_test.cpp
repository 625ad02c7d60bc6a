#include "conformance/system/json_text.hpp"

#include <gmock/gmock.h>

#include <array>

namespace ifcert::conformance {
namespace {

using nlohmann::json;
using testing::HasSubstr;

TEST(JsonText, IsParsedAsTheLibraryParsesIt) {
  for (const char* text : {"null", "true", "-3", "18446744073709551615", "0.5", R"("é\n")", "[]", "{}",
                           R"([1,[2,{"a":[]}],"b"])", R"({"a":{"b":[1,2,{"c":null}]},"d":false})"}) {
    EXPECT_EQ(parse_json(text).document, json::parse(text)) << text;
    EXPECT_EQ(parse_json(text).fault, "") << text;
  }
}

TEST(JsonText, ThatIsNotJsonIsRefused) {
  for (const char* text : {"", "{", "[1,]", "{\"a\":}", "1 2", "\"\xff\"", "nul"}) {
    EXPECT_EQ(parse_json(text).fault, "is not JSON") << text;
    EXPECT_THAT(parse_json(text).detail, HasSubstr("parse error")) << text;
  }
}

TEST(JsonText, RepeatsNoKey) {
  EXPECT_EQ(parse_json(R"({"a":1,"a":1})").fault, "repeats the key 'a'");
  EXPECT_EQ(parse_json(R"({"list":[{},{"x":{"b":1,"c":2,"b":3}}]})").fault, "repeats the key 'b' in list[1].x");
  EXPECT_EQ(parse_json(R"([[{"a":1,"\u0061":2}]])").fault, "repeats the key 'a' in [0][0]");
  EXPECT_EQ(parse_json(R"([{"a":1},{"a":2,"b":{"a":3}}])").fault, "");
}

TEST(JsonText, NestsOnlySoDeep) {
  const auto nested = [](std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
  EXPECT_EQ(parse_json(nested(64)).fault, "");
  EXPECT_EQ(parse_json(nested(65)).fault, "nests deeper than 64 levels");
  EXPECT_EQ(parse_json(nested(1'000'000)).fault, "nests deeper than 64 levels");
  EXPECT_EQ(parse_json(nested(3), {.depth = 2}).fault, "nests deeper than 2 levels");
}

TEST(JsonText, HasOnlySoManyValues) {
  EXPECT_EQ(parse_json("[1,2]", {.values = 3}).fault, "");
  EXPECT_EQ(parse_json("[1,2,{}]", {.values = 3}).fault, "has more than 3 values");
}

TEST(JsonText, HasOnlyTheMembersThatAreWanted) {
  const std::array<std::string_view, 2> names{"id", "files"};
  const auto parsed = [&names](std::string_view text) { return parse_json(text, {.depth = 4, .members = names}); };
  EXPECT_EQ(parsed(R"({"a":{"id":[1,{"b":2}]},"id":"x","c":3,"files":{"a":{"id":1}},"d":[]})").document,
            json::parse(R"({"id":"x","files":{"a":{"id":1}}})"));
  EXPECT_EQ(parsed(R"({"a":1,"a":[],"id":1,"id":2})").fault, "repeats the key 'id'");
  EXPECT_EQ(parsed(R"({"a":[[[0]]],"id":1})").document, json::parse(R"({"id":1})"));
  EXPECT_EQ(parsed(R"({"a":[[[[0]]]],"id":1})").fault, "nests deeper than 4 levels");
  EXPECT_EQ(parsed(R"({"a":[1})").fault, "is not JSON");
  EXPECT_EQ(parsed(R"({"id":1,"files":2,"id":3})").fault, "repeats the key 'id'");
  EXPECT_EQ(parsed(R"({"id":1,"files":2,"a":[1})").document, json::parse(R"({"id":1,"files":2})"))
      << "what follows the last of them is not read";
}

TEST(JsonText, HasItsLongStringsCut) {
  static constexpr std::array<std::string_view, 2> whole{"data", "strings"};
  const JsonLimits limits{.word = 8, .whole = whole};
  const auto cut = [&limits](const char* text) { return parse_json(text, limits).document; };
  EXPECT_EQ(cut(R"({"m":"12345678","n":["123456789"]})"),
            json::parse(R"x({"m":"12345678","n":["12345678… (9 bytes)"]})x"));
  EXPECT_EQ(cut(R"({"data":"123456789","m":"1ééééé"})"),
            json::parse(R"x({"data":"123456789","m":"1ééé… (11 bytes)"})x"));
  EXPECT_EQ(cut(R"([{"strings":["123456789","1234567890"]},"123456789"])"),
            json::parse(R"x([{"strings":["123456789","1234567890"]},"12345678… (9 bytes)"])x"));
  EXPECT_EQ(parse_json(R"({"123456789":0})", limits).fault, "has a key of 9 bytes");
}

TEST(JsonText, HasNoLongFault) {
  const std::string key(1'000'000, 'k');
  EXPECT_LT(parse_json("{\"" + key + "\":1,\"" + key + "\":2}").fault.size(), 300U);
  EXPECT_LT(parse_json("[\"" + key).detail.size(), 300U);
}

TEST(Word, IsCutBetweenCharacters) {
  EXPECT_EQ(cut_word("abc", 3), "abc");
  EXPECT_EQ(cut_word("abcd", 3), "abc… (4 bytes)");
  EXPECT_EQ(cut_word("aé", 2), "a… (3 bytes)");
}

}  // namespace
}  // namespace ifcert::conformance
