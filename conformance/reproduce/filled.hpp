// Templates: text in which words stand for something else.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace ifcert::conformance {

/// The text with each of the words replaced by its value. A line that is nothing but a word becomes the value's lines,
/// as far to the right as the word was; none where the value is empty. Words in values stay.
std::string filled(std::string_view text, const std::map<std::string, std::string>& values);

}  // namespace ifcert::conformance
