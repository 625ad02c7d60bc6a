#include "formats/written_limits.hpp"

#include <fmt/format.h>

#include <ifcert/inexpressible.hpp>

namespace ifcert {
namespace {

void spend(std::size_t& spent, std::size_t amount, std::size_t limit, std::string_view what, const Place& place) {
  spent += amount;
  if (spent > limit)
    throw Inexpressible(to_string(place), fmt::format("the file would hold more than {} {}", limit, what));
}

}  // namespace

void WrittenLimits::add_constant(const Tensor& tensor, const Place& place) {
  const bool texts = tensor.type == ElementType::string;
  std::size_t size = texts ? 0 : tensor.data.bytes().size();
  for (const std::string& text : tensor.strings) size += sizeof(std::string) + text.size();
  const void* bytes = texts ? static_cast<const void*>(tensor.strings.data()) : tensor.data.bytes().data();
  if (constants_.emplace(bytes, size).second) return;
  spend(repeated_bytes_, size, repeated_bytes_limit, "bytes of constants that several values share", place);
}

void WrittenLimits::add_name(std::string_view name, const Place& place) {
  if (name.size() <= long_name || names_.emplace(name.substr(0, long_name)).second) return;
  spend(repeated_names_, name.size(), repeated_names_limit, "bytes of repeated long names", place);
}

void WrittenLimits::add_dims(std::size_t count, const Place& place) {
  spend(dims_, count, written_dims_limit, "dimensions of types", place);
}

void WrittenLimits::add_captured(const SlotInfo& value, const Place& place) {
  spend(captured_bytes_, bytes_of_captured + value.name.size() + bytes_of_captured_part * parts_of(value.declared),
        captured_bytes_limit, "bytes of captured values, counted in each body", place);
}

}  // namespace ifcert
