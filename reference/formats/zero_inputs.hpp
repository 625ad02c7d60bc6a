// Zeros as inputs for any model, of the types that its main graph declares.
#pragma once

#include <ifcert/reference.hpp>
#include <optional>
#include <vector>

namespace ifcert {

/// A tensor of zeros of the declared type, with 1 for unknown dims; nullopt for another kind of type and for more than
/// 64 Ki elements.
inline std::optional<Value> zeros_of(const Type& type) {
  if (!type.is_tensor() || !type.shape || type.element == ElementType::undefined) return std::nullopt;
  Dims dims;
  std::uint64_t count = 1;
  for (const Dim& dim : *type.shape) {
    dims.push_back(dim.known() ? dim.value : 1);
    if (dim.known() && dim.value > 65536) return std::nullopt;
    count *= static_cast<std::uint64_t>(dims.back());
    if (count > 65536) return std::nullopt;
  }
  if (type.element == ElementType::string) return make_strings(dims, std::vector<std::string>(count));
  std::byte* bytes = nullptr;
  return Tensor{type.element, dims, Buffer::allocate(bytes_of(type.element, count), &bytes), {}};
}

/// One for each input of the main graph, or nullopt where one of them cannot be made.
inline std::optional<std::vector<Value>> zero_inputs(const Graph& main) {
  std::vector<Value> values;
  for (const Slot slot : main.inputs) {
    const std::optional<Value> zeros = zeros_of(main.slots[slot].declared);
    if (!zeros) return std::nullopt;
    values.push_back(*zeros);
  }
  return values;
}

}  // namespace ifcert
