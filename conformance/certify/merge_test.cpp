#include "conformance/certify/merge.hpp"

#include <gmock/gmock.h>

#include <algorithm>

#include "conformance/suite/selection.hpp"
#include "conformance/system/error.hpp"

namespace ifcert::conformance {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

/// Seven vectors, all of one system.
Suite seven() {
  Suite suite{.digest = std::string(64, 'a'), .vectors = std::vector<Vector>(7)};
  for (std::size_t i = 0; i < 7; ++i) suite.vectors[i].summary.id = std::to_string(i);
  return suite;
}

/// The result of certify for that shard on two adapters.
Part part(const Shard& shard) {
  Part part{shard.text() + "/results.jsonl", {}};
  Certification& certification = part.certification;
  certification.manifest_digest = seven().digest;
  certification.started = std::to_string(shard.number);
  certification.ended = std::to_string(shard.number + 4);
  certification.shard = shard.text();
  certification.limits = {{"timeout_s", 30}, {"jobs", shard.number}};
  for (const char* name : {"a", "b"}) {
    AdapterIdentity& adapter = certification.adapters.emplace_back();
    adapter.name = name;
    for (const VectorSummary& vector : selected(summaries(seven()), {}, shard)) {
      Result& result = certification.results.emplace_back();
      result.adapter = name;
      result.vector = vector.id;
    }
  }
  return part;
}

/// Three shards, the second changed by `change`.
template <class Change>
void expect_refusal(const Change& change, const char* why) {
  std::vector<Part> parts{part({1, 3}), part({2, 3}), part({3, 3})};
  change(parts);
  EXPECT_THAT([&] { merge(seven(), parts); }, ThrowsMessage<Error>(HasSubstr(why)));
}

TEST(Merge, OfAllShardsIsTheWhole) {
  const Certification whole = merge(seven(), {part({3, 3}), part({1, 3}), part({2, 3})});
  EXPECT_EQ(whole.shard, "");
  EXPECT_EQ(whole.started, "1");
  EXPECT_EQ(whole.ended, "7");
  EXPECT_EQ(whole.limits, nlohmann::json({{"timeout_s", 30}}));  // the jobs differ
  EXPECT_EQ(whole.vectors.size(), 7U);
  ASSERT_EQ(whole.results.size(), 14U);
  for (std::size_t i = 0; i < 14; ++i) {
    EXPECT_EQ(whole.results[i].adapter, i < 7 ? "a" : "b");
    EXPECT_EQ(whole.results[i].vector, std::to_string(i % 7));
  }
}

TEST(Merge, AddsUpHowManyResultsAreOfEarlierRuns) {
  std::vector<Part> parts{part({1, 3}), part({2, 3}), part({3, 3})};
  EXPECT_EQ(merge(seven(), parts).kept.results, 0U);
  parts[1].certification.kept = {2, "b"};
  parts[2].certification.kept = {1, "a"};
  const KeptCount kept = merge(seven(), parts).kept;
  EXPECT_EQ(kept.results, 3U);
  EXPECT_EQ(kept.since, "a");
}

TEST(Merge, AcceptsAWhole) {
  EXPECT_EQ(merge(seven(), {part({})}).results.size(), 14U);
}

/// The part without one of its two adapters.
Part without(const char* adapter, Part part) {
  std::erase_if(part.certification.adapters, [&](const AdapterIdentity& each) { return each.name == adapter; });
  std::erase_if(part.certification.results, [&](const Result& each) { return each.adapter == adapter; });
  return part;
}

TEST(Merge, JoinsCertificationsOfDifferentAdapters) {
  const Certification apart =
      merge(seven(), {without("b", part({2, 2})), without("a", part({1, 3})), without("a", part({3, 3})),
                      without("b", part({1, 2})), without("a", part({2, 3}))});
  const Certification whole = merge(seven(), {part({})});
  ASSERT_EQ(apart.results.size(), 14U);
  EXPECT_EQ(apart.vectors.size(), 7U);
  for (std::size_t i = 0; i < 2; ++i) EXPECT_EQ(apart.adapters.at(i).name, whole.adapters.at(i).name);
  for (std::size_t i = 0; i < 14; ++i) {
    EXPECT_EQ(apart.results[i].adapter, whole.results[i].adapter);
    EXPECT_EQ(apart.results[i].vector, whole.results[i].vector);
  }
}

TEST(Merge, RefusesAdaptersOfDifferentRuns) {
  std::vector<Part> parts{without("b", part({})), without("a", part({1, 2}))};
  EXPECT_THAT([&] { merge(seven(), parts); }, ThrowsMessage<Error>(HasSubstr("shard 2/2 is missing")));
  parts[1] = without("a", part({}));
  parts[1].certification.limits["timeout_s"] = 20;
  EXPECT_THAT([&] { merge(seven(), parts); },
              ThrowsMessage<Error>(HasSubstr("different runs: limits.timeout_s is 20 there and 30 here")));
}

TEST(Merge, RefusesGaps) {
  expect_refusal([](auto& parts) { parts.pop_back(); }, "shard 3/3 is missing");
  expect_refusal([](auto& parts) { parts[1].certification.results.pop_back(); },
                 "2/3/results.jsonl has no result of 4 on b");
  expect_refusal([](auto& parts) { parts.clear(); }, "nothing to merge");
}

TEST(Merge, RefusesOverlaps) {
  expect_refusal([](auto& parts) { parts[1] = parts[0]; }, "overlap: both are shard 1/3");
  expect_refusal([](auto& parts) { parts = {part({}), part({})}; }, "overlap: both are the whole");
  expect_refusal([](auto& parts) { parts[1] = part({2, 4}); }, "2/4/results.jsonl is one of 4 shards");
  expect_refusal([](auto& parts) { parts[1].certification.results.push_back(parts[0].certification.results.front()); },
                 "2/3/results.jsonl has a result of 0 on a, which it does not select");
}

TEST(Merge, RefusesPartsOfDifferentRuns) {
  expect_refusal([](auto& parts) { parts[1].certification.manifest_digest[0] = 'b'; },
                 "was made with the manifest baaa");
  expect_refusal([](auto& parts) { parts[1].certification.limits["timeout_s"] = 20; },
                 "different runs: limits.timeout_s is 20 there and 30 here");
  expect_refusal([](auto& parts) { parts[1].certification.adapters[0].version = "2"; }, "adapters.0.version");
  expect_refusal([](auto& parts) { parts[1].certification.adapters[0].digest = "2"; }, "adapters.0.digest");
  expect_refusal(
      [](auto& parts) {
        parts[1].certification.adapters.pop_back();
        std::erase_if(parts[1].certification.results, [](const Result& result) { return result.adapter == "b"; });
      },
      "adapters.1.name is nothing there and \"b\" here");
  expect_refusal([](auto& parts) { parts[1].certification.adapters[0].runtime = "Other"; },
                 "were run on different runtimes: runtime is \"Other\" there");
}

TEST(Merge, RefusesOtherSelectors) {
  expect_refusal([](auto& parts) { parts[1].certification.selector = "--vector '[1-6]'"; }, "2/3/results.jsonl");
  expect_refusal([](auto& parts) { parts[1].certification.selector = "all"; }, "'all' is not a selector");
  expect_refusal([](auto& parts) { parts[1].certification.selector = "--vector '*'"; }, "selector is \"--vector '*'\"");
}

}  // namespace
}  // namespace ifcert::conformance
