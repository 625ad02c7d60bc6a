#include "conformance/fuzz/generator/illegal_form.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ifcert/reference.hpp>
#include <map>

#include "conformance/fuzz/generator/shrink.hpp"

namespace ifcert::generator {
namespace {

constexpr std::array formats{Format::onnx, Format::openvino, Format::tflite};

/// 0 where the file cannot be read because of the fault.
std::size_t count_of_nodes_in(const std::shared_ptr<const Files>& files) {
  try {
    return count_of_nodes(read_back(files).model);
  } catch (const UnreadableModel&) {
    return 0;
  }
}

/// As small as it gets while exactly the same rules are broken.
Generated smallest(const Generated& from, const IllegalForm& form) {
  return shrink(from, [&](const Generated& candidate) { return illegal_files(form, candidate) != nullptr; }).smallest;
}

TEST(IllegalForm, TheFirstCandidateIsTheGivenModel) {
  for (const Format format : formats) {
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
      const Invalid invalid = generate_invalid(seed, format);
      const auto files = illegal_files(legal_before_the_fault(invalid, format), invalid.original);
      ASSERT_TRUE(files) << invalid.fault;
      EXPECT_EQ(files->back().bytes, invalid.files.back().bytes) << invalid.fault;
    }
  }
}

TEST(IllegalForm, EveryFaultIsLeftWithLittleAroundIt) {
  for (const Format format : formats) {
    std::map<std::string_view, Invalid> one_of_each;
    for (std::uint64_t seed = 0; one_of_each.size() < faults_of(format).size(); ++seed) {
      Invalid invalid = generate_invalid(seed, format);
      one_of_each.emplace(invalid.fault, std::move(invalid));
    }
    for (const auto& [fault, invalid] : one_of_each) {
      const IllegalForm form = legal_before_the_fault(invalid, format);
      const auto files = illegal_files(form, smallest(invalid.original, form));
      ASSERT_TRUE(files) << fault;
      EXPECT_THAT(broken_rules(files), testing::ElementsAre(invalid.rule)) << fault;
      EXPECT_LE(count_of_nodes_in(files), 10U) << fault;
    }
  }
}

TEST(IllegalForm, AModelThatIsIllegalInItsGraphFormBecomesSmallItself) {
  std::map<Format, std::size_t> shrunk;
  for (const Format format : formats) {
    const std::uint64_t seeds = format == Format::openvino ? 60 : 20;  // few faults of IR survive in the graph form
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
      const Invalid invalid = generate_invalid(seed, format);
      const auto files = std::make_shared<const Files>(invalid.files);
      if (invalid.fault == "unknown-version") continue;
      const Generated original{read_back(files).model, invalid.original.runs};
      const IllegalForm form = illegal_itself({std::string(invalid.rule)});
      if (!illegal_files(form, original)) continue;
      ++shrunk[format];
      const auto left = illegal_files(form, smallest(original, form));
      ASSERT_TRUE(left) << invalid.fault << ", seed " << seed;
      EXPECT_LE(count_of_nodes_in(left), 10U) << invalid.fault << ", seed " << seed;
    }
  }
  EXPECT_GT(shrunk[Format::onnx], 10U);
  EXPECT_GT(shrunk[Format::openvino], 0U);
  EXPECT_EQ(shrunk[Format::tflite], 20U);
}

TEST(IllegalForm, ACandidateThatBreaksAnotherRuleIsNone) {
  const Invalid invalid = generate_invalid(0);
  const IllegalForm other{{"onnx/if/then-when-true"}, legal_before_the_fault(invalid, Format::onnx).write};
  EXPECT_FALSE(illegal_files(other, invalid.original));
  EXPECT_FALSE(illegal_files(illegal_itself({std::string(invalid.rule)}), invalid.original)) << "a legal model";
}

}  // namespace
}  // namespace ifcert::generator
