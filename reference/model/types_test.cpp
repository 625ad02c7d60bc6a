#include <gtest/gtest.h>

#include <ifcert/types.hpp>
#include <stdexcept>

namespace ifcert {
namespace {

TEST(ElementType, EveryNameNamesItsOwnType) {
  for (int i = 1; i <= static_cast<int>(ElementType::string); ++i) {
    const auto type = static_cast<ElementType>(i);
    EXPECT_EQ(element_type_named(name_of(type)), type) << name_of(type);
  }
  EXPECT_EQ(element_type_named("float"), ElementType::undefined);
}

TEST(ElementType, PackedTypesAreRoundedUpToWholeBytes) {
  EXPECT_EQ(bytes_of(ElementType::int4, 3), 2U);
  EXPECT_EQ(bytes_of(ElementType::uint2, 5), 2U);
  EXPECT_EQ(bytes_of(ElementType::float4e2m1, 0), 0U);
  EXPECT_EQ(bytes_of(ElementType::complex128, 2), 32U);
}

TEST(ElementType, ASizeThatMemoryCannotHoldIsRefused) {
  EXPECT_THROW(bytes_of(ElementType::complex128, std::uint64_t{1} << 62), std::length_error);
}

TEST(Dims, AScalarHasOneElementAndAZeroDimNone) {
  EXPECT_EQ(element_count({}), 1U);
  EXPECT_EQ(element_count({2, 3}), 6U);
  EXPECT_EQ(element_count({std::int64_t{1} << 62, 0}), 0U);
}

TEST(Dims, HostileSizesAreRefused) {
  EXPECT_THROW(element_count({std::int64_t{1} << 62, 8}), std::length_error);
  EXPECT_THROW(element_count({-1}), std::length_error);
}

TEST(Type, IsWrittenAsMessagesShowIt) {
  const Type type = Type::sequence_of(Type::tensor(ElementType::float32, Shape{{2, ""}, {-1, "N"}, {}}));
  EXPECT_EQ(to_string(type), "seq(float32[2, N, ?])");
  EXPECT_EQ(kind_text(type), "seq(tensor(float32))");
  EXPECT_EQ(to_string(Type{}), "?");
}

}  // namespace
}  // namespace ifcert
