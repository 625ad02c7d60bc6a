// Diagnostics for models that break a rule, and the exception for files that cannot be read at all.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace ifcert {

/// An error makes the model illegal. A warning is about a node that may never run.
enum class Level : std::uint8_t { error, warning };

/// "error", "warning".
std::string_view name_of(Level level);

/// One broken rule at one place: `place` is a path through the model such as
/// `graph "main" / node "if0" (If) / then_branch / output 1`.
struct Diagnostic {
  std::string rule;
  std::string place;
  std::string found;
  std::string expected;
  Level level = Level::error;
  /// The model has one meaning in spite of this, so that a caller may allow it (AllowedRules): see all_allowances().
  bool allowable = false;

  bool operator==(const Diagnostic&) const = default;
};

/// "place: found [rule]\n  expected: …", with "warning: " after the place of a warning. The caller adds the model's
/// path.
std::string to_string(const Diagnostic& diagnostic);

/// The diagnostics that make the model illegal.
std::vector<Diagnostic> errors_in(const std::vector<Diagnostic>& found);

/// Bytes that are not a model of the format, or exceed this reader's limits. what() is one sentence with place, found
/// and expected.
class UnreadableModel : public std::runtime_error {
 public:
  explicit UnreadableModel(Diagnostic diagnostic);
  const Diagnostic& diagnostic() const { return diagnostic_; }

 private:
  Diagnostic diagnostic_;
};

}  // namespace ifcert
