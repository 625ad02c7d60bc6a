#include "conformance/fuzz/generator/invalid.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ifcert/reference.hpp>
#include <memory>
#include <set>
#include <string>

#include "conformance/fuzz/generator/computed.hpp"
#include "conformance/fuzz/generator/skipped_branches.hpp"

namespace ifcert::generator {
namespace {

/// All broken rules with their places, including that of an UnreadableModel.
std::vector<Diagnostic> errors_of(const Invalid& invalid) {
  try {
    return errors_in(check(read_back(std::make_shared<const Files>(invalid.files))));
  } catch (const UnreadableModel& error) {
    return {error.diagnostic()};
  }
}

class InvalidModels : public testing::TestWithParam<Format> {};

TEST_P(InvalidModels, BreakTheRuleThatTheyNameAndNoOther) {
  std::set<std::string_view> made;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    const Invalid invalid = generate_invalid(seed, GetParam());
    made.insert(invalid.fault);
    EXPECT_THAT(broken_rules(std::make_shared<const Files>(invalid.files)), testing::ElementsAre(invalid.rule))
        << invalid.fault << ", seed " << seed;
  }
  std::set<std::string_view> claimed;
  for (const faults::Fault& fault : faults_of(GetParam())) claimed.insert(fault.name);
  EXPECT_EQ(made, claimed);
}

/// The branches of the legal model, as it is read from its file.
std::vector<std::string> skipped_branches_of(const Invalid& invalid, Format format) {
  const Computed legal = computed(invalid.original.model, model_name(format), {});
  return skipped_branches(legal.model, invalid.original.runs);
}

/// Nodes without a name are named by their number. "shadowed" inserts a node before the If that the fault is in, so its
/// place is another one in the legal model.
TEST_P(InvalidModels, AreBrokenWhereNoRunComesToo) {
  std::size_t counted = 0;
  std::size_t skipped = 0;
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    const Invalid invalid = generate_invalid(seed, GetParam());
    if (invalid.fault == "shadowed") continue;
    ++counted;
    skipped += is_inside(errors_of(invalid).front().place, skipped_branches_of(invalid, GetParam())) ? 1 : 0;
  }
  const double percent = 100.0 * static_cast<double>(skipped) / static_cast<double>(counted);
  RecordProperty("percent_in_skipped_branches", std::to_string(percent));
  EXPECT_GT(percent, 5) << skipped << " of " << counted;
  EXPECT_LT(percent, 95) << skipped << " of " << counted;
}

INSTANTIATE_TEST_SUITE_P(EachFormat, InvalidModels, testing::Values(Format::onnx, Format::openvino, Format::tflite));

/// Whether all runs of the legal model compute on the illegal one too.
bool still_computes(const Invalid& invalid) {
  try {
    const Program program(read_back(std::make_shared<const Files>(invalid.files)).model);
    for (const std::vector<Value>& run : invalid.original.runs) program.run(run);
    return true;
  } catch (const EvaluationError&) {
    return false;
  }
}

/// A sum of two types cannot be computed, so a run shows whether it comes to it.
TEST(Invalid, NoRunComesToAPlaceInASkippedBranch) {
  for (const Format format : {Format::onnx, Format::tflite}) {
    std::size_t in_skipped_branches = 0;
    std::size_t failed = 0;
    for (std::uint64_t seed = 0; seed < 1000; ++seed) {
      const Invalid invalid = generate_invalid(seed, format);
      if (invalid.fault != "sum-of-two-types") continue;
      const bool skipped = is_inside(errors_of(invalid).front().place, skipped_branches_of(invalid, format));
      const bool computes = still_computes(invalid);
      EXPECT_TRUE(computes || !skipped) << "seed " << seed;
      in_skipped_branches += skipped ? 1 : 0;
      failed += computes ? 0 : 1;
    }
    EXPECT_GT(in_skipped_branches, 0U);
    EXPECT_GT(failed, 0U);
  }
}

TEST(Invalid, ASeedDeterminesTheFile) {
  EXPECT_EQ(generate_invalid(3).files.back().bytes, generate_invalid(3).files.back().bytes);
}

}  // namespace
}  // namespace ifcert::generator
