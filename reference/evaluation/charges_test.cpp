// A node is counted before its kernel runs. The kernels here do nothing with the elements of their operands.
#include <gtest/gtest.h>

#include <cstdint>
#include <ifcert/reference.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "evaluation/test_models.hpp"

namespace ifcert {
namespace {

/// The limit that ends a run whose time is over, of one node that passes on an operand of `count` numbers. The clock is
/// looked at every 2^20 steps.
std::optional<Limit> limit_of(Node node, std::size_t count) {
  Model model;
  Graph& main = model.graphs.emplace_back();
  const Slot x = main.add_slot("x", Type::tensor(ElementType::float32));
  main.inputs = {x};
  main.outputs = {main.add_slot("y")};
  node.inputs = {x};
  node.outputs = main.outputs;
  main.nodes.push_back(std::move(node));
  return exceeded_limit(Program(std::move(model)), {floats(std::vector<float>(count))}, {.seconds = -1});
}

TEST(Charges, CountTheElementsThatANodeReads) {
  EXPECT_EQ(limit_of(operation("Identity", {}, {}), std::size_t{1} << 18), std::nullopt);
  EXPECT_EQ(limit_of(operation("Identity", {}, {}), std::size_t{1} << 20), Limit::time);
}

TEST(Charges, AreTheCostInTheOperatorsRowForEachElement) {
  Node to_its_own_type = operation("Cast", {}, {});
  to_its_own_type.attributes["to"] = std::int64_t{1};
  EXPECT_EQ(limit_of(to_its_own_type, std::size_t{1} << 15), std::nullopt);
  EXPECT_EQ(limit_of(to_its_own_type, std::size_t{1} << 18), Limit::time);
}

}  // namespace
}  // namespace ifcert
