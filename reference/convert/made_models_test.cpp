// Random models: each format that can express one computes the same values. scripts/fuzz made tries more of them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <map>
#include <random>

#include "convert/conversion_agreement.hpp"
#include "convert/model_maker.hpp"

namespace ifcert {
namespace {

std::vector<std::uint8_t> choices(std::mt19937_64& random) {
  std::vector<std::uint8_t> bytes(40 + random() % 400);
  for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random());
  return bytes;
}

constexpr std::array names{"model.onnx", "model.xml", "model.tflite"};

/// How often a model could be expressed, by the sequence of formats.
using Ways = std::map<std::string, int>;

/// Converts the model into each format, and the results once more.
void expect_agreement(const Model& model, std::uint64_t seed, const std::string& way, Ways& ways) {
  const ConversionAgreement agreement(model, seed);
  if (agreement.computes()) ++ways[way + " computes"];
  for (const char* name : names) {
    std::vector<WrittenFile> files;
    ASSERT_EQ(agreement.fault_of(name, files), "") << way << " of seed " << seed;
    if (files.empty()) continue;
    ++ways[way + " " + name];
    if (way == "made" && files.back().path != "model.onnx") expect_agreement(read_again(files).model, seed, name, ways);
  }
}

TEST(MadeModels, EachFormatThatCanExpressOneGivesTheSameValues) {
  constexpr int count = 300;
  Ways ways;
  for (std::uint64_t seed = 0; seed < count; ++seed) {
    std::mt19937_64 random(seed);
    const std::string bytes = onnx::model_parts::ModelMaker(choices(random)).make();
    const Reading reading = onnx::file_builder::read(bytes);
    if (errors_in(check(reading)).empty()) expect_agreement(reading.model, seed, "made", ways);
  }
  // Most generated models are legal and compute.
  EXPECT_GT(ways["made computes"], count * 9 / 10);
  EXPECT_GT(ways["made model.onnx"], count * 8 / 10);
  EXPECT_GT(ways["made model.xml"], count / 2);
  EXPECT_GT(ways["made model.tflite"], count / 2);
  EXPECT_GT(ways["model.xml model.tflite"], count / 3);
  EXPECT_GT(ways["model.tflite model.xml"], count / 3);
}

}  // namespace
}  // namespace ifcert
