#include <fmt/format.h>

#include <algorithm>
#include <ifcert/diagnostic.hpp>
#include <ifcert/message.hpp>
#include <iterator>

namespace ifcert {

std::string_view name_of(Level level) {
  return level == Level::error ? "error" : "warning";
}

std::string to_string(const Diagnostic& diagnostic) {
  return fmt::format("{}: {}{} [{}]\n  expected: {}", printable(diagnostic.place),
                     diagnostic.level == Level::warning ? "warning: " : "", printable(diagnostic.found),
                     printable(diagnostic.rule), printable(diagnostic.expected));
}

std::vector<Diagnostic> errors_in(const std::vector<Diagnostic>& found) {
  std::vector<Diagnostic> errors;
  std::ranges::copy_if(
      found, std::back_inserter(errors), [](Level level) { return level == Level::error; }, &Diagnostic::level);
  return errors;
}

UnreadableModel::UnreadableModel(Diagnostic diagnostic)
    : std::runtime_error(
          printable(fmt::format("{}: {}; expected: {}{}", diagnostic.place, diagnostic.found, diagnostic.expected,
                                diagnostic.rule.empty() ? "" : fmt::format(" [{}]", diagnostic.rule)))),
      diagnostic_(std::move(diagnostic)) {}

}  // namespace ifcert
