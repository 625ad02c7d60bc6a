#include "conformance/system/canonical_json.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "conformance/system/error.hpp"

namespace ifcert::conformance {
namespace {

using nlohmann::json;

TEST(CanonicalJson, OrdersMembersByTheirUtf16CodeUnits) {
  // RFC 8785, 3.2.3: the order of this example's names is given there.
  const json example{{"\u20ac", "Euro Sign"},
                     {"\r", "Carriage Return"},
                     {"\ufb33", "Hebrew Letter Dalet With Dagesh"},
                     {"1", "One"},
                     {"\U0001F600", "Emoji: Grinning Face"},
                     {"\u0080", "Control"},
                     {"\u00f6", "Latin Small Letter O With Diaeresis"}};
  const std::string text = canonical_json(example);
  std::vector<std::size_t> offsets;
  for (const char* value : {"Carriage Return", "One", "Control", "Latin Small", "Euro Sign", "Emoji", "Hebrew"})
    offsets.push_back(text.find(value));
  EXPECT_TRUE(std::ranges::is_sorted(offsets)) << text;
  EXPECT_LT(offsets.back(), text.size());
}

TEST(CanonicalJson, PrintsNumbersAsEcmascriptDoes) {
  // RFC 8785, appendix B.
  const std::vector<std::pair<double, std::string>> examples{
      {0.0, "0"},
      {-0.0, "0"},
      {5e-324, "5e-324"},
      {-5e-324, "-5e-324"},
      {std::numeric_limits<double>::max(), "1.7976931348623157e+308"},
      {9007199254740992.0, "9007199254740992"},
      {295147905179352830000.0, "295147905179352830000"},
      {9.999999999999997e22, "9.999999999999997e+22"},
      {1e23, "1e+23"},
      {1.0000000000000001e23, "1.0000000000000001e+23"},
      {999999999999999700000.0, "999999999999999700000"},
      {1e21, "1e+21"},
      {9.999999999999997e-7, "9.999999999999997e-7"},
      {0.000001, "0.000001"},
      {333333333.3333332, "333333333.3333332"},
      {30, "30"},
      {0.5, "0.5"},
      {-0.0000033333333333333333, "-0.0000033333333333333333"},
  };
  for (const auto& [number, text] : examples) EXPECT_EQ(canonical_json(json(number)), text);
}

TEST(CanonicalJson, HasNoWhiteSpaceAndEscapesOnlyWhatMustBe) {
  EXPECT_EQ(canonical_json({{"b", {1, true, nullptr}}, {"a", "\u20ac$\u000f\nA'B\"\\/"}}),
            "{\"a\":\"\u20ac$\\u000f\\nA'B\\\"\\\\/\",\"b\":[1,true,null]}");
}

TEST(CanonicalJson, RefusesWhatHasNoSuchText) {
  EXPECT_THROW(canonical_json(json(std::nan(""))), Error);
  EXPECT_THROW(canonical_json(json(std::numeric_limits<double>::infinity())), Error);
  EXPECT_THROW(canonical_json(json((std::uint64_t{1} << 53) + 1)), Error);
  EXPECT_THROW(canonical_json(json(-(std::int64_t{1} << 53) - 1)), Error);
  EXPECT_THROW(canonical_json(json("\xff")), Error);
  EXPECT_EQ(canonical_json(json(std::int64_t{1} << 53)), "9007199254740992");
}

}  // namespace
}  // namespace ifcert::conformance
