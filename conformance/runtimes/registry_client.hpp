// Asks the registries' own clients (pip, npm, Maven, cargo) which versions of a package exist.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ifcert::conformance {

/// "Maven" for "maven": the name of a client in a sentence.
std::string_view client_name(std::string_view client);

/// Runs a client's command that finds and installs packages, one of them in this version. Throws Error where it fails:
/// in one sentence where the client finds no such version of a package, and otherwise after printing its output.
void run_client(std::string_view client, const std::string& version, std::vector<std::string> command);

/// All versions of a package on npm, as `npm view` lists them. Throws Error when it fails.
std::vector<std::string> versions_on_npm(const std::string& package);

/// The versions in the output of `npm view PACKAGE versions --json`: an array, or one string where there is only one.
std::vector<std::string> npm_versions_in(std::string_view text);

}  // namespace ifcert::conformance
