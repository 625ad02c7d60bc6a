#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ifcert/diagnostic.hpp>
#include <ifcert/inexpressible.hpp>
#include <ifcert/message.hpp>
#include <ifcert/run_limits.hpp>
#include <string>
#include <vector>

#include "model/place.hpp"

namespace ifcert {
namespace {

using std::string_literals::operator""s;
using testing::HasSubstr;

TEST(Printable, IsOneLineThatNoTerminalObeys) {
  EXPECT_EQ(printable("a\tb\nc\r"), "a<U+0009>b<U+000A>c<U+000D>");
  EXPECT_EQ(printable("a\0b\x1b[0m\x7f"s), "a<U+0000>b<U+001B>[0m<U+007F>");
  EXPECT_EQ(printable("\u0080\u009b31m\u009f\u00a0"), "<U+0080><U+009B>31m<U+009F>\u00a0");
}

TEST(Printable, NamesWhatTurnsOrHidesText) {
  EXPECT_EQ(
      printable("\u061c\u200b\u200e\u200f\u2028\u2029\u202a\u202e\u2060\u2066\u2069\ufeff\U000e0041"),
      "<U+061C><U+200B><U+200E><U+200F><U+2028><U+2029><U+202A><U+202E><U+2060><U+2066><U+2069><U+FEFF><U+E0041>");
  EXPECT_EQ(printable("\U0001bca0\U0001d173\U0001d17a"), "<U+1BCA0><U+1D173><U+1D17A>");
  EXPECT_EQ(printable("a\u202Eb\u200Bc\u00ADd\xEF\xBF\xBE"
                      "é漢😀"),
            "a<U+202E>b<U+200B>c<U+00AD>d\xEF\xBF\xBD"
            "é漢😀");
}

TEST(Printable, IsNoOrderToALogOfContinuousIntegration) {
  EXPECT_EQ(printable("::error::x"), "<U+003A>:error::x");
  EXPECT_EQ(printable("  ::error::x"), "  <U+003A>:error::x");
  EXPECT_EQ(printable("aten::add"), "aten::add");
  EXPECT_EQ(printable("x ##[error]y ##vso[task.complete]z"), "x <U+0023>#[error]y <U+0023>#vso[task.complete]z");
  EXPECT_EQ(printable("## head, #1"), "## head, #1");
  EXPECT_EQ(printable_lines("a\n\t::add-mask::b"), "a\n\t<U+003A>:add-mask::b");
}

TEST(Printable, IsUtf8) {
  EXPECT_EQ(printable("\xff\xc3\xa9\xc3"), "\xef\xbf\xbd\xc3\xa9\xef\xbf\xbd");
}

TEST(Printable, ChangesNothingOfWhatItGave) {
  const std::string once = printable("::a##[\n\u202e\xff<U+000A>");
  EXPECT_EQ(printable(once), once);
}

TEST(Printable, KeepsLinesWhereThereMayBeSome) {
  EXPECT_EQ(printable_lines("a\tb\nc\r\x1b\u009b"), "a\tb\nc<U+000D><U+001B><U+009B>");
}

// "no rule broken" on a separate line is the message for a legal model.
TEST(Messages, HoldNoNameThatForgesALine) {
  const std::string evil = "evil\nno rule broken\x1b[2J\u009b\u202e";
  const std::string shown = "evil<U+000A>no rule broken<U+001B>[2J<U+009B><U+202E>";
  const Diagnostic diagnostic{"rule", evil, evil, evil};
  EXPECT_EQ(to_string(diagnostic), shown + ": " + shown + " [rule]\n  expected: " + shown);
  EXPECT_THAT(UnreadableModel(diagnostic).what(), HasSubstr(shown + ": " + shown + "; expected: " + shown));
  EXPECT_EQ(UnreadableModel(diagnostic).diagnostic().place, evil);
  EXPECT_EQ(EvaluationError(evil).what(), shown);
  EXPECT_EQ(LimitExceeded(Limit::time, evil).what(), shown);
  EXPECT_EQ(OutOfMemory(evil).what(), shown);
  EXPECT_EQ(Inexpressible(evil, evil).what(), shown + ": " + shown);
}

TEST(Place, OfALongChainNamesBothEndsAndCountsTheRest) {
  std::vector<Place> chain{{.kind = Place::Kind::numbered, .what = "p", .number = 0}};
  chain.reserve(45);
  for (std::size_t i = 1; i < 45; ++i) chain.push_back(chain.back().numbered("p", i));
  EXPECT_THAT(to_string(chain[44]), HasSubstr(" / p 19 / … 5 more … / p 25 / "));
  EXPECT_THAT(to_string(chain[40]), HasSubstr(" / p 19 / … 1 more … / p 21 / "));
  EXPECT_THAT(to_string(chain[39]), HasSubstr(" / p 19 / p 20 / "));
}

}  // namespace
}  // namespace ifcert
