// The user's environment variables that are passed on to an adapter.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace ifcert::conformance {

/// Of this process's variables, those that tell programs and libraries where things are and how texts are written
/// (PATH, LANG, TZ and the like), and those that are `named`. The others may hold secrets, such as a token, or change
/// what an adapter computes without a trace in the results.
std::map<std::string, std::string> variables_handed_on(const std::vector<std::string>& named);

}  // namespace ifcert::conformance
