// Texts that IR writes: what XML can hold, and names that are names of one thing.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "place.hpp"

namespace ifcert::openvino {

/// The text itself. Throws Inexpressible where XML has no such character, or the bytes are no UTF-8.
std::string xml_text(const std::string& text, const Place& place);

/// A name in a list of names: a comma gets a backslash.
std::string in_list(std::string_view name);

/// Names of which each is given once.
class UniqueNames {
 public:
  /// The name itself, or, where it was given before, with a number behind it.
  std::string make(const std::string& name);

  /// True where it had not been given.
  bool claim(const std::string& name) { return given_.insert(name).second; }

 private:
  std::unordered_set<std::string> given_;
  std::unordered_map<std::string, std::size_t> numbers_;
};

}  // namespace ifcert::openvino
