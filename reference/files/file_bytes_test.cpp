#include "files/file_bytes.hpp"

#include <gmock/gmock.h>
#include <stdlib.h>

#include <chrono>
#include <fstream>
#include <ifcert/diagnostic.hpp>
#include <string>

namespace ifcert {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t large = std::size_t{1} << 21;  // large enough to be read in pieces

class AFileOfWeights : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "ifcert_file_bytes_test_XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { fs::remove_all(folder_); }

  /// A file of `size` bytes that was written long ago: 0, 1, …, 250, 0, 1, …
  fs::path written(std::size_t size) const {
    std::string bytes(size, '\0');
    for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<char>(i % 251);
    fs::path path = folder_ / "w.bin";
    std::ofstream(path, std::ios::binary) << bytes;
    fs::last_write_time(path, fs::file_time_type::clock::now() - std::chrono::hours(1));
    return path;
  }

  fs::path folder_;
};

int number_at(const Buffer& buffer, std::size_t at) {
  return std::to_integer<int>(buffer.bytes()[at]);
}

TEST_F(AFileOfWeights, HasPiecesAtAnyOffset) {
  for (const std::size_t size : {std::size_t{100}, large}) {
    WeightsFile file(written(size));
    const Buffer piece = file.piece({3, 40});
    ASSERT_EQ(piece.size(), 37);
    EXPECT_EQ(number_at(piece, 0), 3);
    EXPECT_EQ(number_at(piece, 36), 39);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(piece.bytes().data()) % 16, 0);
    EXPECT_EQ(file.piece({size, size}).bytes().size(), 0);
  }
}

TEST_F(AFileOfWeights, IsReadInPiecesWhereItIsLarge) {
  WeightsFile file(written(large));
  const Buffer read = file.piece({0, 16});
  EXPECT_EQ(number_at(read, 15), 15);
  const Buffer late = file.piece({16, 32});
  fs::resize_file(file.path(), 0);
  EXPECT_EQ(number_at(read, 15), 15);
  EXPECT_THROW(late.bytes(), UnreadableModel);
}

TEST_F(AFileOfWeights, GivesEqualRangesTheSameBytesAndCountsOverlappingOnesTwice) {
  WeightsFile file(written(large));
  EXPECT_EQ(file.piece({1, 11}).bytes().data(), file.piece({1, 11}).bytes().data());
  EXPECT_EQ(file.memory(), 10);
  EXPECT_EQ(number_at(file.piece({2, 11}), 0), 2);
  EXPECT_EQ(file.memory(), 19);
}

TEST_F(AFileOfWeights, ReadsHolesAsZeros) {
  const fs::path path = written(300);
  fs::resize_file(path, large);
  fs::last_write_time(path, fs::file_time_type::clock::now() - std::chrono::hours(1));
  WeightsFile file(path);
  const Buffer whole = file.piece({0, large});
  EXPECT_EQ(number_at(whole, 299), 48);
  EXPECT_EQ(number_at(whole, large - 1), 0);
}

}  // namespace
}  // namespace ifcert
