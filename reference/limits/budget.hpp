// Limits on the work that a small file can cause: everything that a file can multiply is counted against a limit.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <ifcert/diagnostic.hpp>
#include <ifcert/types.hpp>
#include <string_view>

#include "model/place.hpp"

namespace ifcert {

/// The rule that a model breaks where it exceeds a budget.
inline constexpr std::string_view size_limit_rule = "onnx/model/size-limit";

/// The deepest nesting of sequence and optional types. Other readers of protobuf stop at about 30.
inline constexpr std::size_t type_nesting_limit = 100;

/// The usual limit: far more than real models have, little enough for every machine.
inline constexpr std::size_t budget_limit = 1'000'000;

/// The number of sequences and optionals around the innermost type.
inline std::size_t depth_of(const Type& type) {
  std::size_t depth = 0;
  for (const Type* at = &type; !at->item.empty(); at = &at->item.front()) ++depth;
  return depth;
}

/// A dimension with a longer name than this counts as several dimensions.
inline constexpr std::size_t bytes_per_part = 16;

/// The number of dimensions and item types of a type, which is the cost of a copy.
inline std::size_t parts_of(const Type& type) {
  const Type* innermost = &type;
  while (!innermost->item.empty()) innermost = &innermost->item.front();
  std::size_t parts = depth_of(type);
  if (!innermost->shape) return parts;
  parts += innermost->shape->size();
  for (const Dim& dim : *innermost->shape) parts += dim.symbol.size() / bytes_per_part;
  return parts;
}

class Budget {
 public:
  /// More than `limit` of `what` breaks `rule`. `what` follows a number in messages: "messages", "values, counting
  /// captures".
  explicit Budget(std::string_view what, std::size_t limit = budget_limit, std::string_view rule = size_limit_rule)
      : what_(what), limit_(limit), rule_(rule) {}

  /// Throws UnreadableModel where less than `amount` is left.
  /// Rule: onnx/model/size-limit.
  void spend(std::size_t amount, const Place& place) {
    if (amount > limit_ - spent_) refuse(place);
    spent_ += amount;
  }

 private:
  [[noreturn, gnu::noinline]] void refuse(const Place& place) const {
    throw UnreadableModel({std::string(rule_), to_string(place),
                           fmt::format("the model needs more than {} {}", limit_, what_),
                           "a model within this reader's limits"});
  }

  std::string_view what_;
  std::size_t limit_;
  std::string_view rule_;
  std::size_t spent_ = 0;
};

}  // namespace ifcert
