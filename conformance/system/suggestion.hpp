// The names that a user may have meant by an unknown name.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ifcert::conformance {

/// The names nearest to the word, nearest first, at most three: with a few letters changed, left out, added or
/// exchanged with their neighbour, or with the word as a part of them. None where all are far.
std::vector<std::string> suggestions(std::string_view word, const std::vector<std::string>& names);

/// "; did you mean A or B?", or nothing.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& names);

}  // namespace ifcert::conformance
