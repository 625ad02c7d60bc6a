// Text in a written IR: strings that XML can hold, and unique names.
#pragma once

#include <string>
#include <unordered_map>
#include <unordered_set>

#include "model/place.hpp"

namespace ifcert::openvino {

/// Returns the text. Throws Inexpressible where XML has no such character, or the bytes are not UTF-8.
std::string xml_text(const std::string& text, const Place& place);

/// Makes names unique.
class UniqueNames {
 public:
  /// The name itself, or, where it was used before, followed by a number.
  std::string make(const std::string& name);

  /// True where the name is new.
  bool claim(const std::string& name) { return given_.insert(name).second; }

 private:
  std::unordered_set<std::string> given_;
  std::unordered_map<std::string, std::size_t> numbers_;
};

}  // namespace ifcert::openvino
