// The commands of ifcert: each adds itself to the program and stores its exit code where main reads it.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "conformance/suite/selection.hpp"

namespace ifcert::conformance {

/// Adds one command. It runs when the command line names it, sets exit_code, and throws Error (exit code 2).
using AddCommand = void(CLI::App& app, int& exit_code);

AddCommand add_certify;
AddCommand add_merge;
AddCommand add_diff;
AddCommand add_verify;
AddCommand add_history;
AddCommand add_bisect;
AddCommand add_fuzz;
AddCommand add_shrink;
AddCommand add_check;
AddCommand add_run;
AddCommand add_convert;
AddCommand add_specialise;
AddCommand add_show;
AddCommand add_list;
AddCommand add_explain;
AddCommand add_export;
AddCommand add_adapter;
AddCommand add_known_failures;
AddCommand add_reproduce;
AddCommand add_man;
AddCommand add_completion;

/// Prints the list of "rules", "vectors" (those selected), "adapters" or "profiles", in columns or as JSON. Throws
/// Error.
void print_list(const std::string& what, bool as_json, const Selection& selection = {});

/// A command line that users can type, and what it does. conformance/commands/help_test.py runs them all.
struct Example {
  std::string line, description;
};

/// Shows examples below the command's help, after `notes`.
void examples(CLI::App& command, const std::vector<Example>& all, const std::string& notes = "");

/// Restricts the option to these words; for any other it suggests the nearest.
CLI::Option* one_of(CLI::Option* option, const std::vector<std::string>& words);

}  // namespace ifcert::conformance
