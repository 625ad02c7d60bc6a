// MatMul, Gemm, Conv and LSTM of random operands against Eigen's own matrix products, convolutions and functions, in
// double precision and in Eigen's order of evaluation.
#include <cmath>
#include <ifcert/eigen.hpp>

#include "operators/random_operands.hpp"

namespace ifcert::kernels {
namespace {

using Doubles = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Array = Eigen::Array<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

template <class T>
Tensor random_tensor(Random& random, Dims dims) {
  std::vector<T> elements(element_count(dims));
  std::generate(elements.begin(), elements.end(),
                [&] { return static_cast<T>(static_cast<double>(random.between(-1'000'000, 1'000'000)) * 1e-6); });
  return make_tensor<T>(element_type_of<T>(), std::move(dims), elements);
}

/// Matrix `i` of those that are stored one after the other.
template <class T>
Doubles matrix_of(const Tensor& tensor, std::int64_t i, std::int64_t rows, std::int64_t columns) {
  return MatrixMap<T>(tensor.elements<T>().data() + i * rows * columns, rows, columns).template cast<double>();
}

/// Half of the distance between 1 and the next number of the type.
template <class T>
double rounding() {
  if (std::is_same_v<T, Eigen::half>) return 0x1p-11;
  if (std::is_same_v<T, Eigen::bfloat16>) return 0x1p-8;
  return std::is_same_v<T, float> ? 0x1p-24 : 0x1p-53;
}

/// Each number may be off by one rounding to the element type, and by what the order of additions changes. The
/// `magnitudes` are the sums of the same products' absolute values.
template <class T>
void expect_sums(const Doubles& found, const Doubles& expected, const Doubles& magnitudes) {
  ASSERT_EQ(found.rows(), expected.rows());
  ASSERT_EQ(found.cols(), expected.cols());
  for (Eigen::Index i = 0; i < found.size(); ++i) {
    const double bound = rounding<T>() * std::fabs(expected(i)) + 0x1p-25 * rounding<T>() + 1e-14 * magnitudes(i);
    EXPECT_LE(std::fabs(found(i) - expected(i)), bound) << found(i) << " " << expected(i);
  }
}

template <class Visitor>
void for_each_type(Visitor visitor) {
  visitor.template operator()<Eigen::half>();
  visitor.template operator()<Eigen::bfloat16>();
  visitor.template operator()<float>();
  visitor.template operator()<double>();
}

TEST(EigenOracle, MatMul) {
  Random random(1);
  for_each_type([&]<class T>() {
    for (int i = 0; i < 100; ++i) {
      const std::int64_t m = random.between(1, 5);
      const std::int64_t k = random.between(1, 40);
      const std::int64_t n = random.between(1, 5);
      const Tensor a = random_tensor<T>(random, {2, 1, m, k});
      const Tensor b = random_tensor<T>(random, {3, k, n});
      const Value c = evaluated({"MatMul", {a, b}});
      ASSERT_EQ(c.tensor()->dims, (Dims{2, 3, m, n}));
      for (std::int64_t stack = 0; stack < 6; ++stack) {
        const Doubles left = matrix_of<T>(a, stack / 3, m, k);
        const Doubles right = matrix_of<T>(b, stack % 3, k, n);
        expect_sums<T>(matrix_of<T>(*c.tensor(), stack, m, n), left * right, left.cwiseAbs() * right.cwiseAbs());
      }
    }
  });
}

TEST(EigenOracle, Gemm) {
  Random random(2);
  for_each_type([&]<class T>() {
    for (int i = 0; i < 200; ++i) {
      const std::int64_t m = random.between(1, 6);
      const std::int64_t k = random.between(1, 40);
      const std::int64_t n = random.between(1, 6);
      const std::int64_t transposed_a = random.between(0, 1);
      const std::int64_t transposed_b = random.between(0, 1);
      const Tensor a = random_tensor<T>(random, transposed_a != 0 ? Dims{k, m} : Dims{m, k});
      const Tensor b = random_tensor<T>(random, transposed_b != 0 ? Dims{n, k} : Dims{k, n});
      const Tensor c = random_tensor<T>(random, {m, n});
      const Value y = evaluated(
          {"Gemm", {a, b, c}, {{"transA", transposed_a}, {"transB", transposed_b}, {"alpha", 0.5F}, {"beta", -3.0F}}});
      Doubles left = matrix_map<T>(a).template cast<double>();
      Doubles right = matrix_map<T>(b).template cast<double>();
      const Doubles addend = matrix_map<T>(c).template cast<double>();
      if (transposed_a != 0) left.transposeInPlace();
      if (transposed_b != 0) right.transposeInPlace();
      expect_sums<T>(matrix_map<T>(*y.tensor()).template cast<double>(), 0.5 * left * right - 3 * addend,
                     0.5 * left.cwiseAbs() * right.cwiseAbs() + 3 * addend.cwiseAbs());
    }
  });
}

struct Shape2d {
  std::array<std::int64_t, 2> kernel, strides, dilations, before, after;
};

/// The convolution of one plane by one kernel.
Doubles convolved(const Doubles& plane, const Doubles& kernel, const Shape2d& shape) {
  using Map = Eigen::TensorMap<const Eigen::Tensor<double, 2, Eigen::RowMajor>>;
  using Pads = Eigen::array<std::pair<Eigen::Index, Eigen::Index>, 2>;
  const Pads pads{{{shape.before[0], shape.after[0]}, {shape.before[1], shape.after[1]}}};
  const Eigen::array<Eigen::Index, 2> axes{0, 1};
  const Eigen::array<Eigen::Index, 2> dilations{shape.dilations[0], shape.dilations[1]};
  const Eigen::array<Eigen::Index, 2> strides{shape.strides[0], shape.strides[1]};
  const Eigen::Tensor<double, 2, Eigen::RowMajor> padded = Map(plane.data(), plane.rows(), plane.cols()).pad(pads);
  const Eigen::Tensor<double, 2, Eigen::RowMajor> spread =
      Map(kernel.data(), kernel.rows(), kernel.cols()).inflate(dilations);
  const Eigen::Tensor<double, 2, Eigen::RowMajor> result = padded.convolve(spread, axes).stride(strides);
  return Eigen::Map<const Doubles>(result.data(), result.dimension(0), result.dimension(1));
}

TEST(EigenOracle, Conv) {
  Random random(3);
  const auto pair = [&](std::int64_t low, std::int64_t high) {
    return std::array{random.between(low, high), random.between(low, high)};
  };
  for_each_type([&]<class T>() {
    for (int i = 0; i < 100; ++i) {
      const Shape2d shape{pair(1, 3), pair(1, 2), pair(1, 2), pair(0, 2), pair(0, 2)};
      const std::int64_t group = random.between(1, 2);
      const std::int64_t channels = random.between(1, 3);  // of a group
      const std::int64_t maps = random.between(1, 3);
      const auto [height, width] = pair(5, 8);
      const Tensor x = random_tensor<T>(random, {2, group * channels, height, width});
      const Tensor w = random_tensor<T>(random, {group * maps, channels, shape.kernel[0], shape.kernel[1]});
      const Tensor bias = random_tensor<T>(random, {group * maps});
      const auto list_of = [](auto... numbers) { return std::vector<std::int64_t>{numbers...}; };
      const Value y =
          evaluated({"Conv",
                     {x, w, bias},
                     {{"group", group},
                      {"strides", list_of(shape.strides[0], shape.strides[1])},
                      {"dilations", list_of(shape.dilations[0], shape.dilations[1])},
                      {"pads", list_of(shape.before[0], shape.before[1], shape.after[0], shape.after[1])}}});
      const Dims& dims = y.tensor()->dims;
      for (std::int64_t image = 0; image < 2; ++image) {
        for (std::int64_t map = 0; map < group * maps; ++map) {
          const auto constant = static_cast<double>(vector_map<T>(bias)(map));
          Doubles sums = Doubles::Constant(dims[2], dims[3], constant);
          Doubles magnitudes = sums.cwiseAbs();
          for (std::int64_t c = 0; c < channels; ++c) {
            const Doubles plane = matrix_of<T>(x, (image * group + map / maps) * channels + c, height, width);
            const Doubles kernel = matrix_of<T>(w, map * channels + c, shape.kernel[0], shape.kernel[1]);
            sums += convolved(plane, kernel, shape);
            magnitudes += convolved(plane.cwiseAbs(), kernel.cwiseAbs(), shape);
          }
          expect_sums<T>(matrix_of<T>(*y.tensor(), image * group * maps + map, dims[2], dims[3]), sums, magnitudes);
        }
      }
    }
  });
}

struct State {
  Array h, c;  // rows: the batch
};

/// One time step of one direction; `peepholes` has the rows i, o, f.
State stepped(const Doubles& x, const State& before, const Doubles& w, const Doubles& r, const Array& bias,
              const Array& peepholes) {
  const auto sigmoid = [](const Array& numbers) -> Array { return 1 / (1 + (-numbers).exp()); };
  const Eigen::Index hidden = before.h.cols();
  const Array gates = (x * w.transpose() + before.h.matrix() * r.transpose()).array().rowwise() +
                      (bias.row(0).head(4 * hidden) + bias.row(0).tail(4 * hidden));
  const auto gate = [&](Eigen::Index i, const Array& cell, Eigen::Index peephole) {
    return sigmoid(gates.middleCols(i * hidden, hidden) + cell.rowwise() * peepholes.row(peephole));
  };
  State after;
  after.c = gate(2, before.c, 2) * before.c + gate(0, before.c, 0) * gates.rightCols(hidden).tanh();
  after.h = gate(1, after.c, 1) * after.c.tanh();
  return after;
}

TEST(EigenOracle, Lstm) {
  Random random(4);
  const auto compare = [&]<class T>(double bound) {
    for (int i = 0; i < 50; ++i) {
      const std::int64_t steps = random.between(1, 4);
      const std::int64_t batch = random.between(1, 3);
      const std::int64_t input = random.between(1, 20);
      const std::int64_t hidden = random.between(1, 20);
      const Tensor x = random_tensor<T>(random, {steps, batch, input});
      const Tensor w = random_tensor<T>(random, {2, 4 * hidden, input});
      const Tensor r = random_tensor<T>(random, {2, 4 * hidden, hidden});
      const Tensor b = random_tensor<T>(random, {2, 8 * hidden});
      const Tensor h = random_tensor<T>(random, {2, batch, hidden});
      const Tensor c = random_tensor<T>(random, {2, batch, hidden});
      const Tensor p = random_tensor<T>(random, {2, 3 * hidden});
      const std::vector<Value> outputs =
          all_evaluated({"LSTM", {x, w, r, b, {}, h, c, p}, {{"direction", std::string("bidirectional")}}}, 3);
      for (std::int64_t d = 0; d < 2; ++d) {
        State state{matrix_of<T>(h, d, batch, hidden), matrix_of<T>(c, d, batch, hidden)};
        for (std::int64_t trip = 0; trip < steps; ++trip) {
          const std::int64_t t = d == 0 ? trip : steps - 1 - trip;
          state = stepped(matrix_of<T>(x, t, batch, input), state, matrix_of<T>(w, d, 4 * hidden, input),
                          matrix_of<T>(r, d, 4 * hidden, hidden), matrix_of<T>(b, d, 1, 8 * hidden),
                          matrix_of<T>(p, d, 3, hidden));
          const Doubles found = matrix_of<T>(*outputs[0].tensor(), t * 2 + d, batch, hidden);
          EXPECT_LE((found.array() - state.h).abs().maxCoeff(), bound);
        }
        EXPECT_LE((matrix_of<T>(*outputs[2].tensor(), d, batch, hidden).array() - state.c).abs().maxCoeff(), bound);
      }
    }
  };
  compare.operator()<float>(1e-6);
  compare.operator()<double>(1e-13);
}

}  // namespace
}  // namespace ifcert::kernels
