#include "operators/sparse.hpp"

#include "operators/operator_call.hpp"

namespace ifcert::kernels {
namespace {

using testing::HasSubstr;

Tensor numbers(Dims dims, const std::vector<std::int64_t>& elements) {
  return make_tensor<std::int64_t>(ElementType::int64, std::move(dims), elements);
}

Value dense(const SparseTensor& sparse) {
  Node node;
  node.op = "sparse";
  return dense_form({node, {}}, sparse);
}

std::string refusal_of(const SparseTensor& sparse) {
  try {
    return to_string(dense(sparse));
  } catch (const EvaluationError& error) {
    return error.what();
  }
}

TEST(DenseForm, HasValuesAtPositionsAndZerosElsewhere) {
  const std::vector<float> values{1.5F, -2};
  const Tensor given = make_tensor<float>(ElementType::float32, {2}, values);
  const Value expected = floats({2, 3}, {0, 1.5F, 0, 0, 0, -2});
  EXPECT_THAT(dense({given, numbers({2}, {1, 5}), {2, 3}}), IsValue(expected));
  EXPECT_THAT(dense({given, numbers({2, 2}, {0, 1, 1, 2}), {2, 3}}), IsValue(expected));
}

TEST(DenseForm, OfNoValuesIsZero) {
  const Tensor none = make_tensor<float>(ElementType::float32, {0}, {});
  EXPECT_THAT(dense({none, numbers({0}, {}), {2}}), IsValue(floats({2}, {0, 0})));
  EXPECT_THAT(dense({none, numbers({0, 1}, {}), {0}}), IsValue(floats({0}, {})));
}

TEST(DenseForm, OfAScalarHasOnePlace) {
  const float seven = 7;
  const Tensor one = make_tensor<float>(ElementType::float32, {1}, {&seven, 1});
  EXPECT_THAT(dense({one, numbers({1}, {0}), {}}), IsValue(floats({}, {7})));
  EXPECT_THAT(dense({one, numbers({1, 0}, {}), {}}), IsValue(floats({}, {7})));
}

TEST(DenseForm, HasElementsOfEveryWidth) {
  for (const ElementType type :
       {ElementType::boolean, ElementType::int2, ElementType::uint4, ElementType::int8, ElementType::bfloat16,
        ElementType::float8e4m3fn, ElementType::float4e2m1, ElementType::int64, ElementType::complex128}) {
    const std::size_t size = bytes_of(type, 1);
    std::vector<std::byte> bytes(size);
    bytes[0] = std::byte{1};
    const Tensor one{type, {1}, Buffer::copy_of(bytes), {}};
    std::vector<std::byte> expected(bytes_of(type, 4));
    const std::size_t bits = bits_of(type);
    expected[3 * bits / 8] = std::byte(1U << (3 * bits % 8));
    const Value made = dense({one, numbers({1}, {3}), {4}});
    EXPECT_THAT(made, IsValue(Value(Tensor{type, {4}, Buffer::copy_of(expected), {}}))) << name_of(type);
  }
}

TEST(DenseForm, OfStringsHasEmptyOnes) {
  const Tensor texts = make_strings({1}, {"b"});
  EXPECT_THAT(dense({texts, numbers({1}, {1}), {3}}), IsValue(Value(make_strings({3}, {"", "b", ""}))));
}

TEST(DenseForm, NeedsAZero) {
  const std::byte two{0x80};
  const Tensor one{ElementType::float8e8m0, {1}, Buffer::copy_of({&two, 1}), {}};
  EXPECT_THAT(refusal_of({one, numbers({1}, {0}), {2}}), HasSubstr("float8e8m0 has no zero"));
  EXPECT_THAT(dense({one, numbers({1}, {0}), {1}}), IsValue(Value(one)));
}

TEST(DenseForm, HasPlacesOnlyInsideItsShape) {
  const float seven = 7;
  const Tensor one = make_tensor<float>(ElementType::float32, {1}, {&seven, 1});
  EXPECT_THAT(refusal_of({one, numbers({1}, {6}), {2, 3}}),
              HasSubstr("index 0 of the sparse tensor is 6; there are 6 elements"));
  EXPECT_THAT(refusal_of({one, numbers({1}, {-1}), {2, 3}}), HasSubstr("is -1"));
  EXPECT_THAT(refusal_of({one, numbers({1, 2}, {0, 3}), {2, 3}}), HasSubstr("is 3; there are 3 places along its axis"));
  EXPECT_THAT(refusal_of({one, numbers({1}, {0}), {0}}), HasSubstr("there are 0 elements"));
  EXPECT_THAT(refusal_of({one, numbers({1}, {0}), {-1}}), HasSubstr("a dim of the sparse tensor is -1"));
  EXPECT_THAT(refusal_of({one, *floats({1}, {0}).tensor(), {1}}), HasSubstr("int64 is required"));
}

}  // namespace
}  // namespace ifcert::kernels
