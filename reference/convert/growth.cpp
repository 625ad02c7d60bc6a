#include "convert/growth.hpp"

#include <fmt/format.h>

#include <ifcert/inexpressible.hpp>

#include "limits/budget.hpp"

namespace ifcert::translation {
namespace {

struct BytesIn {
  std::size_t operator()(const std::string& text) const { return text.size(); }
  std::size_t operator()(const std::vector<std::int64_t>& list) const { return list.size() * sizeof list[0]; }
  std::size_t operator()(const std::vector<float>& list) const { return list.size() * sizeof list[0]; }
  std::size_t operator()(const std::vector<std::string>& texts) const {
    std::size_t bytes = 0;
    for (const std::string& text : texts) bytes += sizeof(std::string) + text.size();
    return bytes;
  }
  std::size_t operator()(const Type& type) const { return parts_of(type) * bytes_per_part; }
  std::size_t operator()(const auto& /*other*/) const { return 0; }
};

}  // namespace

std::size_t bytes_in(const AttributeValue& value) {
  return std::visit(BytesIn{}, value);
}

void Growth::spend(std::size_t bytes, const Place& place) {
  spent_ += bytes;
  if (spent_ > growth_limit)
    throw Inexpressible(to_string(place),
                        fmt::format("in the other format the model would take more than {} bytes", growth_limit));
}

void Growth::spend_list(const Tensor& list, const Place& place) {
  if (!lists_.insert(list.data.bytes().data()).second) spend(list.data.bytes().size(), place);
}

void Growth::spend(const Attributes& attributes, const Place& place) {
  for (const auto& [name, value] : attributes) spend(name.size() + bytes_in(value), place);
}

}  // namespace ifcert::translation
