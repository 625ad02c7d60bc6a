#include "conformance/results/shard.hpp"

#include <gmock/gmock.h>

#include "conformance/suite/selection.hpp"
#include "conformance/system/error.hpp"

namespace ifcert::conformance {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

std::vector<VectorSummary> seven_summaries() {
  std::vector<VectorSummary> vectors(7);
  for (std::size_t i = 0; i < vectors.size(); ++i) vectors[i].id = std::to_string(i);
  return vectors;
}

std::vector<std::string> ids(const Shard& shard) {
  std::vector<std::string> all;
  for (const VectorSummary& vector : selected(seven_summaries(), {}, shard)) all.push_back(vector.id);
  return all;
}

TEST(Shard, HasEveryNthVector) {
  EXPECT_THAT(ids({1, 3}), ElementsAre("0", "3", "6"));
  EXPECT_THAT(ids({2, 3}), ElementsAre("1", "4"));
  EXPECT_THAT(ids({3, 3}), ElementsAre("2", "5"));
  EXPECT_EQ(ids({}).size(), 7U);
}

TEST(Shard, IsNeverEmpty) {
  EXPECT_EQ(ids({7, 7}).size(), 1U);
  EXPECT_THAT([] { ids({1, 8}); }, ThrowsMessage<Error>(HasSubstr("7 selected vectors cannot be split into 8 shards")));
}

TEST(Shard, IsReadAsItIsWritten) {
  EXPECT_EQ(shard_from("2/3").text(), "2/3");
  EXPECT_EQ(shard_from("").text(), "");
  EXPECT_EQ(shard_from("1/1").text(), "");
  for (const char* wrong : {"0/3", "4/3", "1", "/", "1/", "/3", "1/3/3", "-1/3", "a/b", "1/99999999999999999999999"}) {
    EXPECT_THAT([&] { shard_from(wrong); }, ThrowsMessage<Error>(HasSubstr("invalid shard '"))) << wrong;
  }
}

}  // namespace
}  // namespace ifcert::conformance
