// Messages of exceptions.
#pragma once

#include <algorithm>
#include <string>

namespace ifcert {

/// Without NUL, where what() would end: the names in a file may have some.
inline std::string whole_message(std::string text) {
  std::ranges::replace(text, '\0', '?');
  return text;
}

}  // namespace ifcert
