// The environment variables that an adapter is given of the user's.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace ifcert::conformance {

/// Of this process's variables those that say where programs and libraries lie and how texts are written (PATH, LANG,
/// TZ and the like), and those that are `named`. The others may hold what an adapter must not learn, as a token, or
/// change what it computes without a trace in the results.
std::map<std::string, std::string> variables_handed_on(const std::vector<std::string>& named);

}  // namespace ifcert::conformance
