#include "scan_output.hpp"

#include <fmt/format.h>

#include <cstring>
#include <stdexcept>

namespace ifcert {
namespace {

Tensor no_trips(const Type& item) {
  Tensor none{item.element, {0}, {}, {}};
  if (item.is_tensor() && item.shape) {
    for (const Dim& dim : *item.shape) none.dims.push_back(dim.known() ? dim.value : 0);
  }
  return none;
}

}  // namespace

Value stack_trips(std::span<const Value> trips, const Type& item) {
  if (trips.empty()) return no_trips(item);
  const Tensor* first = trips.front().tensor();
  for (const Value& trip : trips) {
    const Tensor* tensor = trip.tensor();
    if (first == nullptr || tensor == nullptr || tensor->type != first->type || tensor->dims != first->dims) {
      throw std::runtime_error(fmt::format("a trip gives {}, the first gave {}", to_string(type_of(trip)),
                                           to_string(type_of(trips.front()))));
    }
  }
  Tensor stacked{first->type, first->dims, {}, {}};
  stacked.dims.insert(stacked.dims.begin(), static_cast<std::int64_t>(trips.size()));
  const std::size_t each = bytes_of(first->type, first->count());
  if (bits_of(first->type) % 8 != 0 && first->count() * bits_of(first->type) % 8 != 0) {
    throw std::runtime_error(
        fmt::format("trips of an odd number of {} elements are not stacked", name_of(first->type)));
  }
  std::byte* to = nullptr;
  stacked.data = Buffer::allocate(each * trips.size(), &to);
  for (const Value& trip : trips) {
    const Tensor& tensor = *trip.tensor();
    stacked.strings.insert(stacked.strings.end(), tensor.strings.begin(), tensor.strings.end());
    if (each > 0) std::memcpy(to, tensor.data.bytes().data(), each);
    to += each;
  }
  return stacked;
}

}  // namespace ifcert
