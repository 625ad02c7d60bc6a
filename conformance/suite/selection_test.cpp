#include "conformance/suite/selection.hpp"

#include <gmock/gmock.h>

#include "conformance/system/error.hpp"

namespace ifcert::conformance {
namespace {

using testing::EndsWith;
using testing::SizeIs;
using testing::ThrowsMessage;

VectorSummary vector(const char* rule, const char* id) {
  VectorSummary summary;
  summary.rule = rule;
  summary.id = id;
  summary.system = "onnx";
  summary.profiles = {"onnx", "onnx-16"};
  summary.coordinates = {{"place", "scan"}, {"capture", "2"}};
  return summary;
}

const VectorSummary counted = vector("onnx/if/output-count", "onnx/if/output-count/zero");

TEST(Selection, WithoutGlobsSelectsEverything) {
  EXPECT_TRUE(Selection{}.selects(counted));
  EXPECT_EQ(Selection{}.text(), "");
}

TEST(Selection, SpansSlashes) {
  EXPECT_TRUE(Selection{.rules = {"onnx/*"}}.selects(counted));
  EXPECT_TRUE(Selection{.vectors = {"*zero"}}.selects(counted));
  EXPECT_FALSE(Selection{.rules = {"onnx"}}.selects(counted));
}

TEST(Selection, AddsGlobsOfAKindAndIntersectsTheKinds) {
  EXPECT_TRUE((Selection{.rules = {"none", "*count"}}.selects(counted)));
  EXPECT_FALSE((Selection{.rules = {"*count"}, .vectors = {"*/one"}}.selects(counted)));
  EXPECT_FALSE(Selection{.profiles = {"tflite"}}.selects(counted));
  EXPECT_TRUE(Selection{.profiles = {"onnx-16"}}.selects(counted));
  EXPECT_FALSE(Selection{.profiles = {"onnx-16-tensors"}}.selects(counted));
}

TEST(Selection, NamesTheGlobsThatMatchNothing) {
  const Selection selection{.rules = {"*count", "*typo*"}, .vectors = {"*/zero"}};
  EXPECT_THAT([&] { selected({counted}, selection); },
              ThrowsMessage<Error>("--rule '*typo*' matches none of the 1 vectors"));
  EXPECT_THAT(selected({counted}, {}), SizeIs(1));
  EXPECT_EQ(selection.text(), "--rule '*count' --rule '*typo*' --vector '*/zero'");
}

TEST(Selection, SuggestsANameThatIsNear) {
  EXPECT_THAT([&] { selected({counted}, Selection{.rules = {"onnx/if/ouput-count"}}); },
              ThrowsMessage<Error>(EndsWith("; did you mean onnx/if/output-count?")));
}

TEST(Selection, ListsTheProfilesWhereOneIsUnknown) {
  EXPECT_THAT([&] { selected({counted}, Selection{.profiles = {"onx"}}); },
              ThrowsMessage<Error>(EndsWith("; the profiles are onnx, onnx-16; did you mean onnx?")));
}

TEST(Selection, WantsEachCoordinateThatItNames) {
  EXPECT_TRUE((Selection{.coordinates = {"place=scan", "capture=2"}}.selects(counted)));
  EXPECT_FALSE((Selection{.coordinates = {"place=scan", "capture=1"}}.selects(counted)));
  EXPECT_FALSE(Selection{.coordinates = {"place=sca"}}.selects(counted));
  EXPECT_EQ((Selection{.coordinates = {"place=scan", "capture=2"}}.text()), "--where 'place=scan' --where 'capture=2'");
}

TEST(Selection, NamesTheDimensionsAndTheValuesOfTheOneThatWasMeant) {
  EXPECT_THAT(
      [&] { selected({counted}, Selection{.coordinates = {"plac=scan"}}); },
      ThrowsMessage<Error>("--where 'plac=scan' matches none of the 1 vectors; expected DIMENSION=VALUE, and the "
                           "dimensions are capture, place"));
  EXPECT_THAT([&] { selected({counted}, Selection{.coordinates = {"place=loop"}}); },
              ThrowsMessage<Error>("--where 'place=loop' matches none of the 1 vectors; the values of place are scan"));
}

TEST(Selection, IsReadAsItIsWritten) {
  const Selection selection{
      .rules = {"onnx/*", "a b"}, .vectors = {"it's", "x' y"}, .profiles = {"onnx"}, .coordinates = {"place=scan"}};
  const Selection read = selection_from(selection.text());
  EXPECT_EQ(read.rules, selection.rules);
  EXPECT_EQ(read.vectors, selection.vectors);
  EXPECT_EQ(read.profiles, selection.profiles);
  EXPECT_EQ(read.coordinates, selection.coordinates);
  EXPECT_EQ(selection_from("").text(), "");
  for (const char* wrong :
       {"x", "--rule", "--rule x", "--rule '", "--rules 'x'", "--rule 'x' ", "--rule 'x", " --rule 'x'"}) {
    EXPECT_THROW(selection_from(wrong), Error) << wrong;
  }
}

}  // namespace
}  // namespace ifcert::conformance
