#include "conformance/certify/kept_results.hpp"

#include <gmock/gmock.h>

#include "conformance/system/error.hpp"

namespace ifcert::conformance {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::ThrowsMessage;

constexpr const char* then = "2024-01-01T00:00:00Z";

/// Three vectors: an illegal one, its twin, and another.
Suite three() {
  Suite suite{.digest = std::string(64, 'a'), .vectors = std::vector<Vector>(3)};
  const std::vector<std::string> ids{"illegal", "legal", "other"};
  for (std::size_t i = 0; i < 3; ++i) {
    suite.vectors[i].summary.id = ids[i];
    suite.vectors[i].digest = "digest of " + ids[i];
    suite.indices.emplace(ids[i], i);
  }
  suite.vectors[0].summary.twin = "legal";
  return suite;
}

Vector& named(const char* id, Suite& suite) {
  return suite.vectors[suite.indices.at(id)];
}

Certification plan_for(const Suite& suite) {
  Certification plan;
  plan.version = "0.1.0";
  plan.manifest_digest = suite.digest;
  plan.started = "2024-01-02T00:00:00Z";
  plan.limits = {{"timeout_s", 30}, {"jobs", 2}};
  plan.isolation = {{"network", "none"}};
  plan.adapters.emplace_back().name = "a";
  plan.vectors = summaries(suite);
  return plan;
}

/// A finished run of the three, on a day before.
Part earlier() {
  const Suite suite = three();
  Part part{"out/results.jsonl", plan_for(suite)};
  Certification& certification = part.certification;
  certification.started = then;
  certification.limits["jobs"] = 1;
  certification.wall_times["a"].seconds = 3;
  for (const Vector& vector : suite.vectors) {
    Result& result = certification.results.emplace_back();
    result.adapter = "a";
    result.vector = vector.summary.id;
    result.verdict = Verdict::pass;
    result.vector_digest = digest_with_twin(suite, vector);
  }
  return part;
}

/// The vectors whose results are kept where the suite is now this one.
std::vector<std::string> kept(const Suite& now, Part part = earlier()) {
  std::vector<std::string> vectors;
  for (const Result& result : kept_results(now, plan_for(now), std::move(part)).results)
    vectors.push_back(result.vector);
  return vectors;
}

/// The suite with another manifest and, if it is named, one vector changed.
Suite changed(const char* id = nullptr) {
  Suite suite = three();
  suite.digest = std::string(64, 'b');
  if (id != nullptr) named(id, suite).digest = "another digest";
  return suite;
}

TEST(KeptResults, AreThoseOfVectorsThatHaveNotChanged) {
  EXPECT_THAT(kept(three()), ElementsAre("illegal", "legal", "other"));
  EXPECT_THAT(kept(changed()), ElementsAre("illegal", "legal", "other"));
  EXPECT_THAT(kept(changed("other")), ElementsAre("illegal", "legal"));
  EXPECT_THAT(kept(changed("illegal")), ElementsAre("legal", "other"));
}

TEST(KeptResults, AreNotThoseOfVectorsWhoseTwinHasChanged) {
  EXPECT_THAT(kept(changed("legal")), ElementsAre("other"));
  Suite without_twin = changed();
  named("illegal", without_twin).summary.twin = "other";
  EXPECT_THAT(kept(without_twin), ElementsAre("legal", "other"));
}

TEST(KeptResults, AreNotThoseOfVectorsThatWereWithdrawnOrAreNotSelected) {
  Suite fewer = changed();
  fewer.vectors.pop_back();
  fewer.indices.erase("other");
  EXPECT_THAT(kept(fewer), ElementsAre("illegal", "legal"));
  Certification plan = plan_for(three());
  plan.vectors.erase(plan.vectors.begin());
  EXPECT_EQ(kept_results(three(), plan, earlier()).results.size(), 2U);
}

TEST(KeptResults, AreNotThoseOfVectorsThatCannotBeUsedAnyMore) {
  Suite damaged = three();
  named("other", damaged).digest.clear();
  EXPECT_THAT(kept(damaged), ElementsAre("illegal", "legal"));
}

TEST(KeptResults, OfAFileWithoutDigestsAreAllOrNoneAsItsManifestIs) {
  Part old = earlier();
  for (Result& result : old.certification.results) result.vector_digest.clear();
  EXPECT_THAT(kept(three(), old), ElementsAre("illegal", "legal", "other"));
  EXPECT_THAT(kept(changed(), old), IsEmpty());
}

TEST(KeptResults, SayOfTheVectorAndItsTwinHowTheRuntimeBehaved) {
  Part unjudged = earlier();
  for (const Verdict verdict : {Verdict::adapter, Verdict::harness, Verdict::not_run}) {
    unjudged.certification.results[1].verdict = verdict;
    EXPECT_THAT(kept(three(), unjudged), ElementsAre("other"));
  }
}

TEST(KeptResults, AreOfTheSameIfcertWithTheSameSettingsOnTheSameRuntimes) {
  const auto refusal = [](const auto& change, const char* why) {
    Certification plan = plan_for(three());
    change(plan);
    EXPECT_THAT(
        [&] { kept_results(three(), plan, earlier()); },
        ThrowsMessage<Error>(HasSubstr(std::string("out/results.jsonl has the results of another run: ") + why)));
  };
  refusal([](Certification& plan) { plan.version = "0.2.0"; }, R"(ifcert is "0.1.0" there and "0.2.0" here)");
  refusal([](Certification& plan) { plan.limits["timeout_s"] = 20; }, "limits.timeout_s is 30 there and 20 here");
  refusal([](Certification& plan) { plan.limits["rewritings"] = 3; }, "limits.rewritings is nothing there and 3 here");
  refusal([](Certification& plan) { plan.isolation["network"] = "shared"; }, "isolation.network is");
  refusal([](Certification& plan) { plan.shard = "1/2"; }, "shard is");
  refusal([](Certification& plan) { plan.adapters[0].digest = "other"; }, "adapters.0.digest is");
  refusal([](Certification& plan) { plan.adapters[0].files = "other"; }, "adapters.0.files is");
}

TEST(KeptResults, AreOfTheSameAdapters) {
  Certification plan = plan_for(three());
  plan.adapters.emplace_back().name = "b";
  EXPECT_THAT([&] { kept_results(three(), plan, earlier()); },
              ThrowsMessage<Error>(HasSubstr("out/results.jsonl has the results of a; this run is of a, b (to run")));
}

TEST(KeptResults, AreOfARuntimeThatDeclaresTheSame) {
  AdapterIdentity adapter = earlier().certification.adapters.front();
  adapter.folder = "elsewhere";
  EXPECT_NO_THROW(require_same_runtime(earlier().certification, adapter));
  EXPECT_EQ(kept_identity(earlier().certification, adapter).folder, "elsewhere");
  adapter.unsupported_features = {"while"};
  EXPECT_THAT([&] { require_same_runtime(earlier().certification, adapter); },
              ThrowsMessage<Error>(HasSubstr("different runtimes: cannot")));
}

/// What add_kept_results() makes of a run of the vector in the middle.
Certification with_kept(Certification kept) {
  std::erase_if(kept.results, [](const Result& result) { return result.vector == "legal"; });
  Certification whole = plan_for(three());
  whole.results = {earlier().certification.results[1]};
  whole.wall_times["a"].seconds = 2;
  add_kept_results(kept, whole);
  return whole;
}

TEST(KeptResults, StandAmongTheOthersInTheOrderOfTheManifest) {
  const Certification whole = with_kept(earlier().certification);
  ASSERT_EQ(whole.results.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(whole.results[i].vector, three().vectors[i].summary.id);
  EXPECT_EQ(whole.wall_times.at("a").seconds, 5);
}

TEST(KeptResults, AreCountedSinceTheFirstRunOfWhichTheyMayBe) {
  Certification before = earlier().certification;
  EXPECT_EQ(kept_text(with_kept(before)), "2 of 3 results are of earlier runs, since 2024-01-01T00:00:00Z");
  before.kept = {1, "2023-12-01T00:00:00Z"};
  EXPECT_EQ(with_kept(before).kept.since, "2023-12-01T00:00:00Z");
  before.results.clear();
  EXPECT_EQ(kept_text(with_kept(before)), "");
}

}  // namespace
}  // namespace ifcert::conformance
