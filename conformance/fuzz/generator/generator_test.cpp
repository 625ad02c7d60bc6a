#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <ifcert/reference.hpp>
#include <limits>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "conformance/fuzz/generator/facts.hpp"
#include "conformance/fuzz/generator/features.hpp"
#include "conformance/fuzz/generator/oracle.hpp"
#include "conformance/fuzz/generator/pairs.hpp"

namespace ifcert::generator {
namespace {

using testing::IsEmpty;

std::string bytes_of_model(std::uint64_t seed) {
  return write_model(generate(seed).model, "model.onnx").front().bytes;
}

TEST(Generator, ASeedDeterminesTheModelAndItsInputs) {
  EXPECT_EQ(bytes_of_model(7), bytes_of_model(7));
  EXPECT_NE(bytes_of_model(7), bytes_of_model(8));
  const Generated once = generate(7);
  const Generated again = generate(7);
  for (std::size_t i = 0; i < once.runs.size(); ++i)
    EXPECT_TRUE(std::ranges::equal(once.runs[i], again.runs[i], same_bits));
}

/// FNV-1a of 64 bits.
std::uint64_t hash_of(std::string_view bytes, std::uint64_t hash) {
  for (const char each : bytes) hash = (hash ^ static_cast<unsigned char>(each)) * 0x100000001b3U;
  return hash;
}

// The number changes with every change of the generator. It is the same for every compiler: release builds use GCC,
// sanitized ones Clang.
TEST(Generator, ASeedDeterminesTheModelForEveryCompiler) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (std::uint64_t seed = 0; seed < 200; ++seed) hash = hash_of(bytes_of_model(seed), hash);
  EXPECT_EQ(hash, 16669895296734200084U);
}

class EachFormat : public testing::TestWithParam<Format> {};

TEST_P(EachFormat, ModelsAreLegalAndComputeInEveryRun) {
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    for (const bool doubtful : {false, true}) {
      const Settings settings{.format = GetParam(), .doubtful = doubtful};
      for (const Finding& finding : examine_alone(generate(seed, settings)))
        ADD_FAILURE() << "seed " << seed << ": " << finding.oracle << ": " << finding.message;
    }
  }
}

TEST_P(EachFormat, NoOracleFindsAnything) {
  for (std::uint64_t seed = 1000; seed < 1100; ++seed) {
    for (const Finding& finding : examine(generate(seed, {.format = GetParam()}), seed).findings)
      ADD_FAILURE() << "seed " << seed << ": " << finding.oracle << ": " << finding.message;
  }
}

/// Far more than a run of a generated model evaluates, far less than the limit of a run in a campaign (computed.cpp).
constexpr std::uint64_t most_nodes_of_a_run = 5'000;

void expect_short_runs(std::uint64_t seed, const Settings& settings = {}) {
  const Generated made = generate(seed, settings);
  Reading reading;
  reading.model = made.model;
  const Program program(made.model, checked(reading).trip_types);
  for (const std::vector<Value>& run : made.runs)
    EXPECT_NO_THROW(program.run(run, {}, {.nodes = most_nodes_of_a_run})) << "seed " << seed;
}

// The trip count of a Loop in this model was a product that overflowed in the generator's own bounds: 2^63 - 5.
TEST(Generator, NoTripCountIsAProductThatOverflows) {
  expect_short_runs(233'571);
}

TEST_P(EachFormat, NoRunComesNearTheLimitOfNodes) {
  for (std::uint64_t seed = 10'000; seed < 13'000; ++seed) expect_short_runs(seed, {.format = GetParam()});
}

TEST(Generator, ABoundDoesNotOverflow) {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(bound_of_sum(most, 0), most);
  EXPECT_EQ(bound_of_sum(most, 8), most);
  EXPECT_EQ(bound_of_product(most, 8), most);
  EXPECT_EQ(bound_of_product(3, 8), 24);
}

TEST_P(EachFormat, AModelCanBeExpressed) {
  for (std::uint64_t seed = 0; seed < 100; ++seed)
    EXPECT_NO_THROW(translate(generate(seed, {.format = GetParam()}).model, GetParam())) << "seed " << seed;
}

TEST_P(EachFormat, NoFeatureIsRare) {
  constexpr std::size_t models = 2000;
  std::map<std::string_view, std::size_t> counts;
  for (std::uint64_t seed = 0; seed < models; ++seed) {
    const Features features = features_of(generate(seed, {.format = GetParam()}));
    for (std::size_t i = 0; i < features.size(); ++i) counts[feature_names[i]] += features[i] ? 1 : 0;
  }
  for (const auto& [reason, names] : absent_features(GetParam())) {
    for (const std::string_view name : names) {
      EXPECT_EQ(counts.at(name), 0U) << name << ", though " << reason;
      counts.erase(name);
    }
  }
  for (const auto& [name, count] : counts) EXPECT_GE(count, models / 100) << name;
}

/// Every pair is in one of the first 10 000 models; here, those that the first 1000 have, and nine tenths of all.
TEST_P(EachFormat, NoPairOfFeaturesIsMissing) {
  const bool all = std::getenv("IFCERT_LONG") != nullptr;
  Pairs pairs;
  for (std::uint64_t seed = 0; seed < (all ? 10'000 : 1'000); ++seed)
    pairs.add(features_of(generate(seed, {.format = GetParam()})));
  const std::vector<Pair> missing = missing_pairs(pairs, GetParam());
  if (!all) {
    EXPECT_LT(missing.size(), possible_pairs(GetParam()).size() / 10);
    return;
  }
  for (const auto& [one, other] : missing) ADD_FAILURE() << feature_names[one] << " + " << feature_names[other];
}

/// A pair that is excluded has a reason; a model that has it after all shows that the reason is wrong.
TEST_P(EachFormat, NoExcludedPairIsThere) {
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    Pairs pairs;
    pairs.add(features_of(generate(seed, {.format = GetParam()})));
    for (const Pair& pair : excluded_pairs(GetParam()))
      EXPECT_EQ(pairs.count(pair), 0U) << "seed " << seed << ": " << feature_names[pair.first] << " + "
                                       << feature_names[pair.second];
  }
}

INSTANTIATE_TEST_SUITE_P(Generator, EachFormat, testing::Values(Format::onnx, Format::openvino, Format::tflite));

/// ONNX IR, Graphs: "The main graph inputs and outputs are required to have a shape, indicating the rank".
TEST(Generator, OnnxMainGraphsDeclareTheRanksOfTheirInputsAndOutputs) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    const Model model = generate(seed).model;
    const Graph& main = model.graphs.front();
    for (const std::vector<Slot>& slots : {main.inputs, main.outputs}) {
      for (const Slot slot : slots) {
        const Type& type = main.slots[slot].declared;
        EXPECT_TRUE(!type.is_tensor() || type.shape) << "seed " << seed << ": " << main.slots[slot].name;
      }
    }
  }
}

/// Whether the model returns something else where every If takes its other branch.
bool shows_exchanged_branches(const Generated& generated) {
  Model exchanged = generated.model;
  for (Graph& graph : exchanged.graphs) {
    for (Node& node : graph.nodes) {
      if (node.op == "If" && !node.call) std::swap(node.bodies[0], node.bodies[1]);
    }
  }
  const Program program(generated.model);
  const Program other(exchanged);
  try {
    return std::ranges::any_of(generated.runs, [&](const std::vector<Value>& run) {
      return !std::ranges::equal(program.run(run), other.run(run), same_bits);
    });
  } catch (const EvaluationError&) {  // a branch that cannot run
    return true;
  }
}

TEST(Generator, MoreThanHalfOfTheModelsShowWhichBranchWasTaken) {
  int shown = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) shown += shows_exchanged_branches(generate(seed)) ? 1 : 0;
  EXPECT_GT(shown, 150);
}

TEST(Generator, AModelThatComputesSomethingElseIsFound) {
  Generated generated = generate(1);
  // In the second run the reference is told that the first input has no value.
  generated.runs[1].pop_back();
  EXPECT_THAT(examine_alone(generated), testing::Not(IsEmpty()));
}

}  // namespace
}  // namespace ifcert::generator
