#include "conformance/runtimes/session.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "conformance/certify/trial.hpp"
#include "conformance/suite/suite.hpp"
#include "conformance/system/schema.hpp"
#include "conformance/testing/test_project.hpp"

namespace ifcert::conformance {
namespace {

TEST(Session, IsFreshUntilItsProcessIsGivenAModel) {
  const TestProject project;
  std::ofstream(project.project().vectors() / "onnx/generated/test/negate/a-before.onnx") << "damaged";
  const Suite suite = read_suite(project.project());
  const Adapter adapter = project.adapter("honest");
  const Schema answers(project.project().protocol("answer.schema.json"));
  Session session(project.project(), adapter, answers, Limits{});
  EXPECT_TRUE(session.is_fresh());
  EXPECT_EQ(try_vector(session, suite.vectors.at(0)).result.verdict, Verdict::harness);
  EXPECT_TRUE(session.is_fresh()) << "no process was started for a vector with damaged files";
  EXPECT_FALSE(session.start()) << "there was no failure";
  EXPECT_TRUE(session.is_fresh()) << "only hello was exchanged";
  EXPECT_EQ(try_vector(session, suite.vectors.at(1)).result.verdict, Verdict::pass);
  EXPECT_FALSE(session.is_fresh());
}

}  // namespace
}  // namespace ifcert::conformance
