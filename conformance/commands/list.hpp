// Prints lists in columns or as JSON.
#pragma once

#include <string>

namespace ifcert::conformance {

/// Prints the list of "rules", "vectors", "adapters" or "profiles". Throws Error.
void print_list(const std::string& what, bool as_json);

}  // namespace ifcert::conformance
