#include "conformance/fuzz/rewritten.hpp"

#include <cstddef>
#include <utility>

namespace ifcert::conformance {
namespace {

/// Whether the files are now as the rewriting makes them.
bool is_made(const Rewriting& rewriting, ModelFiles& files) {
  try {
    files = rewritten_by(rewriting, files);
    return true;
  } catch (const NotMade&) {
    return false;
  }
}

}  // namespace

RewritingChain chosen_rewritings(const Vector& vector, generator::Random& random) {
  RewritingChain left = rewritings_of(vector.summary.system);
  RewritingChain chosen;
  ModelFiles files = vector.files;
  const auto wanted = static_cast<std::size_t>(random.between(1, 3));
  while (!left.empty() && chosen.size() < wanted) {
    const auto at = static_cast<std::ptrdiff_t>(random.below(left.size()));
    const Rewriting* rewriting = left[static_cast<std::size_t>(at)];
    left.erase(left.begin() + at);
    if (is_made(*rewriting, files)) chosen.push_back(rewriting);
  }
  return chosen;
}

std::optional<Vector> rewritten_vector(Vector vector, const RewritingChain& chain) {
  bool is_changed = false;
  for (const Rewriting* rewriting : chain) {
    if (is_made(*rewriting, vector.files)) is_changed = true;
  }
  return is_changed ? std::optional(std::move(vector)) : std::nullopt;
}

std::string to_string(const RewritingChain& chain) {
  std::string text = "rewritten";
  for (const Rewriting* rewriting : chain) text += " " + std::string(rewriting->name);
  return text;
}

}  // namespace ifcert::conformance
