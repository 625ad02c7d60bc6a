#include "conformance/certify/sampled_rewritings.hpp"

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <utility>

#include "conformance/system/digest.hpp"

namespace ifcert::conformance {
namespace {

/// How often a rewriting comes first that few models have, compared with another: not always, because trying what
/// cannot be made takes most of the time.
constexpr std::uint64_t rare_before_others = 3;

/// The rewritings in the vector's own order, which depends on its id alone.
std::vector<const Rewriting*> in_own_order(const VectorSummary& vector) {
  std::mt19937_64 random(std::stoull(sha256(vector.id).substr(0, 16), nullptr, 16));
  std::vector<std::pair<std::uint64_t, const Rewriting*>> ranked;
  for (const Rewriting* rewriting : rewritings_of(vector.system)) {
    const std::uint64_t rank = random();
    ranked.emplace_back(rewriting->is_rare ? rank / rare_before_others : rank, rewriting);
  }
  std::ranges::sort(ranked);
  std::vector<const Rewriting*> order;
  for (const auto& [rank, rewriting] : ranked) order.push_back(rewriting);
  return order;
}

/// Whether the rewriting can be made, and so is added.
bool is_added(const Rewriting& rewriting, RewrittenModel& model) {
  try {
    model.files = rewritten_by(rewriting, model.files);
    model.rewritings.push_back(&rewriting);
    return true;
  } catch (const NotMade&) {
    return false;
  }
}

}  // namespace

std::vector<RewrittenModel> sampled_rewritings(const Vector& vector, std::size_t wanted) {
  const std::vector<const Rewriting*> order = in_own_order(vector.summary);
  if (wanted == all_of_them) return made_alone(vector, order);
  RewrittenModel model{.rewritings = {}, .files = vector.files};
  for (const Rewriting* rewriting : order) {
    if (model.rewritings.size() == wanted) break;
    const auto is_alike = [&](const Rewriting* made) { return made->subject == rewriting->subject; };
    if (std::ranges::none_of(model.rewritings, is_alike)) is_added(*rewriting, model);
  }
  if (model.rewritings.empty()) return {};
  return {std::move(model)};
}

std::vector<RewrittenModel> made_alone(const Vector& vector, const std::vector<const Rewriting*>& rewritings) {
  std::vector<RewrittenModel> models;
  for (const Rewriting* rewriting : rewritings) {
    RewrittenModel model{.rewritings = {}, .files = vector.files};
    if (is_added(*rewriting, model)) models.push_back(std::move(model));
  }
  return models;
}

}  // namespace ifcert::conformance
