#include "convert/tflite_shape.hpp"

#include <limits>

namespace ifcert::translation {
namespace {

using Piece = std::variant<Integers, Dims0>;

const Type list_type = Type::tensor(ElementType::int32, Shape{Dim{}});

Type list_of_length(std::optional<std::size_t> length) {
  return length ? Type::tensor(ElementType::int32, Shape{Dim{static_cast<std::int64_t>(*length), {}}}) : list_type;
}

/// The dims that are the same in every run.
std::optional<Integers> known_dims(const TranslationSite& site, const Piece& piece) {
  if (const auto* numbers = std::get_if<Integers>(&piece)) return *numbers;
  const auto [begin, size] = std::get<Dims0>(piece);
  const std::optional<Shape> shape = site.shape(0);
  if (!shape) return std::nullopt;
  const auto rank = static_cast<std::int64_t>(shape->size());
  Integers dims;
  for (std::int64_t i = begin; i < (size < 0 ? rank : begin + size); ++i) {
    if (i >= rank || !(*shape)[static_cast<std::size_t>(i)].known()) return std::nullopt;
    dims.push_back((*shape)[static_cast<std::size_t>(i)].value);
  }
  return dims;
}

}  // namespace

Slot int32_constant(TranslationSite& site, const Integers& numbers) {
  std::vector<std::int32_t> narrow;
  for (const std::int64_t number : numbers) {
    if (number < std::numeric_limits<std::int32_t>::min() || number > std::numeric_limits<std::int32_t>::max())
      site.refuse(fmt::format("{} does not fit the 32 bits of a dim", number));
    narrow.push_back(static_cast<std::int32_t>(number));
  }
  return site.constant(
      make_tensor<std::int32_t>(ElementType::int32, {static_cast<std::int64_t>(narrow.size())}, narrow));
}

Slot int32_list(TranslationSite& site, const List& list) {
  if (list.slot == no_slot || list.known) return int32_constant(site, list.known.value_or(Integers{}));
  return site.add_value(list_type, "CAST", {list.slot}, {{"out_data_type", "int32"}});
}

Slot shape_of(TranslationSite& site, Slot slot, std::optional<std::size_t> rank) {
  return site.add_value(list_of_length(rank), "SHAPE", {slot}, {{"out_type", "int32"}});
}

Slot joined_shape(TranslationSite& site, const std::vector<Piece>& pieces) {
  std::vector<Slot> parts;
  Integers known;  // since the last part
  Slot shape = no_slot;
  const auto add_known = [&] {
    if (!known.empty()) parts.push_back(int32_constant(site, known));
    known.clear();
  };
  for (const Piece& piece : pieces) {
    if (const auto dims = known_dims(site, piece)) {
      known.insert(known.end(), dims->begin(), dims->end());
      continue;
    }
    add_known();
    const auto [begin, size] = std::get<Dims0>(piece);
    if (shape == no_slot) shape = shape_of(site, site.input(0), site.rank(0));
    const Slot first = int32_constant(site, {begin});
    parts.push_back(site.add_value(list_type, "SLICE", {shape, first, int32_constant(site, {size})}));
  }
  if (parts.empty()) return int32_constant(site, known);
  add_known();
  if (parts.size() == 1) return parts.front();
  return site.add_value(list_type, "CONCATENATION", parts, {{"axis", std::int64_t{0}}});
}

}  // namespace ifcert::translation
