#include "conformance/system/suggestion.hpp"

#include <gmock/gmock.h>

namespace ifcert::conformance {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(NearMiss, ALetterIsChangedLeftOutAddedOrExchanged) {
  const std::vector<std::string> names{"certify", "merge", "check"};
  for (const char* word : {"sertify", "cetify", "certtify", "ceritfy", "certif"}) {
    EXPECT_THAT(suggestions(word, names), ElementsAre("certify")) << word;
  }
}

TEST(NearMiss, ADistantNameIsNotSuggested) {
  EXPECT_THAT(suggestions("fly", {"certify", "run", "show"}), IsEmpty());
  EXPECT_THAT(suggestions("", {"run"}), IsEmpty());
  EXPECT_THAT(suggestions("x", {"svg", "dot"}), IsEmpty());
}

TEST(NearMiss, TheNearestComesFirstAndThreeAtMost) {
  EXPECT_THAT(suggestions("output-counts", {"output-amount", "output-count"}),
              ElementsAre("output-count", "output-amount"));
  EXPECT_THAT(suggestions("rule", {"rule4", "rule3", "rule2", "rule1"}), ElementsAre("rule1", "rule2", "rule3"));
}

TEST(NearMiss, APartOfANameIsOne) {
  EXPECT_THAT(suggestions("output-count", {"onnx/if/output-count", "onnx/if/nesting"}),
              ElementsAre("onnx/if/output-count"));
}

TEST(NearMiss, AWordOfAnyLengthIsAccepted) {
  EXPECT_THAT(suggestions(std::string(1 << 20, 'x'), {"run", std::string(1 << 20, 'y')}), IsEmpty());
}

TEST(NearMiss, TheSentenceNamesThem) {
  EXPECT_EQ(did_you_mean("jsno", {"text", "json", "sarif"}), "; did you mean json?");
  EXPECT_EQ(did_you_mean("rn", {"run", "ran"}), "; did you mean ran or run?");
  EXPECT_EQ(did_you_mean("fly", {"run"}), "");
}

}  // namespace
}  // namespace ifcert::conformance
