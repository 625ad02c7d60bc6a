// Which rewritings of a vector's model are run: some, chosen by the vector's id, or all.
#pragma once

#include <cstddef>
#include <vector>

#include "conformance/rewritings/rewriting.hpp"
#include "conformance/suite/suite.hpp"

namespace ifcert::conformance {

inline constexpr std::size_t all_of_them = static_cast<std::size_t>(-1);

struct SampledRewriting {
  const Rewriting* rewriting;
  ModelFiles files;
};

/// Up to `wanted` rewritings of the vector's model, always the same ones. Those that few vectors have come first more
/// often, so that each is run about as often as any other.
std::vector<SampledRewriting> sampled_rewritings(const Vector& vector, std::size_t wanted);

}  // namespace ifcert::conformance
