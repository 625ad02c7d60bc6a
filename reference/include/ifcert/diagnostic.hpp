// What is said of a model that breaks a rule, and the exception for a file that cannot be read at all.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace ifcert {

/// An error makes the model illegal. A warning names what is wrong where it may never come to run.
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

  bool operator==(const Diagnostic&) const = default;
};

/// "place: found [rule]\n  expected: …", "place: warning: found …"; the path of the model is the caller's to put in
/// front.
std::string to_string(const Diagnostic& diagnostic);

/// Those that make the model illegal.
std::vector<Diagnostic> errors_in(const std::vector<Diagnostic>& found);

/// Bytes that are no model of the format, or lie outside our limits. what() is one sentence with place, found and
/// expected.
class UnreadableModel : public std::runtime_error {
 public:
  explicit UnreadableModel(Diagnostic diagnostic);
  const Diagnostic& diagnostic() const { return diagnostic_; }

 private:
  Diagnostic diagnostic_;
};

}  // namespace ifcert
