// The limit on the size of a translation: a list that many nodes share is copied for each of them, and one node may
// become a chain of operations.
#pragma once

#include <cstddef>
#include <ifcert/graph.hpp>
#include <unordered_set>

#include "model/place.hpp"

namespace ifcert::translation {

/// The size of a new operation or constant without its contents, in bytes.
inline constexpr std::size_t bytes_of_operation = 128;

/// The size of each further operation that a node becomes, in bytes. Many nodes may name the same operands, and an
/// operand may become an operation for each of them, which takes much more memory than the four bytes that name it.
inline constexpr std::size_t bytes_of_further_operation = 1024;

/// The limit on values and nodes, counting each copy: functions that call functions twice, or subgraphs that name
/// subgraphs twice, double with each level.
inline constexpr std::size_t most_copied = 200'000;

/// Counts the bytes of new operations, attributes and constants in one translation.
inline constexpr std::size_t growth_limit = std::size_t{32} << 20;

class Growth {
 public:
  /// Throws Inexpressible where the limit is exceeded.
  void spend(std::size_t bytes, const Place& place);

  /// Counts a constant that is read as a list of numbers: many nodes may share one long list. The first time is free.
  void spend_list(const Tensor& list, const Place& place);

  /// Counts new attributes.
  void spend(const Attributes& attributes, const Place& place);

 private:
  std::size_t spent_ = 0;
  std::unordered_set<const void*> lists_;
};

/// The bytes of an attribute, without the elements of a tensor, which are shared.
std::size_t bytes_in(const AttributeValue& value);

}  // namespace ifcert::translation
