#include "conformance/fuzz/model_form.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

namespace ifcert::conformance {
namespace {

/// The deepest level that is looked at, so that the recursion is limited.
constexpr std::size_t deepest = 50;

std::string form_of(const Model& model, GraphIndex index, std::size_t depth) {
  std::vector<std::string> words;
  for (const Node& node : model.graphs[index].nodes) {
    if (node.op == "Identity" || node.op == "Constant") continue;
    std::vector<std::string> bodies;
    for (const Body& body : node.bodies) {
      if (body.reference.empty() && depth < deepest)
        bodies.push_back(fmt::format("{}:{}", body.role, form_of(model, body.graph, depth + 1)));
    }
    const std::string inside = bodies.empty() ? "" : fmt::format("{{{}}}", fmt::join(bodies, ";"));
    words.push_back((node.call ? "call" : node.op) + inside);
  }
  return fmt::format("{}", fmt::join(words, " "));
}

}  // namespace

std::string form_of(const Model& model) {
  return form_of(model, 0, 0);
}

}  // namespace ifcert::conformance
