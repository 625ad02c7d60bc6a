// What is said of a model that breaks a rule, and the exception for a file that cannot be read at all.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace ifcert {

/// One broken rule at one place: `place` is a path through the model such as
/// `graph "main" / node "if0" (If) / then_branch / output 1`.
struct Diagnostic {
  std::string rule;
  std::string place;
  std::string found;
  std::string asked;

  bool operator==(const Diagnostic&) const = default;
};

/// "place: found [rule]\n  asked: …"; the path of the model is the caller's to put in front.
std::string to_string(const Diagnostic& diagnostic);

/// Bytes that are no model of the format, or lie outside our limits. what() is one sentence with place, found and
/// asked.
class UnreadableModel : public std::runtime_error {
 public:
  explicit UnreadableModel(Diagnostic diagnostic);
  const Diagnostic& diagnostic() const { return diagnostic_; }

 private:
  Diagnostic diagnostic_;
};

}  // namespace ifcert
