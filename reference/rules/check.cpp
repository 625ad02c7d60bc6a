#include <algorithm>
#include <ifcert/rules.hpp>

#include "rules/if_rules.hpp"
#include "rules/inference.hpp"
#include "rules/recursion.hpp"

namespace ifcert {
namespace {

/// A function called twice shows its mistakes twice; a reader wants them once. Keeps the order.
std::vector<Diagnostic> without_repeats(std::vector<Diagnostic> broken) {
  std::vector<Diagnostic> once;
  for (Diagnostic& diagnostic : broken) {
    if (once.size() < 100 && std::ranges::find(once, diagnostic) == once.end()) once.push_back(std::move(diagnostic));
  }
  return once;
}

}  // namespace

std::vector<Diagnostic> check(const Model& model) {
  std::vector<Diagnostic> broken = checker::find_recursion(model);
  if (!broken.empty()) return broken;  // nothing can be inferred of functions without end
  checker::Inferred inferred =
      checker::infer(model, [&](const checker::IfSite& site) { checker::check_if(site, broken); });
  std::ranges::move(inferred.broken, std::back_inserter(broken));
  return without_repeats(std::move(broken));
}

std::vector<std::vector<Type>> infer_types(const Model& model) {
  return checker::infer(model).types;
}

std::vector<Diagnostic> check(const Reading& reading) {
  std::vector<Diagnostic> broken = reading.broken;
  std::ranges::move(check(reading.model), std::back_inserter(broken));
  return broken;
}

}  // namespace ifcert
