// Random models without the Ifs that their runs decide.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "conformance/fuzz/generator/computed.hpp"
#include "conformance/fuzz/generator/generate.hpp"
#include "convert/conversion_agreement.hpp"
#include "specialise/specialisation_agreement.hpp"

namespace ifcert::generator {
namespace {

/// Each decision, or not, by chance.
Decisions some_of(const Decisions& all, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  Decisions some;
  for (const auto& decision : all) {
    if (random() % 2 == 0) some.insert(decision);
  }
  return some;
}

/// Whether a call passes graphs: a function's Ifs are not replaced then.
bool passes_graphs(const Model& model) {
  return std::ranges::any_of(model.graphs, [](const Graph& graph) {
    return std::ranges::any_of(graph.nodes, [](const Node& node) { return node.call && node.bodies.size() > 1; });
  });
}

class SpecialisedModels : public testing::TestWithParam<Format> {};

TEST_P(SpecialisedModels, ComputeWhatTheyDid) {
  constexpr std::uint64_t count = 200;
  std::size_t decided = 0;
  std::size_t refused = 0;
  for (std::uint64_t seed = 0; seed < count; ++seed) {
    const Generated made = generate(seed, {.format = GetParam(), .rare_forms = true});
    const std::vector<WrittenFile> files = write_model(made.model, model_name(GetParam()));
    std::vector<WrittenFile> edited = files;  // of the last specialisation, for as long as it is read
    const Program program(read_again(files).model);
    const std::string& bytes = files.back().bytes;
    const auto read = [&](const std::string& text) {
      edited.back().bytes = text;
      return read_again(edited);
    };
    for (std::size_t i = 0; i < made.runs.size(); ++i) {
      const auto runs = std::span(made.runs).subspan(i, 1);
      const SpecialisationAgreement agreement(program, std::as_bytes(std::span(bytes)), runs, read);
      try {
        ASSERT_EQ(agreement.fault_of(agreement.decisions()), "") << "seed " << seed;
        ASSERT_EQ(agreement.fault_of(some_of(agreement.decisions(), seed)), "") << "seed " << seed;
        decided += agreement.decisions().size();
      } catch (const Inexpressible&) {
        refused += passes_graphs(made.model) ? 0 : 1;
      }
    }
  }
  EXPECT_GT(decided, count);
  EXPECT_LT(refused, count / 20);
}

INSTANTIATE_TEST_SUITE_P(Formats, SpecialisedModels, testing::Values(Format::onnx, Format::openvino, Format::tflite),
                         [](const auto& info) { return model_name(info.param).substr(6); });

}  // namespace
}  // namespace ifcert::generator
