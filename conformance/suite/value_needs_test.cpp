#include "conformance/suite/value_needs.hpp"

#include <gmock/gmock.h>

namespace ifcert::conformance {
namespace {

using nlohmann::json;

json tensor(const char* type, const json& shape) {
  return {{"kind", "tensor"}, {"type", type}, {"shape", shape}, {"data", ""}};
}

json named(const char* name, const json& value) {
  return {{"name", name}, {"value", value}};
}

VectorSummary vector(Axis axis, const json& step) {
  VectorSummary vector;
  vector.axis = axis;
  vector.steps = json::array({{{"load", {{"expect", {{"loaded", json::object()}}}}}}, step});
  return vector;
}

const json outputs = {{"outputs", json::array({named("y", tensor("bool", json::array({0, 2})))})}};
const json run = {{"inputs", json::array({named("x", tensor("int64", json::array({2})))})}, {"expect", outputs}};

TEST(ValueNeeds, NameEachTypeWithItsDirectionAndTensorsWithoutElements) {
  EXPECT_EQ(value_needs(vector(Axis::computes, {{"run", run}})),
            json::array({"input:tensor(int64)", "output:no-elements", "output:tensor(bool)"}));
}

TEST(ValueNeeds, NameAnOptionalWithoutAValue) {
  const json absent{{"kind", "optional"}, {"of", "tensor(float32)"}, {"absent", true}};
  const json returns_nothing{{"inputs", json::array()}, {"expect", {{"outputs", json::array({named("y", absent)})}}}};
  EXPECT_EQ(value_needs(vector(Axis::computes, {{"run", returns_nothing}})),
            json::array({"output:absent", "output:optional(tensor(float32))"}));
}

TEST(ValueNeeds, CoverConcurrentRunsAndOutcomesInDoubt) {
  json doubtful = run;
  doubtful["expect"] = {{"either", json::array({outputs, {{"refused", json::object()}}})},
                        {"reason", "the text is silent"}};
  EXPECT_EQ(value_needs(vector(Axis::open, {{"concurrent", {{"runs", json::array({doubtful, doubtful})}}}})),
            json::array({"input:tensor(int64)", "output:no-elements", "output:tensor(bool)"}));
}

TEST(ValueNeeds, AreNoneWhereARunMustBeRefused) {
  EXPECT_EQ(value_needs(vector(Axis::diagnoses, {{"run", run}})), json::array());
}

}  // namespace
}  // namespace ifcert::conformance
