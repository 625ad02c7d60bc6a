#include "conformance/certify/sampled_rewritings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include "conformance/system/digest.hpp"

namespace ifcert::conformance {
namespace {

/// A number that depends on the vector and the rewriting alone. A rewriting that few models have comes first more
/// often.
std::uint64_t rank_of(const Vector& vector, const Rewriting& rewriting) {
  const std::string digest = sha256(fmt::format("{} {}", vector.summary.id, rewriting.name));
  const std::uint64_t rank = std::stoull(digest.substr(0, 15), nullptr, 16);
  return rewriting.is_rare ? rank / 8 : rank;
}

/// The rewritings in the vector's own order.
std::vector<const Rewriting*> in_own_order(const Vector& vector) {
  std::vector<std::pair<std::uint64_t, const Rewriting*>> ranked;
  for (const Rewriting* rewriting : rewritings_of(vector.summary.system))
    ranked.emplace_back(rank_of(vector, *rewriting), rewriting);
  std::ranges::sort(ranked);
  std::vector<const Rewriting*> order;
  for (const auto& [rank, rewriting] : ranked) order.push_back(rewriting);
  return order;
}

}  // namespace

std::vector<SampledRewriting> sampled_rewritings(const Vector& vector, std::size_t wanted) {
  std::vector<SampledRewriting> sampled;
  for (const Rewriting* rewriting : in_own_order(vector)) {
    if (sampled.size() == wanted) break;
    try {
      sampled.push_back({rewriting, rewritten_by(*rewriting, vector.files)});
    } catch (const NotMade&) {
      continue;  // the next one
    }
  }
  return sampled;
}

}  // namespace ifcert::conformance
