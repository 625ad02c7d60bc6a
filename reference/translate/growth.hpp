// How much larger than a model its translation may be: a list that many nodes share becomes one for each of them, and
// one node a chain of operations.
#pragma once

#include <cstddef>
#include <ifcert/graph.hpp>

#include "place.hpp"

namespace ifcert::translation {

/// What one operation or constant that is made counts as, beside what it holds, in bytes.
inline constexpr std::size_t bytes_of_operation = 128;

/// What each operation counts as that a node becomes beside the first: a list of operands may be named by many nodes,
/// and an operand become an operation for each of them, which takes much more memory than the four bytes that name it.
inline constexpr std::size_t bytes_of_further_operation = 1024;

/// Bytes of operations, attributes and constants that are made in one translation.
inline constexpr std::size_t growth_limit = std::size_t{32} << 20;

class Growth {
 public:
  /// Throws Inexpressible where the limit is reached.
  void spend(std::size_t bytes, const Place& place);

  /// Attributes that are made.
  void spend(const Attributes& attributes, const Place& place);

 private:
  std::size_t spent_ = 0;
};

/// Bytes of what an attribute holds itself; the elements of a tensor are shared.
std::size_t bytes_in(const AttributeValue& value);

}  // namespace ifcert::translation
