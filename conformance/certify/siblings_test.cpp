// Both siblings of every vector that a runtime must compute, on the reference: they compute the same. Reading and
// running all takes some ten seconds.
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
  /// Calls `hold` with each vector of the system that a runtime must compute.
  static void for_each_computing(const std::function<void(const Vector&)>& hold) {
    const auto computes = [](const VectorSummary& vector) {
      return vector.system == GetParam() && vector.axis == Axis::computes;
    };
    const Suite suite = read_suite(find_project(), computes);
    std::size_t count = 0;
    for (const Vector& vector : suite.vectors) {
      if (!computes(vector.summary)) continue;
      ++count;
      hold(vector);
    }
    EXPECT_GT(count, 500U);
  }
};

TEST_P(OfSystem, AModelWithoutItsIfsComputesTheSame) {
  for_each_computing([](const Vector& vector) {
    const Siblings made = without_ifs(vector);
    if (!made.all.empty()) return;
    EXPECT_THAT(made.why_not, AnyOf("in one run an If takes both of its branches",
                                    "runs that are made at the same time take different branches",
                                    HasSubstr("the function's calls pass its branches"),
                                    HasSubstr("IR has no operation that copies strings"),
                                    HasSubstr("no operator that copies a quantized value")))
        << vector.summary.id;
  });
}

TEST_P(OfSystem, AModelThatIsWrittenAgainComputesTheSame) {
  for_each_computing([](const Vector& vector) {
    const Siblings made = rewritten(vector);
    if (!made.all.empty()) return;
    EXPECT_THAT(made.why_not, AnyOf(HasSubstr("the graph form holds only the kind of maps"),
                                    HasSubstr("variables, resources and sparse tensors are not written")))
        << vector.summary.id;
  });
}

INSTANTIATE_TEST_SUITE_P(Siblings, OfSystem, testing::Values("onnx", "openvino", "tflite"),
                         [](const auto& system) { return system.param; });

}  // namespace
}  // namespace ifcert::conformance
