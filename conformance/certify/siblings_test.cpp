// Both siblings of every vector that a runtime must compute, on the reference: they compute the same. Reading and
// running all takes some ten seconds each time.
#include "conformance/certify/siblings.hpp"

#include <gmock/gmock.h>

#include <functional>
#include <string>

#include "conformance/system/project.hpp"

namespace ifcert::conformance {
namespace {

using testing::AnyOf;
using testing::HasSubstr;

class OfSystem : public testing::TestWithParam<std::string> {
 protected:
  /// Calls `hold` with each vector of the system on this axis.
  static void for_each(Axis axis, const std::function<void(const Vector&)>& hold) {
    const auto is_wanted = [axis](const VectorSummary& vector) {
      return vector.system == GetParam() && vector.axis == axis;
    };
    const Suite suite = read_suite(find_project(), is_wanted);
    std::size_t count = 0;
    for (const Vector& vector : suite.vectors) {
      if (!is_wanted(vector.summary)) continue;
      ++count;
      hold(vector);
    }
    EXPECT_GT(count, 20U);
  }
};

TEST_P(OfSystem, AModelWithoutItsIfsComputesTheSame) {
  for_each(Axis::computes, [](const Vector& vector) {
    const Siblings made = without_ifs(vector);
    if (!made.all.empty()) return;
    EXPECT_THAT(made.why_not, AnyOf("the model has no If", "in one run an If takes both of its branches",
                                    "runs that are made at the same time take different branches",
                                    HasSubstr("the function's calls pass its branches"),
                                    HasSubstr("IR has no operation that copies strings"),
                                    HasSubstr("no operator that copies a quantized value")))
        << vector.summary.id;
  });
}

/// Why no conds are returned, though the model without its Ifs is there.
bool is_about_conds(const std::string& why_not) {
  return why_not == "no node of the main graph makes a cond of an If there" ||
         why_not == "a run may have several outcomes, and with them several conds";
}

TEST_P(OfSystem, AModelWithoutItsIfsCanReturnTheConds) {
  std::size_t count = 0;
  for_each(Axis::computes, [&](const Vector& vector) {
    const Siblings made = with_conds(vector).without_ifs;
    if (!made.all.empty()) {
      ++count;
    } else if (!is_about_conds(made.why_not)) {
      EXPECT_EQ(made.why_not, without_ifs(vector).why_not) << vector.summary.id;
    }
  });
  EXPECT_GT(count, 50U);
}

TEST_P(OfSystem, AModelThatIsWrittenAgainComputesTheSame) {
  for_each(Axis::computes, [](const Vector& vector) {
    const Siblings made = rewritten(vector);
    if (!made.all.empty()) return;
    EXPECT_THAT(made.why_not, AnyOf(HasSubstr("the graph form holds only the kind of maps"),
                                    HasSubstr("variables, resources and sparse tensors are not written")))
        << vector.summary.id;
  });
}

TEST_P(OfSystem, AModelOfAnOpenVectorHasSiblingsOrAReason) {
  for_each(Axis::open, [](const Vector& vector) {
    for (const Siblings& made : {without_ifs(vector), rewritten(vector)})
      EXPECT_EQ(made.all.empty(), !made.why_not.empty()) << vector.summary.id;
  });
}

INSTANTIATE_TEST_SUITE_P(Siblings, OfSystem, testing::Values("onnx", "openvino", "tflite"),
                         [](const auto& system) { return system.param; });

}  // namespace
}  // namespace ifcert::conformance
