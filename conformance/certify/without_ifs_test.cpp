// Every computing vector, on the reference: its model without the If computes the same. Reading and running all takes
// some ten seconds.
#include "conformance/certify/without_ifs.hpp"

#include <gmock/gmock.h>

#include <string>

#include "conformance/system/project.hpp"

namespace ifcert::conformance {
namespace {

using testing::AnyOf;
using testing::HasSubstr;

/// Every vector of this system that a runtime must compute has siblings, which are legal and compute the same, unless
/// no model without an If can.
void expect_siblings(const std::string& system) {
  const Suite suite = read_suite(find_project(), [&](const VectorSummary& vector) {
    return vector.system == system && vector.axis == Axis::computes;
  });
  std::size_t with_siblings = 0;
  for (const Vector& vector : suite.vectors) {
    if (vector.summary.system != system || vector.summary.axis != Axis::computes) continue;
    const SiblingsWithoutIfs made = without_ifs(vector);
    with_siblings += made.siblings.empty() ? 0U : 1U;
    if (!made.siblings.empty()) continue;
    EXPECT_THAT(made.why_not, AnyOf("in one run an If takes both of its branches",
                                    "runs that are made at the same time take different branches",
                                    HasSubstr("the function's calls pass its branches"),
                                    HasSubstr("no operator that copies a quantized value")))
        << vector.summary.id;
  }
  EXPECT_GT(with_siblings, 500U);
}

TEST(WithoutIfs, AnOnnxModelComputesTheSame) {
  expect_siblings("onnx");
}

TEST(WithoutIfs, ATfliteModelComputesTheSame) {
  expect_siblings("tflite");
}

}  // namespace
}  // namespace ifcert::conformance
