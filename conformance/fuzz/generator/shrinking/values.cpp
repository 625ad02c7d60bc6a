// Simpler elements of constants and inputs, and shorter axes.
#include <algorithm>
#include <cstring>
#include <set>

#include "conformance/fuzz/generator/shrinking/edit.hpp"
#include "conformance/fuzz/generator/shrinking/graph_edits.hpp"

namespace ifcert::generator::shrinking {
namespace {

/// Calls `see` with each tensor: initializers, Constants, inputs of runs.
template <class Of, class See>
void for_each_tensor(Of& generated, const See& see) {
  const auto look = [&see](auto& value) {
    if (value.tensor() != nullptr) see(value);
  };
  for (auto& graph : generated.model.graphs) {
    for (auto& constant : graph.constants) look(constant.value);
    for (auto& node : graph.nodes) {
      for (auto& [name, attribute] : node.attributes) {
        if (auto* value = std::get_if<Value>(&attribute)) look(*value);
      }
    }
  }
  for (auto& run : generated.runs) std::ranges::for_each(run, look);
}

template <class Change>
bool change_tensor(Generated& generated, std::size_t number, const Change& change) {
  std::size_t at = 0;
  bool changed = false;
  for_each_tensor(generated, [&](Value& value) {
    if (at++ == number) changed = change(value);
  });
  return changed;
}

bool fill(Value& value, std::int64_t number) {
  const Tensor& tensor = *value.tensor();
  std::optional<Value> simple = filled(Type::tensor(tensor.type, static_shape(tensor.dims)), number);
  if (!simple || same_bits(*simple, value)) return false;
  value = std::move(*simple);
  return true;
}

/// The products of the dims before an axis (`outer`) and after it (`inner`).
struct Strides {
  std::size_t outer, inner;
};

Strides strides_of(const Dims& dims, std::size_t axis) {
  std::size_t outer = 1, inner = 1;
  for (std::size_t i = 0; i < dims.size(); ++i)
    (i < axis ? outer : inner) *= i == axis ? 1 : static_cast<std::size_t>(dims[i]);
  return {outer, inner};
}

Value cropped_strings(const Tensor& tensor, std::size_t axis, std::int64_t size) {
  const auto [outer, inner] = strides_of(tensor.dims, axis);
  const std::size_t before = static_cast<std::size_t>(tensor.dims[axis]) * inner;
  std::vector<std::string> kept;
  for (std::size_t row = 0; row < outer; ++row) {
    const auto begin = tensor.strings.begin() + static_cast<std::ptrdiff_t>(row * before);
    kept.insert(kept.end(), begin, begin + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(size) * inner));
  }
  Dims dims = tensor.dims;
  dims[axis] = size;
  return make_strings(std::move(dims), std::move(kept));
}

/// Keeps the first `size` elements along that axis; false for an axis that is not longer, and for packed elements.
bool crop(Value& value, std::size_t axis, std::int64_t size) {
  const Tensor tensor = *value.tensor();
  if (axis >= tensor.dims.size() || tensor.dims[axis] <= size) return false;
  if (tensor.type == ElementType::string) {
    value = cropped_strings(tensor, axis, size);
    return true;
  }
  if (bits_of(tensor.type) % 8 != 0) return false;
  const auto [outer, inner] = strides_of(tensor.dims, axis);
  const std::size_t row = inner * bits_of(tensor.type) / 8;
  Dims dims = tensor.dims;
  dims[axis] = size;
  std::byte* to = nullptr;
  Tensor made{tensor.type, dims, Buffer::allocate(bytes_of(tensor.type, element_count(dims)), &to), {}};
  const std::byte* from = tensor.data.bytes().data();
  for (std::size_t i = 0; i < outer; ++i) {
    const std::size_t kept = static_cast<std::size_t>(size) * row;
    if (kept > 0) std::memcpy(to + i * kept, from + i * static_cast<std::size_t>(tensor.dims[axis]) * row, kept);
  }
  value = std::move(made);
  return true;
}

bool shorten(Type& type, std::int64_t from, std::int64_t to) {
  bool changed = false;
  if (type.shape) {
    for (Dim& dim : *type.shape) {
      changed = changed || dim.value == from;
      if (dim.value == from) dim.value = to;
    }
  }
  for (Type& item : type.item) changed = shorten(item, from, to) || changed;
  return changed;
}

/// Shortens every axis of that size, also in declared types.
bool shorten_everywhere(Generated& generated, std::int64_t from, std::int64_t to) {
  bool changed = false;
  for_each_tensor(generated, [&](Value& value) {
    for (std::size_t axis = 0; axis < value.tensor()->dims.size(); ++axis) {
      if (value.tensor()->dims[axis] == from) changed = crop(value, axis, to) || changed;
    }
  });
  for (Graph& graph : generated.model.graphs) {
    for (SlotInfo& slot : graph.slots) changed = shorten(slot.declared, from, to) || changed;
  }
  return changed;
}

}  // namespace

Edits simpler_values(const Base& base) {
  Edits edits;
  std::size_t count = 0;
  for_each_tensor(base.generated, [&](const Value&) { ++count; });
  for (std::size_t number = 0; number < count; ++number) {
    for (const std::int64_t all : {0, 1}) {
      edits.emplace_back([number, all](Generated& changed) {
        return change_tensor(changed, number, [all](Value& value) { return fill(value, all); });
      });
    }
  }
  return edits;
}

Edits shorter_axes(const Base& base) {
  Edits edits;
  std::set<std::int64_t> sizes;
  std::vector<std::size_t> ranks;
  for_each_tensor(base.generated, [&](const Value& value) {
    ranks.push_back(value.tensor()->dims.size());
    sizes.insert(value.tensor()->dims.begin(), value.tensor()->dims.end());
  });
  for (const std::int64_t from : sizes) {
    for (std::int64_t to = 1; to < std::min<std::int64_t>(from, 4); ++to)
      edits.emplace_back([from, to](Generated& changed) { return shorten_everywhere(changed, from, to); });
  }
  for (std::size_t number = 0; number < ranks.size(); ++number) {
    for (std::size_t axis = 0; axis < ranks[number]; ++axis) {
      edits.emplace_back([number, axis](Generated& changed) {
        return change_tensor(changed, number, [axis](Value& value) { return crop(value, axis, 1); });
      });
    }
  }
  return edits;
}

}  // namespace ifcert::generator::shrinking
