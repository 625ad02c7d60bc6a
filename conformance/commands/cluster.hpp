// --on local|ray: the command's work is done in shards, each by the same command somewhere else. The Python package
// ifcert.cluster distributes them and collects what they return (docs/runner.md).
#pragma once

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <string>

#include "conformance/project.hpp"

namespace ifcert::conformance {

/// Adds the option --on, which cannot be combined with the options that are named.
void add_on(CLI::App& command, std::string& on, const std::vector<std::string>& excluded);

/// Becomes `python -m ifcert.cluster`, with all options of the command line and what `more` adds. The Python is that of
/// the package that was installed, else the checkout's .venv, else python3. Throws Error if it cannot be started.
[[noreturn]] void hand_over(const Project& project, const CLI::App& command, const nlohmann::ordered_json& more);

}  // namespace ifcert::conformance
