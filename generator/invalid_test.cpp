#include "generator/invalid.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ifcert/reference.hpp>
#include <map>
#include <memory>
#include <set>
#include <string>

namespace ifcert::generator {
namespace {

Reading read(const std::vector<WrittenFile>& files) {
  const auto bytes_of_file = [](const WrittenFile& file) { return std::as_bytes(std::span(file.bytes)); };
  const std::shared_ptr<const void> held(&files, [](const void*) {});
  const auto ending = files.back().path.extension();
  if (ending == ".onnx") return onnx::read_bytes(held, bytes_of_file(files.back()));
  if (ending == ".xml") return openvino::read_bytes(bytes_of_file(files.back()), held, bytes_of_file(files.front()));
  return tflite::read_bytes(held, bytes_of_file(files.back()));
}

/// The rules that the files break, including the rule of an UnreadableModel.
std::set<std::string> broken_rules(const std::vector<WrittenFile>& files) {
  std::set<std::string> rules;
  try {
    for (const Diagnostic& each : errors_in(check(read(files)))) rules.insert(each.rule);
  } catch (const UnreadableModel& error) {
    rules.insert(error.diagnostic().rule);
  }
  return rules;
}

struct OfFormat {
  Format format;
  std::size_t faults;  // the number of faults that the format has
};

class InvalidModels : public testing::TestWithParam<OfFormat> {};

/// A reader may also report consequences of a fault: after a use before its definition, a second definition.
TEST_P(InvalidModels, BreakTheRuleThatTheyName) {
  std::map<std::string_view, int> made;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    const Invalid invalid = generate_invalid(seed, GetParam().format);
    ++made[invalid.fault];
    EXPECT_THAT(broken_rules(invalid.files), testing::Contains(invalid.rule)) << invalid.fault << " of seed " << seed;
  }
  EXPECT_EQ(made.size(), GetParam().faults);
}

INSTANTIATE_TEST_SUITE_P(EachFormat, InvalidModels,
                         testing::Values(OfFormat{Format::onnx, 24}, OfFormat{Format::openvino, 16},
                                         OfFormat{Format::tflite, 9}));

TEST(Invalid, ASeedDeterminesTheFile) {
  EXPECT_EQ(generate_invalid(3).files.back().bytes, generate_invalid(3).files.back().bytes);
}

}  // namespace
}  // namespace ifcert::generator
