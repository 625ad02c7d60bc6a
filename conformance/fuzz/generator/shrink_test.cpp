#include "conformance/fuzz/generator/shrink.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ifcert/reference.hpp>

#include "conformance/fuzz/generator/computed.hpp"
#include "model/node_kind.hpp"

namespace ifcert::generator {
namespace {

std::string name(Format format) {
  return format == Format::openvino ? "IR" : "TensorFlow Lite";
}

/// Whether the model is legal and computes.
bool is_sound(const Generated& candidate) {
  try {
    return computed(candidate.model, "model.onnx", candidate.runs).fault.empty();
  } catch (const Inexpressible&) {
    return false;
  }
}

template <class Fits>
bool has_node(const Model& model, const Fits& fits) {
  return std::ranges::any_of(model.graphs, [&](const Graph& graph) { return std::ranges::any_of(graph.nodes, fits); });
}

bool has_if_in_if(const Model& model) {
  return has_node(model, [&](const Node& node) {
    const auto holds_if = [&](const Body& body) { return std::ranges::any_of(model.graphs[body.graph].nodes, is_if); };
    return is_if(node) && std::ranges::any_of(node.bodies, holds_if);
  });
}

bool has_op(const Model& model, const std::string& op) {
  return has_node(model, [&](const Node& node) { return node.op == op; });
}

/// The nodes that are neither constants nor copies.
std::size_t count_of_operations(const Model& model) {
  std::size_t count = 0;
  for (const Graph& graph : model.graphs) {
    count += static_cast<std::size_t>(std::ranges::count_if(
        graph.nodes, [](const Node& node) { return node.op != "Identity" && node.op != "Constant"; }));
  }
  return count;
}

/// Shrinks the generated models for which `has` is true. The smallest ones must be sound, must still have it, and must
/// not have more than `most` operations.
template <class Has>
void expect_small(std::size_t most, const Has& has) {
  std::size_t shrunk = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const Generated generated = generate(seed);
    if (!has(generated.model)) continue;
    ++shrunk;
    const Shrunk result =
        shrink(generated, [&](const Generated& candidate) { return has(candidate.model) && is_sound(candidate); });
    EXPECT_TRUE(has(result.smallest.model) && is_sound(result.smallest)) << "seed " << seed;
    EXPECT_LE(count_of_operations(result.smallest.model), most) << "seed " << seed << ", " << result.tries << " tries";
    EXPECT_EQ(result.smallest.runs.size(), 1U);
  }
  EXPECT_GT(shrunk, 3U);
}

TEST(Shrink, AnIfInAnIfIsLeftWithHardlyAnythingElse) {
  expect_small(6, has_if_in_if);
}

TEST(Shrink, ALoopIsLeftWithHardlyAnythingElse) {
  expect_small(2, [](const Model& model) { return has_op(model, "Loop"); });
}

TEST(Shrink, AnOperatorIsTakenOutOfBranches) {
  expect_small(3, [](const Model& model) { return has_op(model, "Transpose"); });
}

TEST(Shrink, WhatNeedsNothingLosesEverything) {
  const auto anything = [](const Generated& candidate) { return is_sound(candidate); };
  const Shrunk result = shrink(generate(3), anything);
  EXPECT_LE(count_of_nodes(result.smallest.model), 1U);
  EXPECT_TRUE(result.complete);
}

TEST(Shrink, CandidatesThatAreNotLegalAreNotTranslated) {
  for (const Format format : {Format::openvino, Format::tflite}) {
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
      const auto shows = [&](const Generated& candidate) {
        if (!has_node(candidate.model, is_if)) return false;
        try {
          return computed(candidate.model, model_name(format), candidate.runs).fault.empty();
        } catch (const Inexpressible&) {
          return false;
        }
      };
      const Shrunk result = shrink(generate(seed, {.format = format}), shows, {.tries = 300});
      EXPECT_TRUE(shows(result.smallest)) << "seed " << seed;
    }
  }
}

TEST(Shrink, ModelsOfOtherFormatsBecomeSmallToo) {
  for (const Format format : {Format::openvino, Format::tflite}) {
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
      const auto shows = [&](const Generated& candidate) {
        if (!has_node(candidate.model, is_if)) return false;
        try {
          return computed(candidate.model, model_name(format), candidate.runs).fault.empty();
        } catch (const Inexpressible&) {
          return false;
        }
      };
      const Generated generated = generate(seed, {.format = format});
      const Generated native{translate(generated.model, format), generated.runs};
      const Shrunk result = shrink(native, shows, {.tries = 1500});
      EXPECT_TRUE(shows(result.smallest)) << "seed " << seed;
      EXPECT_LE(count_of_nodes(result.smallest.model), 4U) << "seed " << seed << ", " << name(format);
    }
  }
}

TEST(Shrink, TheResultIsDeterminedByTheModel) {
  const auto shows = [](const Generated& candidate) { return has_if_in_if(candidate.model) && is_sound(candidate); };
  std::uint64_t seed = 0;
  while (!has_if_in_if(generate(seed).model)) ++seed;
  const auto bytes = [&] { return write_model(shrink(generate(seed), shows).smallest.model, "model.onnx"); };
  EXPECT_EQ(bytes().front().bytes, bytes().front().bytes);
}

TEST(Shrink, EveryTryIsCounted) {
  std::size_t asked = 0;
  const auto never = [&](const Generated&) { return ++asked == 0; };
  const Shrunk result = shrink(generate(5), never, {.tries = 10});
  EXPECT_EQ(asked, 10U);
  EXPECT_EQ(result.tries, 10U);
  EXPECT_FALSE(result.complete);
}

}  // namespace
}  // namespace ifcert::generator
