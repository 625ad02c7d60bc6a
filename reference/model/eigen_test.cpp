#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <ifcert/eigen.hpp>
#include <ifcert/elements.hpp>
#include <vector>

namespace ifcert {
namespace {

template <class T>
Tensor tensor_of(ElementType type, Dims dims, const std::vector<T>& elements) {
  return make_tensor<T>(type, std::move(dims), elements);
}

template <class Map>
std::string refusal(Map map) {
  try {
    map();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(EigenMaps, AreTheTensorsOwnElementsRowByRow) {
  const Tensor vector = tensor_of<float>(ElementType::float32, {3}, {1, 2, 3});
  EXPECT_EQ(vector_map<float>(vector).data(), vector.elements<float>().data());
  EXPECT_EQ(vector_map<float>(vector).sum(), 6);

  const Tensor matrix = tensor_of<std::int64_t>(ElementType::int64, {2, 3}, {1, 2, 3, 4, 5, 6});
  EXPECT_EQ(matrix_map<std::int64_t>(matrix).data(), matrix.elements<std::int64_t>().data());
  EXPECT_EQ(matrix_map<std::int64_t>(matrix)(1, 0), 4);
  EXPECT_EQ(matrix_map<std::int64_t>(matrix).rows(), 2);

  const Tensor cube = tensor_of<double>(ElementType::float64, {2, 1, 3}, {1, 2, 3, 4, 5, 6});
  const auto map = tensor_map<double, 3>(cube);
  EXPECT_EQ(map.data(), cube.elements<double>().data());
  EXPECT_EQ(map(1, 0, 2), 6);
  EXPECT_EQ(map.dimension(2), 3);
}

TEST(EigenMaps, OfScalarsAndOfNoElements) {
  const Tensor scalar = tensor_of<float>(ElementType::float32, {}, {7});
  EXPECT_EQ((tensor_map<float, 0>(scalar)()), 7);
  const Tensor empty = tensor_of<float>(ElementType::float32, {0, 4}, {});
  EXPECT_EQ(matrix_map<float>(empty).cols(), 4);
}

TEST(EigenMaps, OfHalvesAreEigensOwnTypes) {
  const Tensor halves = tensor_of<std::uint16_t>(ElementType::float16, {2}, {0x3c00, 0xc000});
  EXPECT_EQ(vector_map<Eigen::half>(halves).cast<float>().sum(), -1);
  const Tensor brains = tensor_of<std::uint16_t>(ElementType::bfloat16, {2}, {0x3f80, 0x4040});
  EXPECT_EQ(vector_map<Eigen::bfloat16>(brains).cast<float>().sum(), 4);
}

TEST(EigenMaps, OfEachElementType) {
  const auto maps = []<class T>(ElementType type) {
    const Tensor tensor = tensor_of<T>(type, {1, 2}, {T{1}, T{2}});
    EXPECT_EQ(matrix_map<T>(tensor)(0, 1), T{2}) << name_of(type);
  };
  maps.operator()<std::int8_t>(ElementType::int8);
  maps.operator()<std::int16_t>(ElementType::int16);
  maps.operator()<std::int32_t>(ElementType::int32);
  maps.operator()<std::uint8_t>(ElementType::uint8);
  maps.operator()<std::uint8_t>(ElementType::boolean);
  maps.operator()<std::uint16_t>(ElementType::uint16);
  maps.operator()<std::uint32_t>(ElementType::uint32);
  maps.operator()<std::uint64_t>(ElementType::uint64);
  maps.operator()<std::complex<float>>(ElementType::complex64);
  maps.operator()<std::complex<double>>(ElementType::complex128);
}

TEST(EigenMaps, RefuseAnotherElementTypeOrRank) {
  const Tensor tensor = tensor_of<float>(ElementType::float32, {2, 1}, {1, 2});
  EXPECT_EQ(refusal([&] { matrix_map<double>(tensor); }), "a tensor(float32) cannot be mapped as float64");
  EXPECT_EQ(refusal([&] { matrix_map<Eigen::half>(tensor); }), "a tensor(float32) cannot be mapped as float16");
  EXPECT_EQ(refusal([&] { vector_map<float>(tensor); }), "a tensor of rank 2 cannot be mapped with rank 1");
  EXPECT_EQ(refusal([&] { tensor_map<float, 3>(tensor); }), "a tensor of rank 2 cannot be mapped with rank 3");
  const Tensor packed = pack(ElementType::uint4, {2}, std::array<std::uint8_t, 2>{1, 2});
  EXPECT_EQ(refusal([&] { vector_map<std::uint8_t>(packed); }), "a tensor(uint4) cannot be mapped as uint8");
  EXPECT_EQ(refusal([] {
              const Tensor text = make_strings({1}, {"1"});
              vector_map<float>(text);
            }),
            "a tensor(string) cannot be mapped as float32");
}

TEST(EigenMaps, RefuseATensorWithFewerBytesThanItsShapeNeeds) {
  const Tensor tensor{ElementType::float32, {2, 3}, {}, {}};
  EXPECT_EQ(refusal([&] { matrix_map<float>(tensor); }), "a tensor of shape [2, 3] has 0 bytes; expected 24");
}

}  // namespace
}  // namespace ifcert
