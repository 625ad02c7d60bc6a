#include "conformance/reproduction.hpp"

#include <gmock/gmock.h>

#include "conformance/error.hpp"

namespace ifcert::conformance {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

json tensor(const std::string& type) {
  return {{"kind", "tensor"}, {"type", type}, {"shape", json::array()}, {"data", type == "bool" ? "AQ==" : "gD8="}};
}

json run(const json& value, const json& expected) {
  return {{"run", {{"inputs", {{{"name", "x"}, {"value", value}}}}, {"expect", expected}}}};
}

const json loaded{{"load", {{"expect", {{"loaded", json::object()}}}}}};
const json refused{{"refused", json::object()}};

PlainRuntime runtime() {
  PlainRuntime runtime;
  runtime.name = "quick";
  runtime.sections = {{"import", "import quick\n"},
                      {"plain", "def load(path):\n    pass\n"},
                      {"narrow", "def run(model, feeds):\n    return narrow\n"},
                      {"wide", "def run(model, feeds):\n    return wide\n"}};
  runtime.frame = {{"short", "import sys\n"},
                   {"guard", "import os\n"},
                   {"judge", "def see():\n    pass\n"},
                   {"threads", "def at_once():\n    pass\n"}};
  return runtime;
}

std::string script(const json& steps, const std::string& text = "a model", const std::string& bytes = "bytes",
                   bool guarded = true) {
  const ModelFiles files{.model = "model.onnx", .bytes = {{"model.onnx", bytes}}, .origin = "/vectors/x"};
  return reproduction(
      {.title = "x", .note = "", .model_text = text, .files = files, .steps = steps, .guarded = guarded}, runtime());
}

std::string unguarded(const json& steps) {
  return script(steps, "a model", "bytes", false);
}

TEST(Sections, BeginWithTheirMarks) {
  const Sections found = sections_of("head\n#: one\n\na\n\n\n#: two\nb\n#: three");
  EXPECT_EQ(found.size(), 3U);
  EXPECT_EQ(found.at("one"), "a\n");
  EXPECT_EQ(found.at("two"), "b\n");
  EXPECT_EQ(found.at("three"), "");
}

TEST(Reproduction, NeedsNoWideHelpersWhereNumpyHasAllTypes) {
  const json right{{"outputs", {{{"name", "y"}, {"value", tensor("bool")}}}}};
  EXPECT_THAT(script({loaded, run(tensor("bool"), right)}), HasSubstr("return narrow"));
  EXPECT_THAT(script({loaded, run(tensor("bool"), right)}), Not(HasSubstr("return wide")));
  EXPECT_THAT(script({loaded, run(tensor("bfloat16"), right)}), HasSubstr("return wide"));
  EXPECT_THAT(script({loaded, run(tensor("bfloat16"), right)}), HasSubstr("given((\"bfloat16\", [], "));
}

TEST(Reproduction, ExpectsARefusalInAnyStepOfAnIllegalModel) {
  const json load{{"load", {{"expect", refused}}}};
  const std::string text = script({load, run(tensor("bool"), refused)});
  EXPECT_THAT(text, HasSubstr("see(\"1. load\", model, REFUSED, due=True)"));
  EXPECT_THAT(text, HasSubstr("see(\"2. run\", returned, REFUSED, due=True)"));
  EXPECT_THAT(text, testing::EndsWith("settle(False)\n"));
}

TEST(Reproduction, IsShortWhereNothingEndsTheProcess) {
  const json right{{"outputs", {{{"name", "y"}, {"value", tensor("bool")}}}}};
  const std::string legal = unguarded({loaded, run(tensor("bool"), right)});
  EXPECT_THAT(legal, Not(HasSubstr("def see")));
  EXPECT_THAT(legal, HasSubstr("try:\n    import numpy as np\n    import quick\nexcept ImportError as missing:\n"));
  EXPECT_THAT(legal, HasSubstr("    ({\"x\": np.array(True, \"bool\")}, [np.array(True, \"bool\")]),\n"));
  EXPECT_THAT(legal, testing::EndsWith("print(\"as expected\")\n"));
  const json load{{"load", {{"expect", refused}}}};
  const std::string illegal = unguarded({load, run(tensor("bool"), refused)});
  EXPECT_THAT(illegal, HasSubstr("try:\n    model = load(path)\n    for feeds in [\n"));
  EXPECT_THAT(illegal, HasSubstr("print(\"not as expected: nothing was refused\")\n"));
}

TEST(Reproduction, IsLongForStepsOfSeveralKinds) {
  const json right{{"outputs", {{{"name", "y"}, {"value", tensor("bool")}}}}};
  json held = run(tensor("bool"), right);
  held["run"]["hold"] = true;
  const json either{{"either", {right, refused}}};
  for (const json& last : {run(tensor("bool"), refused), run(tensor("bool"), either), held,
                           run(tensor("bfloat16"), right), json{{"reread", {{"step", 1}, {"expect", right}}}}})
    EXPECT_THAT(unguarded({loaded, run(tensor("bool"), right), last}), HasSubstr("def see")) << last;
}

TEST(Reproduction, HasThreadsOnlyForConcurrentRuns) {
  const json right{{"outputs", {{{"name", "y"}, {"value", tensor("bool")}}}}};
  const json one = run(tensor("bool"), right).at("run");
  EXPECT_THAT(script({loaded, {{"concurrent", {{"runs", {one, one}}}}}}), HasSubstr("def at_once"));
  EXPECT_THAT(script({loaded, {{"run", one}}}), Not(HasSubstr("def at_once")));
}

TEST(Reproduction, ContainsTheModelUnlessItIsLarge) {
  EXPECT_THAT(script(json::array({loaded})), HasSubstr("file.write(zlib.decompress(base64.b64decode(\n"));
  std::string noise;
  for (unsigned i = 0, state = 1; i < 200'000; ++i)
    noise += static_cast<char>((state = state * 1'103'515'245U + 12'345U) >> 16U);
  EXPECT_THAT(script(json::array({loaded}), "a model", noise),
              HasSubstr("path = \"/vectors/x/model.onnx\"  # too large"));
}

TEST(Reproduction, KeepsAModelsTextInComments) {
  const std::string text = script(json::array({loaded}), "graph\n\"\"\"\nimport os\n\x1b[2J");
  EXPECT_THAT(text, HasSubstr("# graph\n# \"\"\"\n# import os\n# <U+001B>[2J\n"));
}

}  // namespace
}  // namespace ifcert::conformance
