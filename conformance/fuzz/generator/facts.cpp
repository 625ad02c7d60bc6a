#include "conformance/fuzz/generator/facts.hpp"

#include <algorithm>
#include <limits>

namespace ifcert::generator {

bool Facts::is_single() const {
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

Facts tensor_of(ElementType element, Extents extents, Numbers numbers) {
  Facts facts{.element = element, .numbers = numbers};
  facts.most = count_of(extents).value_or(most_elements);
  facts.extents = std::move(extents);
  return facts;
}

Type type_of(const Facts& facts) {
  Type tensor = Type::tensor(facts.element);
  if (facts.kind == Type::Kind::sequence) return Type::sequence_of(std::move(tensor));
  if (facts.kind == Type::Kind::optional) return Type::optional_of(std::move(tensor));
  if (!facts.extents) return tensor;
  tensor.shape.emplace();
  for (const AxisSize extent : *facts.extents) tensor.shape->push_back({std::max<AxisSize>(extent, -1), {}});
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
  return {std::max(a.bound, b.bound), a.negative_zero || b.negative_zero, a.opaque || b.opaque, a.edge && b.edge};
}

Extents outside(const Extents& extents, AxisSize mark, RunSizes& sizes) {
  Extents result = extents;
  for (AxisSize& extent : result) {
    if (extent < mark) extent = sizes.fresh();
  }
  return result;
}

Facts outside(Facts facts, AxisSize mark, RunSizes& sizes) {
  if (facts.extents) facts.extents = outside(*facts.extents, mark, sizes);
  return facts;
}

Facts either(const Facts& a, const Facts& b, AxisSize mark, RunSizes& sizes) {
  Facts facts = outside(a, mark, sizes);
  facts.numbers = either(a.numbers, b.numbers);
  facts.most = std::max(a.most, b.most);
  facts.length = std::min(a.length, b.length);
  facts.present = a.present && b.present;
  if (a.truth != b.truth) facts.truth.reset();
  if (!a.extents || !b.extents || a.extents->size() != b.extents->size()) {
    facts.extents.reset();
    return facts;
  }
  for (std::size_t i = 0; i < a.extents->size(); ++i) {
    const bool same = (*a.extents)[i] == (*b.extents)[i] && (*a.extents)[i] >= mark;
    if (!same) (*facts.extents)[i] = sizes.fresh();
  }
  return facts;
}

}  // namespace ifcert::generator
