// The commands infer the types of a model once, and pass them on from the check to whatever needs them.
#include <gtest/gtest.h>

#include <algorithm>
#include <ifcert/rules.hpp>
#include <string>
#include <vector>

#include "conformance/commands/commands.hpp"

namespace ifcert::conformance {
namespace {

using Words = std::vector<std::string>;

const std::string generated = IFCERT_VECTORS "/onnx/generated/if/";
const std::string with_loop = generated + "loop-in-branch/if-in-loop-in-else.onnx";  // a run needs types too
const std::string with_if = generated + "then-when-true/test-cc-if.onnx";

/// Runs the command line, which must succeed; returns how often types were inferred meanwhile.
std::uint64_t inferences_of(Words words) {
  CLI::App program;
  int exit_code = -1;
  for (AddCommand* add : {add_check, add_run, add_convert, add_show}) add(program, exit_code);
  const std::uint64_t before = inference_count();
  std::ranges::reverse(words);  // as CLI11 takes them
  testing::internal::CaptureStdout();
  program.parse(words);
  testing::internal::GetCapturedStdout();
  EXPECT_EQ(exit_code, 0);
  return inference_count() - before;
}

/// A file name in the tests' folder.
std::string temporary(const std::string& name) {
  return testing::TempDir() + name;
}

TEST(InferenceCount, OfCheckIsOne) {
  EXPECT_EQ(inferences_of({"check", with_if}), 1U);
}

TEST(InferenceCount, OfRunIsOne) {
  EXPECT_EQ(inferences_of({"run", with_loop, "--input", "cond=false", "--input", "trips=4", "--input", "x=5"}), 1U);
}

TEST(InferenceCount, OfShowIsOneInEveryForm) {
  for (const std::string name : {"shown.dot", "shown.svg", "shown.html"})
    EXPECT_EQ(inferences_of({"show", with_if, "-o", temporary(name)}), 1U) << name;
}

TEST(InferenceCount, OfConvertIsOneForTheModelAndOneForTheResult) {
  EXPECT_EQ(inferences_of({"convert", with_if, temporary("again.onnx")}), 1U);
  EXPECT_EQ(inferences_of({"convert", with_if, temporary("converted.xml")}), 2U);
  EXPECT_EQ(inferences_of({"convert", temporary("converted.xml"), temporary("back.onnx")}), 2U);
  EXPECT_EQ(inferences_of({"convert", with_if, temporary("converted.tflite")}), 1U);
}

}  // namespace
}  // namespace ifcert::conformance
