#include "conformance/suite/profiles.hpp"

#include <gmock/gmock.h>

#include <algorithm>

namespace ifcert::conformance {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

VectorSummary vector_in(const std::string& rule, const std::string& name, std::vector<std::string> profiles) {
  VectorSummary vector;
  vector.id = rule + "/" + name;
  vector.rule = rule;
  vector.system = "onnx";
  vector.profiles = std::move(profiles);
  return vector;
}

Certification certification() {
  Certification made;
  made.adapters.push_back(
      {.name = "engine", .runtime = "", .version = "", .language = "", .home = "", .unsupported_features = {}});
  made.vectors = {vector_in("onnx/if/a", "one", {"onnx", "onnx-11"}),
                  vector_in("onnx/if/a", "two", {"onnx", "onnx-16"}),
                  vector_in("onnx/if/b", "one", {"onnx", "onnx-16"})};
  return made;
}

Result result_of(const std::string& vector, Verdict verdict) {
  Result result;
  result.adapter = "engine";
  result.vector = vector;
  result.verdict = verdict;
  return result;
}

TEST(Profiles, ALevelNamesTheRulesThatDoNotHoldInItsProfile) {
  Certification made = certification();
  made.results = {result_of("onnx/if/a/one", Verdict::pass), result_of("onnx/if/a/two", Verdict::fail),
                  result_of("onnx/if/b/one", Verdict::pass)};
  const std::vector<Level> levels = levels_of(made, made.adapters.front());
  ASSERT_EQ(levels.size(), 3U);
  EXPECT_EQ(levels[0].profile, "onnx");
  EXPECT_THAT(levels[0].missing, ElementsAre("onnx/if/a"));
  EXPECT_EQ(levels[1].profile, "onnx-11");
  EXPECT_THAT(levels[1].missing, IsEmpty());
  EXPECT_EQ(levels[2].profile, "onnx-16");
  EXPECT_THAT(levels[2].missing, ElementsAre("onnx/if/a"));
  EXPECT_EQ(levels[2].holding(), 1U);
}

TEST(Profiles, AVectorThatDidNotRunIsMissing) {
  Certification made = certification();
  made.results = {result_of("onnx/if/a/one", Verdict::pass), result_of("onnx/if/a/two", Verdict::pass)};
  EXPECT_THAT(levels_of(made, made.adapters.front()).back().missing, ElementsAre("onnx/if/b"));
}

TEST(Profiles, AreListedBySystemAndVersion) {
  std::vector<std::string> names{"tflite", "onnx-16-tensors", "onnx-9", "onnx-16", "circle", "onnx"};
  std::ranges::sort(names, is_listed_before);
  EXPECT_THAT(names, ElementsAre("circle", "onnx", "onnx-9", "onnx-16", "onnx-16-tensors", "tflite"));
}

}  // namespace
}  // namespace ifcert::conformance
