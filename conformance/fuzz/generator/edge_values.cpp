#include "conformance/fuzz/generator/edge_values.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <ifcert/elements.hpp>
#include <limits>

#include "conformance/fuzz/generator/steps.hpp"

namespace ifcert::generator {
namespace {

/// Bits of float32: 0, -0, 1, -1, infinities, NaN, the largest, the smallest normal, 2^24, 2^24 - 1, 2^24 + 2.
constexpr std::array<std::uint32_t, 12> floats{0x00000000, 0x80000000, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000,
                                               0x7fc00000, 0x7f7fffff, 0x00800000, 0x4b800000, 0x4b7fffff, 0x4b800001};

constexpr std::int64_t two_to_24 = std::int64_t{1} << 24;
constexpr std::int64_t two_to_53 = std::int64_t{1} << 53;

constexpr std::array<std::int64_t, 8> narrow{0,
                                             -1,
                                             two_to_24 - 1,
                                             two_to_24,
                                             two_to_24 + 1,
                                             -two_to_24 - 1,
                                             std::numeric_limits<std::int32_t>::max(),
                                             std::numeric_limits<std::int32_t>::min()};

constexpr std::array<std::int64_t, 8> wide{two_to_53 - 1,
                                           two_to_53,
                                           two_to_53 + 1,
                                           -two_to_53 - 1,
                                           std::int64_t{1} << 32,
                                           (std::int64_t{1} << 32) + 1,
                                           std::numeric_limits<std::int64_t>::max(),
                                           std::numeric_limits<std::int64_t>::min()};

std::int64_t edge_number(Maker& maker, ElementType element) {
  const bool is_wide = element == ElementType::int64 && maker.random.percent(50);
  return maker.random.any_of(std::span<const std::int64_t>(is_wide ? wide : narrow));
}

ScopedValue edge_constant(Maker& maker, Scope& scope, ElementType element) {
  return constant(maker, scope, edge_value(maker, element, {}), {.opaque = true, .edge = true});
}

}  // namespace

Value edge_value(Maker& maker, ElementType element, const Dims& dims) {
  if (element == ElementType::float32) {
    std::vector<float> numbers(element_count(dims));
    for (float& number : numbers)
      number = std::bit_cast<float>(maker.random.any_of(std::span<const std::uint32_t>(floats)));
    return make_tensor<float>(element, dims, numbers);
  }
  std::vector<std::int64_t> numbers(element_count(dims));
  for (std::int64_t& number : numbers) number = edge_number(maker, element);
  return tensor_value(element, dims, numbers);
}

ScopedValue edge_comparison(Maker& maker, Scope& scope) {
  using enum ElementType;
  const auto fed = any_value(maker, scope, [](const Facts& facts) { return facts.has_rank() && facts.numbers.edge; });
  const ElementType element = fed ? fed->facts.element : maker.random.any_of({float32, float32, int64, int32});
  const ScopedValue x = fed && maker.random.percent(75) ? *fed : edge_constant(maker, scope, element);
  const ScopedValue y = edge_constant(maker, scope, element);
  Facts result = tensor_of(boolean, *x.facts.extents, {.bound = 1});
  result.most = x.facts.most;
  const std::vector<ScopedValue> operands = maker.random.percent(50) ? std::vector{x, y} : std::vector{y, x};
  return add(maker, scope, maker.random.any_of({"Less", "Greater", "Equal"}), operands, result);
}

bool add_edge_comparison(Maker& maker, Scope& scope) {
  edge_comparison(maker, scope);
  return true;
}

}  // namespace ifcert::generator
