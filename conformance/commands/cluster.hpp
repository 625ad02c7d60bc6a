// --on local|ray: the command's work is done in shards, each by another process with the same command, here or on
// another machine. The Python package ifcert.cluster distributes the shards and collects their results
// (docs/runner.md).
#pragma once

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <string>

#include "conformance/system/project.hpp"

namespace ifcert::conformance {

/// Adds the option --on, which cannot be combined with the options in `excluded`.
void add_on_option(CLI::App& command, std::string& on, const std::vector<std::string>& excluded);

/// Replaces this process by `python -m ifcert.cluster`, with all options of the command line and the members of `more`.
/// The Python is that of the installed package, otherwise that of the checkout's .venv, otherwise python3. Throws Error
/// if it cannot be started.
[[noreturn]] void run_in_shards(const Project& project, const CLI::App& command, const nlohmann::ordered_json& more);

}  // namespace ifcert::conformance
