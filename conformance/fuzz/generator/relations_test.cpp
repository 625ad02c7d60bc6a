// Each relation changes the model as its name says, and the model returns the same values as before.
#include "conformance/fuzz/generator/relations.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <ifcert/reference.hpp>
#include <set>
#include <string>

namespace ifcert::generator {
namespace {

std::size_t count_of(const Model& model, std::string_view op) {
  std::size_t count = 0;
  for (const Graph& graph : model.graphs)
    count += static_cast<std::size_t>(std::ranges::count(graph.nodes, op, &Node::op));
  return count;
}

/// The first generated model that the relation changes, before and after.
struct Changed {
  Generated before;
  Related after;
};

Changed changed_by(std::string_view name) {
  for (std::uint64_t seed = 0;; ++seed) {
    Generated before = generate(seed);
    Random random(seed);
    if (auto after = find_relation(name)->relate(before, random)) return {std::move(before), *std::move(after)};
  }
}

class EachRelation : public testing::TestWithParam<Relation> {};

TEST_P(EachRelation, TheChangedModelReturnsTheSame) {
  std::size_t changed = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const Generated before = generate(seed);
    Random random(seed);
    const auto after = GetParam().relate(before, random);
    if (!after) continue;
    ++changed;
    const std::vector<Diagnostic> found = check(after->model);
    ASSERT_TRUE(found.empty()) << "seed " << seed << ": " << to_string(found.front());
    const Program first(before.model);
    const Program second(after->model);
    for (const RelatedRun& run : after->runs) {
      EXPECT_TRUE(std::ranges::equal(first.run(before.runs[run.number]), second.run(run.inputs), same_bits))
          << "seed " << seed << ", run " << run.number;
    }
  }
  EXPECT_GT(changed, 5U);
}

INSTANTIATE_TEST_SUITE_P(Relations, EachRelation, testing::ValuesIn(all_relations().begin(), all_relations().end()),
                         [](const auto& each) {
                           std::string name(each.param.name);
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

TEST(Relations, NegateCondsAddsANotForEachIf) {
  const Changed changed = changed_by("negate-conds");
  EXPECT_EQ(count_of(changed.after.model, "Not"),
            count_of(changed.before.model, "Not") + count_of(changed.before.model, "If"));
}

TEST(Relations, FixCondsRemovesInputs) {
  const Changed changed = changed_by("fix-conds");
  EXPECT_LT(changed.after.model.main().inputs.size(), changed.before.model.main().inputs.size());
  EXPECT_EQ(changed.after.runs.size(), 1U);
}

TEST(Relations, FeedCondsAddsInputs) {
  const Changed changed = changed_by("feed-conds");
  EXPECT_GT(changed.after.model.main().inputs.size(), changed.before.model.main().inputs.size());
}

TEST(Relations, WrapInIfLeavesOneNodeInTheMainGraph) {
  const Changed changed = changed_by("wrap-in-if");
  ASSERT_EQ(changed.after.model.main().nodes.size(), 1U);
  EXPECT_EQ(changed.after.model.main().nodes.front().op, "If");
}

TEST(Relations, CopyCapturesAddsIdentities) {
  const Changed changed = changed_by("copy-captures");
  EXPECT_GT(count_of(changed.after.model, "Identity"), count_of(changed.before.model, "Identity"));
}

TEST(Relations, InlineCallsLeavesNoFunction) {
  const Changed changed = changed_by("inline-calls");
  EXPECT_FALSE(changed.before.model.functions.empty());
  EXPECT_TRUE(changed.after.model.functions.empty());
}

TEST(Relations, RenameEverythingKeepsNoName) {
  const auto names_of = [](const Model& model) {
    std::set<std::string> names;
    for (const Graph& graph : model.graphs) {
      for (const SlotInfo& slot : graph.slots) names.insert(slot.name);
    }
    return names;
  };
  const Changed changed = changed_by("rename-everything");
  const std::set<std::string> before = names_of(changed.before.model);
  for (const std::string& name : names_of(changed.after.model)) EXPECT_FALSE(before.contains(name)) << name;
}

TEST(Relations, PermuteNodesChangesTheOrder) {
  const auto ops_of = [](const Model& model) {
    std::vector<std::string> ops;
    for (const Node& node : model.main().nodes) ops.push_back(node.op);
    return ops;
  };
  std::size_t permuted = 0;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const Generated before = generate(seed);
    Random random(seed);
    const auto after = find_relation("permute-nodes")->relate(before, random);
    EXPECT_THAT(ops_of(after->model), testing::UnorderedElementsAreArray(ops_of(before.model)));
    permuted += ops_of(after->model) == ops_of(before.model) ? 0 : 1;
  }
  EXPECT_GT(permuted, 25U);
}

}  // namespace
}  // namespace ifcert::generator
