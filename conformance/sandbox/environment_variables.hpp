// The user's environment variables that are passed on to an adapter.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace ifcert::conformance {

/// The environment variables of this process that are harmless (PATH, LANG, TZ and a few more), and those that are
/// `named`. Others may contain secrets, or change what an adapter computes although the results do not record them.
std::map<std::string, std::string> variables_passed_on(const std::vector<std::string>& named);

}  // namespace ifcert::conformance
