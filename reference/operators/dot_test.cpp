#include "operators/dot.hpp"

#include "operators/random_operands.hpp"

namespace ifcert::kernels {
namespace {

/// Numbers whose sum depends on the order of the additions: of magnitudes from 2^-40 to 2^40.
std::vector<float> of_many_magnitudes(Random& random, std::size_t count) {
  std::vector<float> numbers(count);
  std::generate(numbers.begin(), numbers.end(), [&] {
    return std::ldexp(static_cast<float>(random.between(-1000, 1000)), static_cast<int>(random.between(-40, 40)));
  });
  return numbers;
}

TEST(Dots, HaveTheSameBitsForSeveralRowsAsForOne) {
  Random random(1);
  for (std::size_t rows = 0; rows <= 9; ++rows) {
    for (std::size_t columns = 1; columns <= 9; ++columns) {
      for (std::size_t length = 0; length <= 40; ++length) {
        const std::vector<float> a = of_many_magnitudes(random, rows * length);
        const std::vector<float> floats = of_many_magnitudes(random, columns * length);
        const std::vector<double> b(floats.begin(), floats.end());
        std::vector<double> sums(rows * columns);
        dots({}, a.data(), rows, b.data(), columns, length, sums.data());
        for (std::size_t i = 0; i < sums.size(); ++i) {
          const double sum = dot<float>({a.data() + i / columns * length, index_of(length)},
                                        {b.data() + i % columns * length, index_of(length)});
          ASSERT_EQ(sums[i], sum) << rows << " rows, " << columns << " columns, " << length << " numbers";
        }
      }
    }
  }
}

TEST(Dots, HaveTheSameBitsWithEachSetOfInstructionsThatTheProcessorHas) {
  Random random(2);
  for (const WideDots wide : wide_dots()) {
    for (std::size_t rows = 0; rows <= 17; ++rows) {
      for (std::size_t columns = 1; columns <= 9; ++columns) {
        for (const std::size_t length : std::initializer_list<std::size_t>{0, 1, 7, 8, 9, 23, 64}) {
          const std::vector<float> a = of_many_magnitudes(random, rows * length);
          const std::vector<float> floats = of_many_magnitudes(random, columns * length);
          const std::vector<double> b(floats.begin(), floats.end());
          std::vector<double> sums(rows * columns);
          wide(a.data(), rows, b.data(), columns, length, sums.data());
          for (std::size_t i = 0; i < sums.size(); ++i) {
            const double sum = dot<float>({a.data() + i / columns * length, index_of(length)},
                                          {b.data() + i % columns * length, index_of(length)});
            ASSERT_EQ(sums[i], sum) << rows << " rows, " << columns << " columns, " << length << " numbers";
          }
        }
      }
    }
  }
}

TEST(Dots, AddEveryEighthProductBeforeTheLanes) {
  std::vector<float> a(16, 0);
  const std::vector<double> b(16, 1);
  a[0] = 0x1p60F;
  a[1] = 1;
  a[8] = -0x1p60F;
  double sum = 0;
  dots({}, a.data(), 1, b.data(), 1, a.size(), &sum);
  EXPECT_EQ(sum, 1);  // in the order of the elements it would be 0
}

}  // namespace
}  // namespace ifcert::kernels
