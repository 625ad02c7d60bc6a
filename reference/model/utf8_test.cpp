#include "model/utf8.hpp"

#include <gtest/gtest.h>

#include <tuple>

namespace ifcert {
namespace {

using namespace std::string_literals;

TEST(Utf8, TheFirstAndLastCharacterOfEachLengthIsOne) {
  using Row = std::tuple<std::string, char32_t>;
  for (const auto& [bytes, code] :
       {Row{"\0"s, 0}, Row{"\x7F", 0x7F}, Row{"\xC2\x80", 0x80}, Row{"\xDF\xBF", 0x7FF}, Row{"\xE0\xA0\x80", 0x800},
        Row{"\xED\x9F\xBF", 0xD7FF}, Row{"\xEE\x80\x80", 0xE000}, Row{"\xEF\xBF\xBF", 0xFFFF},
        Row{"\xF0\x90\x80\x80", 0x10000}, Row{"\xF4\x8F\xBF\xBF", 0x10FFFF}}) {
    const auto character = utf8_character(bytes + "x");
    ASSERT_TRUE(character) << std::hex << static_cast<std::uint32_t>(code);
    EXPECT_EQ(character->code, code);
    EXPECT_EQ(character->size, bytes.size());
    EXPECT_TRUE(is_utf8(bytes));
  }
}

TEST(Utf8, AByteOfNoCharacterIsFoundWhereverItIs) {
  for (std::size_t size = 0; size <= 40; ++size) {
    const std::string plain(size, 'a');
    EXPECT_EQ(utf8_prefix(plain), size);
    for (std::size_t at = 0; at < size; ++at) {
      std::string damaged = plain;
      damaged[at] = '\xFF';
      EXPECT_EQ(utf8_prefix(damaged), at) << size;
    }
  }
}

TEST(Utf8, BytesThatAreNoCharacterAreNone) {
  for (const std::string bytes : {
           "\x80",
           "\xBF",
           "\xFE",
           "\xFF",  // not the beginning of a character
           "\xC0\x80",
           "\xC0\xAF",
           "\xC1\xBF",  // overlong
           "\xE0\x80\xAF",
           "\xE0\x9F\xBF",
           "\xF0\x80\x80\xAF",
           "\xF0\x8F\xBF\xBF",
           "\xF8\x88\x80\x80\x80",
           "\xFC\x84\x80\x80\x80\x80",  // five and six bytes
           "\xED\xA0\x80",
           "\xED\xAF\xBF",
           "\xED\xB0\x80",
           "\xED\xBF\xBF",              // surrogates
           "\xED\xA0\x80\xED\xB0\x80",  // a surrogate pair
           "\xF4\x90\x80\x80",
           "\xF5\x80\x80\x80",
           "\xF7\xBF\xBF\xBF",  // past U+10FFFF
           "\xC3",
           "\xE2\x82",
           "\xF0\x9F\x98",  // truncated
           "\xC3x",
           "\xE2\x82x",
           "\xF0\x9F\x98x",
           "\xE2\xE2\x82\xAC",  // truncated by another character
       }) {
    EXPECT_FALSE(utf8_character(bytes)) << testing::PrintToString(bytes);
    EXPECT_FALSE(is_utf8("good" + bytes));
    EXPECT_EQ(utf8_prefix("good" + bytes), 4U);
  }
}

TEST(Utf8, EachByteThatBelongsToNoCharacterIsShownAsOne) {
  EXPECT_EQ(utf8_text("caf\xC3\xA9"), "caf\xC3\xA9");
  EXPECT_EQ(utf8_text("\xED\xA0\x80|\xC3|"), "\uFFFD\uFFFD\uFFFD|\uFFFD|");
  EXPECT_EQ(utf8_text(""), "");
}

}  // namespace
}  // namespace ifcert
