// The commands of ifcert: each adds itself to the program and leaves its exit code where main reads it.
#pragma once

#include <CLI/CLI.hpp>

namespace ifcert::conformance {

/// Adds one command. It runs when the command line names it, sets exit_code, and throws Error (exit code 2).
using AddCommand = void(CLI::App& app, int& exit_code);

AddCommand add_certify;
AddCommand add_merge;
AddCommand add_check;
AddCommand add_run;
AddCommand add_convert;
AddCommand add_show;
AddCommand add_list;
AddCommand add_explain;
AddCommand add_export;
AddCommand add_adapter;

}  // namespace ifcert::conformance
