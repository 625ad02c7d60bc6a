#include "conformance/fuzz/generator/known.hpp"

#include <algorithm>
#include <limits>

namespace ifcert::generator {

bool Known::is_single() const {
  return has_rank() && std::ranges::all_of(*extents, [](AxisSize extent) { return extent == 1; });
}

std::optional<std::int64_t> count_of(const Extents& extents) {
  std::int64_t count = 1;
  for (const AxisSize extent : extents) {
    if (extent < 0) return std::nullopt;
    count *= extent;
  }
  return count;
}

Known tensor_of(ElementType element, Extents extents, Numbers numbers) {
  Known known{.element = element, .numbers = numbers};
  known.most = count_of(extents).value_or(most_elements);
  known.extents = std::move(extents);
  return known;
}

Type type_of(const Known& known) {
  Type tensor = Type::tensor(known.element);
  if (known.kind == Type::Kind::sequence) return Type::sequence_of(std::move(tensor));
  if (known.kind == Type::Kind::optional) return Type::optional_of(std::move(tensor));
  if (!known.extents) return tensor;
  tensor.shape.emplace();
  for (const AxisSize extent : *known.extents) tensor.shape->push_back({std::max<AxisSize>(extent, -1), {}});
  return tensor;
}

std::int64_t bound_of_sum(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  return __builtin_add_overflow(a, b, &sum) ? std::numeric_limits<std::int64_t>::max() : sum;
}

std::int64_t bound_of_product(std::int64_t a, std::int64_t b) {
  std::int64_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? std::numeric_limits<std::int64_t>::max() : product;
}

Numbers either(const Numbers& a, const Numbers& b) {
  return {std::max(a.bound, b.bound), a.negative_zero || b.negative_zero, a.opaque || b.opaque};
}

Extents outside(const Extents& extents, AxisSize mark, RunSizes& sizes) {
  Extents result = extents;
  for (AxisSize& extent : result) {
    if (extent < mark) extent = sizes.fresh();
  }
  return result;
}

Known outside(Known known, AxisSize mark, RunSizes& sizes) {
  if (known.extents) known.extents = outside(*known.extents, mark, sizes);
  return known;
}

Known either(const Known& a, const Known& b, AxisSize mark, RunSizes& sizes) {
  Known known = outside(a, mark, sizes);
  known.numbers = either(a.numbers, b.numbers);
  known.most = std::max(a.most, b.most);
  known.length = std::min(a.length, b.length);
  known.present = a.present && b.present;
  if (a.truth != b.truth) known.truth.reset();
  if (!a.extents || !b.extents || a.extents->size() != b.extents->size()) {
    known.extents.reset();
    return known;
  }
  for (std::size_t i = 0; i < a.extents->size(); ++i) {
    const bool same = (*a.extents)[i] == (*b.extents)[i] && (*a.extents)[i] >= mark;
    if (!same) (*known.extents)[i] = sizes.fresh();
  }
  return known;
}

}  // namespace ifcert::generator
