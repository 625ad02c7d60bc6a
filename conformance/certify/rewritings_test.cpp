// The reference on every rewriting of every vector that a runtime must compute, or may: it is legal, and it computes
// the same. All of them take minutes (IFCERT_LONG=1); otherwise each vector has the three
// that a certification would make in one file.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>
#include <string>

#include "conformance/certify/rewriting_check.hpp"
#include "conformance/certify/sampled_rewritings.hpp"
#include "conformance/rewritings/rewriting.hpp"
#include "conformance/system/project.hpp"

namespace ifcert::conformance {
namespace {

class RewritingsOf : public testing::TestWithParam<std::string> {};

TEST_P(RewritingsOf, AModelThatIsWrittenOtherwiseComputesTheSame) {
  const auto is_wanted = [](const VectorSummary& vector) {
    return vector.system == GetParam() && vector.axis != Axis::diagnoses;
  };
  const std::size_t wanted = std::getenv("IFCERT_LONG") != nullptr ? all_of_them : usual_number;
  const Suite suite = read_suite(find_project(), is_wanted);
  for (const Vector& vector : suite.vectors) {
    if (!is_wanted(vector.summary) || !vector.unusable.empty()) continue;
    std::optional<OriginalModel> original;
    try {
      original.emplace(vector);
    } catch (const NoSibling&) {
      continue;  // an open vector whose model the reference refuses
    }
    for (const RewrittenModel& model : sampled_rewritings(vector, wanted)) {
      EXPECT_EQ(original->objection(model.files), "") << vector.summary.id << ", " << model.rewritings.front()->name;
    }
  }
}

TEST_P(RewritingsOf, EachIsMadeForSomeVector) {
  const auto is_wanted = [](const VectorSummary& vector) { return vector.system == GetParam(); };
  const Suite suite = read_suite(find_project(), is_wanted);
  const auto is_made = [](const Rewriting& rewriting, const Vector& vector) {
    try {
      return vector.summary.axis == Axis::computes && vector.summary.system == GetParam() &&
             !rewritten_by(rewriting, vector.files).bytes.empty();
    } catch (const NotMade&) {
      return false;
    }
  };
  for (const Rewriting* rewriting : rewritings_of(GetParam())) {
    EXPECT_TRUE(std::ranges::any_of(suite.vectors, [&](const Vector& each) { return is_made(*rewriting, each); }))
        << rewriting->name;
  }
}

/// Known beforehand, that a node cannot run may be a reason to refuse the model, also where the node never runs.
TEST(RewritingsOfWhatNeverRuns, DoNotShowWhatIsFed) {
  const std::map<std::string, std::size_t> fed{
      {"onnx/if/both-branches-required/all-in-one-case", 1},
      {"onnx/if/only-taken-branch-runs/cross-failing-create-within-call", 0},
      {"onnx/if/loop-in-branch/cross-failing-expand-unentered-map", 0},
  };
  const Suite suite =
      read_suite(find_project(), [&fed](const VectorSummary& vector) { return fed.contains(vector.id); });
  for (const auto& [id, count] : fed) EXPECT_EQ(suite.find(id)->files.fed.size(), count) << id;
}

INSTANTIATE_TEST_SUITE_P(Rewritings, RewritingsOf, testing::Values("onnx", "openvino", "tflite"),
                         [](const auto& system) { return system.param; });

}  // namespace
}  // namespace ifcert::conformance
