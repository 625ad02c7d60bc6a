#include "conformance/results/shard.hpp"

#include <fmt/format.h>

#include <charconv>

#include "conformance/system/error.hpp"

namespace ifcert::conformance {
namespace {

constexpr std::size_t max_shards = 10'000;

/// The number, if the whole text is a positive number; otherwise 0.
std::size_t number_in(std::string_view text) {
  std::size_t number = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
  return fault == std::errc() && end == text.data() + text.size() ? number : 0;
}

}  // namespace

std::string Shard::text() const {
  return count == 1 ? "" : fmt::format("{}/{}", number, count);
}

Shard shard_from(std::string_view text) {
  if (text.empty()) return {};
  const std::size_t slash = std::min(text.find('/'), text.size());
  const std::string_view rest = text.substr(std::min(slash + 1, text.size()));
  const Shard shard{number_in(text.substr(0, slash)), number_in(rest)};
  if (shard.number < 1 || shard.number > shard.count || shard.count > max_shards) {
    throw Error(fmt::format("invalid shard '{}'; expected I/N, the I-th of N parts, counted from 1; N is at most {}",
                            text, max_shards));
  }
  return shard;
}

}  // namespace ifcert::conformance
