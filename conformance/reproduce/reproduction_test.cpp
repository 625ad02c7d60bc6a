#include "conformance/reproduce/reproduction.hpp"

#include <gmock/gmock.h>

#include <filesystem>

#include "conformance/system/file.hpp"

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
  runtime.package = "quick-runtime";
  runtime.sections = {{"import", "import quick\n"},
                      {"plain", "def load(path):\n    pass\n"},
                      {"narrow", "def run(model, feeds):\n    return narrow\n"},
                      {"wide", "def run(model, feeds):\n    return wide\n"}};
  const auto plain_apis = std::filesystem::path(IFCERT_BUILT_FROM) / "conformance" / "reproduce" / "plain_apis";
  runtime.frame = sections_of(read_file(plain_apis / "script.py"));
  runtime.values = sections_of(read_file(plain_apis / "values.py"));
  return runtime;
}

std::string script(const json& steps, const std::string& text = "a model", const std::string& bytes = "bytes") {
  const ModelFiles files{.model = "model.onnx", .bytes = {{"model.onnx", bytes}}, .origin = "/vectors/x"};
  return reproduction({.title = "x", .note = "", .model_text = text, .files = files, .steps = steps, .guarded = true},
                      runtime());
}

std::string unguarded(const json& steps, const PlainRuntime& on = runtime()) {
  const ModelFiles files{.model = "model.onnx", .bytes = {{"model.onnx", "bytes"}}, .origin = "/vectors/x"};
  return reproduction(
      {.title = "x", .note = "", .model_text = "a model", .files = files, .steps = steps, .guarded = false}, on);
}

TEST(Sections, BeginWithTheirMarks) {
  const Sections found = sections_of("head\n#: one\n\na\n\n\n#: two\nb\n#: three");
  EXPECT_EQ(found.size(), 3U);
  EXPECT_EQ(found.at("one"), "a\n");
  EXPECT_EQ(found.at("two"), "b\n");
  EXPECT_EQ(found.at("three"), "");
}

json held(json step) {
  step["run"]["hold"] = true;
  return step;
}

const json right{{"outputs", {{{"name", "y"}, {"value", tensor("bool")}}}}};
const json either{{"either", {right, refused}}};

TEST(Reproduction, NeedsNoWideHelpersWhereNumpyHasAllTypes) {
  EXPECT_THAT(script({loaded, run(tensor("bool"), right)}), HasSubstr("return narrow"));
  EXPECT_THAT(script({loaded, run(tensor("bool"), right)}), Not(HasSubstr("return wide")));
  EXPECT_THAT(script({loaded, run(tensor("bfloat16"), right)}), HasSubstr("return wide"));
  EXPECT_THAT(script({loaded, run(tensor("bfloat16"), right)}), HasSubstr("given((\"bfloat16\", [], "));
}

TEST(Reproduction, ExpectsARefusalInAnyStepOfAnIllegalModel) {
  const json load{{"load", {{"expect", refused}}}};
  const std::string text = script({load, run(tensor("bfloat16"), refused)});
  EXPECT_THAT(text, HasSubstr("expected: a refusal\", flush=True)\ntry:\n    model = load(path)\nexcept "));
  EXPECT_THAT(text, HasSubstr("\ntry:\n    returned = run(model, {\"x\": given((\"bfloat16\", [], "));
  EXPECT_THAT(text, testing::EndsWith("print(\"returned:\", returned, flush=True)\n"
                                      "sys.exit(\"not as expected: nothing was refused\")\n"));
}

TEST(Reproduction, OfOneRunIsStraight) {
  const std::string text = unguarded({loaded, run(tensor("bool"), right)});
  EXPECT_THAT(
      text,
      HasSubstr(
          "\nimport base64, importlib.metadata, os, sys, tempfile, zlib\n\nimport numpy as np\nimport quick\n\n"));
  EXPECT_THAT(text,
              testing::EndsWith(
                  "expected = [np.array(True, \"bool\")]\n"
                  "print(f\"quick-runtime {importlib.metadata.version('quick-runtime')}\\nexpected: {expected}\", "
                  "flush=True)\n"
                  "model = load(path)\n"
                  "returned = run(model, {\"x\": np.array(True, \"bool\")})\n"
                  "print(\"returned:\", returned)\n"
                  "if bits(returned) != bits(expected):\n"
                  "    sys.exit(f\"not as expected: {bits(returned)}\")\n"
                  "print(\"as expected\")\n"));
}

TEST(Reproduction, OfSeveralRunsIsALoop) {
  const std::string text = unguarded({loaded, run(tensor("bool"), right), run(tensor("bool"), right)});
  const std::string both = "    ({\"x\": np.array(True, \"bool\")}, [np.array(True, \"bool\")]),\n";
  EXPECT_THAT(text, HasSubstr("for feeds, expected in [\n" + both + both + "]:\n    print("));
  EXPECT_THAT(text, HasSubstr("\n    returned = run(model, feeds)\n"));
}

TEST(Reproduction, OfAnIllegalModelShowsTheRefusal) {
  const std::string text = unguarded({{{"load", {{"expect", refused}}}}, run(tensor("bool"), refused)});
  EXPECT_THAT(text, HasSubstr("try:\n    model = load(path)\n    returned = run(model, {\"x\": "));
  EXPECT_THAT(text, HasSubstr("    print(f\"refused: {error!r}\\nas expected\")\n"));
  EXPECT_THAT(text, HasSubstr("sys.exit(\"not as expected: nothing was refused\")\n"));
  EXPECT_THAT(text, Not(HasSubstr("def bits")));
}

TEST(Reproduction, MayAcceptARefusalInsteadOfTheValues) {
  const json load{{"load", {{"expect", {{"either", {{{"loaded", json::object()}}, refused}}}}}}};
  const std::string text = unguarded({load, run(tensor("bool"), either)});
  EXPECT_THAT(text, HasSubstr("try:\n    expected = [np.array(True, \"bool\")]\n"));
  EXPECT_THAT(text, testing::EndsWith("except Exception as error:\n    print(f\"refused: {error!r}\")\n"
                                      "print(\"as expected\")\n"));
}

TEST(Reproduction, OfACrashHasNoOtherProcess) {
  const std::string text = script({loaded, run(tensor("bool"), right)});
  EXPECT_THAT(text, HasSubstr("signal.alarm(60)"));
  EXPECT_THAT(text, Not(HasSubstr("fork")));
  EXPECT_THAT(unguarded({loaded, run(tensor("bool"), right)}), Not(HasSubstr("signal.alarm")));
}

TEST(Reproduction, UsesTheShortCallsOfARuntimeThatHasThem) {
  PlainRuntime quick = runtime();
  quick.sections["short load"] = "session = quick.Session(model)\n";
  quick.sections["short run"] = "returned = session.run(FEEDS)\n";
  const json steps{loaded, run(tensor("bool"), right)};
  const std::string text = unguarded(steps, quick);
  EXPECT_THAT(text, HasSubstr("\nmodel = zlib.decompress(base64.b64decode(\""));
  EXPECT_THAT(text, HasSubstr("\nsession = quick.Session(model)\nreturned = session.run({\"x\": "));
  EXPECT_THAT(text, Not(HasSubstr("def load")));
}

TEST(Reproduction, PassesTensorsWithoutElementsWhereTheShortCallsCan) {
  PlainRuntime quick = runtime();
  quick.sections["short load"] = "session = quick.Session(model)\n";
  quick.sections["short run"] = "returned = session.run(FEEDS)\n";
  const json empty{{"kind", "tensor"}, {"type", "float32"}, {"shape", {0}}, {"data", ""}};
  const json steps{loaded, run(empty, right)};
  EXPECT_THAT(unguarded(steps, quick), HasSubstr("quick.Session"));
  quick.short_of_empty = false;
  EXPECT_THAT(unguarded(steps, quick), HasSubstr("def load"));
}

TEST(Reproduction, PassesInputsByPositionOnlyInTheModelsOrder) {
  PlainRuntime quick = runtime();
  quick.sections["short load"] = "session = quick.Session(model)\n";
  quick.sections["short run"] = "returned = session.run(FEEDS.values())\n";
  quick.short_by_position = true;
  const ModelFiles files{.model = "model.onnx", .bytes = {{"model.onnx", "bytes"}}, .origin = "/vectors/x"};
  const auto of_inputs = [&](const std::vector<SlotInfo>& inputs, const json& steps) {
    return reproduction({.title = "x", .note = "", .model_text = "", .files = files, .steps = steps, .inputs = inputs},
                        quick);
  };
  const SlotInfo x{.name = "x", .declared = {}}, w{.name = "w", .declared = {}};
  const json once{loaded, run(tensor("bool"), right)};
  EXPECT_THAT(of_inputs({x}, once), HasSubstr("quick.Session"));
  EXPECT_THAT(of_inputs({w, x}, once), Not(HasSubstr("quick.Session")));
  EXPECT_THAT(of_inputs({}, once), Not(HasSubstr("quick.Session")));
  EXPECT_THAT(of_inputs({x}, {loaded, once.at(1), once.at(1)}), Not(HasSubstr("quick.Session")));
}

TEST(Reproduction, HasOtherShortCallsWhereAShapeIsNotTheDeclaredOne) {
  PlainRuntime quick = runtime();
  quick.sections["short load"] = "session = quick.Session(model)\n";
  quick.sections["short run"] = "returned = session.run(FEEDS)\n";
  quick.sections["short run of open shapes"] = "session.resize(shapes)\nreturned = session.run(FEEDS)\n";
  const ModelFiles files{.model = "model.onnx", .bytes = {{"model.onnx", "bytes"}}, .origin = "/vectors/x"};
  const auto of_input = [&](const Type& declared) {
    return reproduction({.title = "x",
                         .note = "",
                         .model_text = "",
                         .files = files,
                         .steps = {loaded, run(tensor("bool"), right)},
                         .inputs = {{.name = "x", .declared = declared}}},
                        quick);
  };
  const std::string fixed = of_input(Type::tensor(ElementType::boolean, Shape{}));
  EXPECT_THAT(fixed, testing::AllOf(HasSubstr("session = quick.Session(model)"), Not(HasSubstr("resize"))));
  const auto resizes = testing::AllOf(HasSubstr("session = quick.Session(model)"), HasSubstr("resize"));
  EXPECT_THAT(of_input(Type::tensor(ElementType::boolean)), resizes);
  EXPECT_THAT(of_input(Type::tensor(ElementType::boolean, Shape{{-1, ""}})), resizes);
  EXPECT_THAT(of_input(Type::tensor(ElementType::boolean, Shape{{1, ""}})), resizes);
}

TEST(Reproduction, PassesListsWhereTheShortCallsCan) {
  PlainRuntime quick = runtime();
  const json sequence{{"kind", "sequence"}, {"of", "tensor(bool)"}, {"items", json::array({tensor("bool")})}};
  const json steps{loaded, run(sequence, right)};
  EXPECT_THAT(unguarded(steps, quick), HasSubstr("{\"x\": given([np.array(True, \"bool\")])}"));
  quick.short_lists = true;
  EXPECT_THAT(unguarded(steps, quick), HasSubstr("{\"x\": [np.array(True, \"bool\")]}"));
  EXPECT_THAT(unguarded(steps, quick), HasSubstr("if value is None or isinstance(value, list):"));
}

TEST(Reproduction, OfARefusedModelPassesAllTypesWhereItMayReturnOneThatNumpyLacks) {
  const json load{{"load", {{"expect", refused}}}};
  EXPECT_THAT(script({load, run(tensor("bool"), refused)}, "y = bfloat16[2]"), HasSubstr("return wide"));
  EXPECT_THAT(script({loaded, run(tensor("bool"), right)}, "y = bfloat16[2]"), Not(HasSubstr("return wide")));
}

TEST(Reproduction, GoesStepByStepWhereTheseAreOfSeveralKinds) {
  for (const json& last : {run(tensor("bool"), refused), run(tensor("bool"), either), held(run(tensor("bool"), right)),
                           run(tensor("bfloat16"), right), json{{"reread", {{"step", 1}, {"expect", right}}}}})
    EXPECT_THAT(unguarded({loaded, run(tensor("bool"), right), last}), HasSubstr("print(\"step 3, expected:\", "))
        << last;
}

TEST(Reproduction, HasThreadsOnlyForConcurrentRuns) {
  const json one = run(tensor("bool"), right).at("run");
  const std::string text = script({loaded, {{"concurrent", {{"runs", {one, one}}}}}});
  EXPECT_THAT(text, HasSubstr("def at_once"));
  EXPECT_THAT(text, HasSubstr("\nreturned = all_returned[1]\n"));
  EXPECT_THAT(script({loaded, held({{"run", one}})}), Not(HasSubstr("def at_once")));
}

TEST(Reproduction, ReadsAHeldResultAgain) {
  const json again{{"reread", {{"step", 1}, {"expect", right}}}};
  const std::string text = script({loaded, held(run(tensor("bool"), right)), run(tensor("bool"), right), again});
  EXPECT_THAT(text, HasSubstr("\nheld_2 = returned\n"));
  EXPECT_THAT(text, HasSubstr("print(\"step 4, expected:\", *expected, flush=True)\nreturned = held_2\n"));
}

TEST(Reproduction, EndsWhereAStepMayBeRefused) {
  const std::string text = script({loaded, run(tensor("bool"), right), run(tensor("bool"), either)});
  EXPECT_THAT(text, HasSubstr("expected = [[np.array(True, \"bool\")], \"a refusal\"]  # any of these\n"));
  EXPECT_THAT(
      text,
      HasSubstr("\ntry:\n    returned = run(model, {\"x\": given(np.array(True, \"bool\"))})\n"
                "except Exception as error:\n    print(f\"refused: {error!r}\\nas expected\")\n    sys.exit()\n"));
}

TEST(Reproduction, ContainsTheModelUnlessItIsLarge) {
  EXPECT_THAT(script(json::array({loaded})), HasSubstr("open(path, \"wb\").write(zlib.decompress(base64.b64decode(\""));
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
