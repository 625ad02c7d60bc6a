#include "conformance/selection.hpp"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <array>
#include <functional>

namespace ifcert::conformance {
namespace {

bool glob_matches(const std::string& glob, const std::string& text) {
  return ::fnmatch(glob.c_str(), text.c_str(), 0) == 0;
}

/// A kind of selector: its option, its globs, and the part of a vector that they speak of.
struct Kind {
  const char* option;
  const std::vector<std::string>* globs;
  std::string VectorSummary::*part;
};

std::array<Kind, 3> kinds(const Selection& selection) {
  return {{{"--rule", &selection.rules, &VectorSummary::rule},
           {"--vector", &selection.vectors, &VectorSummary::id},
           {"--profile", &selection.profiles, &VectorSummary::system}}};
}

std::string spelled(const Kind& kind, const std::string& glob) {
  return fmt::format("{} '{}'", kind.option, glob);
}

}  // namespace

bool Selection::selects(const VectorSummary& vector) const {
  return std::ranges::all_of(kinds(*this), [&vector](const Kind& kind) {
    return kind.globs->empty() || std::ranges::any_of(*kind.globs, [&](const std::string& glob) {
             return glob_matches(glob, vector.*kind.part);
           });
  });
}

std::string Selection::text() const {
  std::vector<std::string> parts;
  for (const Kind& kind : kinds(*this)) {
    for (const std::string& glob : *kind.globs) parts.push_back(spelled(kind, glob));
  }
  return fmt::format("{}", fmt::join(parts, " "));
}

std::vector<std::string> Selection::idle(const std::vector<VectorSummary>& all) const {
  std::vector<std::string> idle;
  for (const Kind& kind : kinds(*this)) {
    for (const std::string& glob : *kind.globs) {
      const bool matches =
          std::ranges::any_of(all, [&](const VectorSummary& vector) { return glob_matches(glob, vector.*kind.part); });
      if (!matches) idle.push_back(spelled(kind, glob));
    }
  }
  return idle;
}

}  // namespace ifcert::conformance
