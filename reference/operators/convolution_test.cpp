#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "operators/operator_call.hpp"

namespace ifcert::kernels {
namespace {

using testing::HasSubstr;

using Integers = std::vector<std::int64_t>;

Value counted(const Dims& dims) {
  std::vector<float> elements(element_count(dims));
  for (std::size_t i = 0; i < elements.size(); ++i) elements[i] = static_cast<float>(i);
  return floats(dims, elements);
}

/// Its axes span 2^64 elements in each of no channels.
TEST(Conv, AddsUpNothingWithoutChannels) {
  const Value none = floats({1, 0, std::int64_t{1} << 32, std::int64_t{1} << 32}, {});
  EXPECT_THAT(evaluated({"Conv", {none, none}}), IsValue(floats({1, 1, 1, 1}, {0})));
  EXPECT_THAT(evaluated({"Conv", {none, none, floats({1}, {5})}}), IsValue(floats({1, 1, 1, 1}, {5})));
}

TEST(Conv, AddsUpTheProductsUnderTheKernel) {
  const Value x = floats({1, 1, 5}, {1, 2, 3, 4, 5});
  const Value w = floats({1, 1, 2}, {1, 10});
  EXPECT_THAT(evaluated({"Conv", {x, w}}), IsValue(floats({1, 1, 4}, {21, 32, 43, 54})));
  EXPECT_THAT(evaluated({"Conv", {x, w, floats({1}, {0.5})}, {{"strides", Integers{2}}}}),
              IsValue(floats({1, 1, 2}, {21.5, 43.5})));
  EXPECT_THAT(evaluated({"Conv", {x, w}, {{"dilations", Integers{3}}}}), IsValue(floats({1, 1, 2}, {41, 52})));
  EXPECT_THAT(evaluated({"Conv", {x, w}, {{"pads", Integers{1, 0}}}}),
              IsValue(floats({1, 1, 5}, {10, 21, 32, 43, 54})));
}

TEST(Conv, OfPlanesSumsOverChannels) {
  const Value ones = floats({1, 2, 2, 2}, {1, 1, 1, 1, 1, 1, 1, 1});
  // Nine sums of four elements: 0+1+3+4 = 8 in the corner, twice for two equal channels.
  EXPECT_THAT(evaluated({"Conv", {counted({1, 1, 3, 3}), floats({1, 1, 2, 2}, {1, 1, 1, 1})}}),
              IsValue(floats({1, 1, 2, 2}, {8, 12, 20, 24})));
  const Value twice = floats({1, 2, 2, 2}, {0, 1, 2, 3, 0, 1, 2, 3});
  EXPECT_THAT(evaluated({"Conv", {twice, ones}}), IsValue(floats({1, 1, 1, 1}, {12})));
}

TEST(Conv, InGroupsKeepsChannelsApart) {
  const Value x = floats({2, 2, 1}, {1, 2, 3, 4});
  const Value w = floats({4, 1, 1}, {1, 10, 100, 1000});
  EXPECT_THAT(evaluated({"Conv", {x, w}, {{"group", std::int64_t{2}}}}),
              IsValue(floats({2, 4, 1}, {1, 10, 200, 2000, 3, 30, 400, 4000})));
}

TEST(Conv, PadsAutomaticallyWithAutoPad) {
  const Value x = floats({1, 1, 4}, {1, 2, 3, 4});
  const Value w = floats({1, 1, 2}, {1, 10});
  const auto same = [&](const char* pad) { return evaluated({"Conv", {x, w}, {{"auto_pad", std::string(pad)}}}); };
  EXPECT_THAT(same("SAME_UPPER"), IsValue(floats({1, 1, 4}, {21, 32, 43, 4})));
  EXPECT_THAT(same("SAME_LOWER"), IsValue(floats({1, 1, 4}, {10, 21, 32, 43})));
  EXPECT_THAT(same("VALID"), IsValue(floats({1, 1, 3}, {21, 32, 43})));
}

TEST(Conv, WithoutSpatialAxesIsAProduct) {
  EXPECT_THAT(evaluated({"Conv", {floats({1, 2}, {3, 4}), floats({1, 2}, {1, 2})}}), IsValue(floats({1, 1}, {11})));
}

TEST(Conv, RefusesHostileAttributes) {
  const Value x = floats({1, 1, 2}, {1, 2});
  const Value w = floats({1, 1, 2}, {1, 1});
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  const auto refusal_of = [&](const char* name, const Integers& entries) {
    return refusal({"Conv", {x, w}, {{name, entries}}});
  };
  EXPECT_EQ(refusal_of("strides", {0}), "Conv: attribute strides has the entry 0; expected at least 1");
  EXPECT_THAT(refusal_of("dilations", {-1}), HasSubstr("dilations has the entry -1"));
  EXPECT_THAT(refusal_of("pads", {-1, 0}), HasSubstr("pads has the entry -1"));
  EXPECT_THAT(refusal_of("pads", {1}), HasSubstr("1 entries; expected 2"));
  EXPECT_THAT(refusal_of("pads", {most, most}), HasSubstr("does not fit"));
  EXPECT_THAT(refusal_of("pads", {most / 4, 0}), HasSubstr("more than 4 GiB"));
  EXPECT_THAT(refusal_of("dilations", {most}), HasSubstr("does not fit into an axis of size 2"));
  EXPECT_THAT(refusal_of("kernel_shape", {3}), HasSubstr("kernel_shape is [3]"));
  EXPECT_THAT(refusal({"Conv", {x, floats({1, 1, 3}, {1, 1, 1})}}), HasSubstr("a kernel of size 3"));
  EXPECT_THAT(refusal({"Conv", {x, floats({1, 1, 0}, {})}}), HasSubstr("a kernel of size 0"));
  for (const std::int64_t group : {std::int64_t{0}, std::int64_t{-1}}) {
    EXPECT_THAT(refusal({"Conv", {x, w}, {{"group", group}}}), HasSubstr("expected at least 1"));
  }
  EXPECT_THAT(refusal({"Conv", {x, w}, {{"group", std::int64_t{2}}}}), HasSubstr("1 channels in 2 groups"));
  EXPECT_THAT(refusal({"Conv", {x, floats({1, 2, 1}, {1, 1})}}), HasSubstr("1 channels in 1 groups"));
  EXPECT_THAT(refusal({"Conv", {x, w, floats({2}, {1, 1})}}), HasSubstr("operand 2 has the shape [2]; expected [1]"));
  EXPECT_THAT(refusal({"Conv", {floats({1}, {1}), floats({1}, {1})}}), HasSubstr("ranks 1 and 1"));
  EXPECT_THAT(refusal({"Conv", {x, w}, {{"auto_pad", std::string("SAME")}}}), HasSubstr("\"SAME\""));
  EXPECT_THAT(refusal({"Conv", {integers({1, 1, 1}, {1}), integers({1, 1, 1}, {1})}}), HasSubstr("tensor(int64)"));
}

TEST(ConvTypes, AreInferredAsFarAsDimsAreKnown) {
  EXPECT_EQ(inferred({"Conv"}, {float_type({-1, 3, 8, -1}), float_type({4, 3, 3, 3})}), float_type({-1, 4, 6, -1}));
  EXPECT_EQ(inferred({"Conv"}, {float_type({1, 3, 8}), Type::tensor(ElementType::float32)}), float_type({1, -1, -1}));
  EXPECT_EQ(inferred({"Conv"}, {Type::tensor(ElementType::float32), float_type({4, 3, 3})}),
            Type::tensor(ElementType::float32));
}

}  // namespace
}  // namespace ifcert::kernels
