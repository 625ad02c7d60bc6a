#include "conformance/suite/fed_tensors.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace ifcert::conformance {
namespace {

using nlohmann::json;

json fed_tensor(const char* name, const char* type, const char* data) {
  return {{"name", name}, {"value", {{"kind", "tensor"}, {"type", type}, {"shape", {1}}, {"data", data}}}};
}

json fed_run(const std::vector<json>& inputs, const json& expected) {
  return {{"run", {{"inputs", inputs}, {"expect", expected}}}};
}

const json any_outputs{{"outputs", json::array()}};

TEST(FedTensors, AreThoseThatAllRunsFeedAlike) {
  const json x = fed_tensor("x", "int8", "Ag==");
  const json steps{{{"load", json::object()}},
                   fed_run({fed_tensor("cond", "bool", "AQ=="), x}, any_outputs),
                   fed_run({fed_tensor("cond", "bool", "AA=="), x}, any_outputs)};
  const std::vector<FedTensor> fed = fed_alike(steps);
  ASSERT_EQ(fed.size(), 1U);
  EXPECT_EQ(fed.front().input, "x");
  EXPECT_EQ(fed.front().dims, std::vector<std::int64_t>{1});
  EXPECT_EQ(fed.front().bytes, "\2");
}

TEST(FedTensors, AreThoseOfAllRunsThatAreMadeAtOnce) {
  const json y = fed_tensor("y", "int8", "Ag==");
  const json runs = json::array({fed_run({fed_tensor("x", "int8", "Ag=="), y}, any_outputs).at("run"),
                                 fed_run({fed_tensor("x", "int8", "Aw=="), y}, any_outputs).at("run")});
  const json step{{"concurrent", {{"runs", runs}}}};
  const std::vector<FedTensor> fed = fed_alike(json::array({step}));
  ASSERT_EQ(fed.size(), 1U);
  EXPECT_EQ(fed.front().input, "y");
}

TEST(FedTensors, AreNotThoseOfARunThatIsToBeRefused) {
  EXPECT_TRUE(
      fed_alike(json::array({fed_run({fed_tensor("x", "int8", "Ag==")}, {{"refused", json::object()}})})).empty());
}

TEST(FedTensors, AreOfWholeBytes) {
  EXPECT_TRUE(fed_alike(json::array({fed_run({fed_tensor("x", "int4", "Ag==")}, any_outputs)})).empty());
}

}  // namespace
}  // namespace ifcert::conformance
