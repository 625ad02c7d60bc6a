// The commands and their options as data: the source of --help, the manual pages, the shells' completion and the
// suggestions for mistyped names. It is read back from CLI11.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace ifcert::conformance {

/// An option, or a positional argument.
struct ArgumentText {
  std::vector<std::string> names;  // "-o", "--output"; for a positional argument its name, such as MODEL
  std::string value;               // the kind of value an option expects, such as FILE or "text|json"; empty: none
  std::string description;
  bool required = false;
  bool several = false;
};

struct CommandText {
  std::string name;  // "ifcert adapter smoke"
  std::string description;
  std::string notes;  // exit codes, examples
  std::vector<ArgumentText> words, options;
  std::vector<CommandText> commands;

  /// The name without the program's: "adapter smoke"; empty for the program.
  std::string path() const;
  /// The last word of the name.
  std::string word() const;
};

/// The program as assembled so far.
CommandText text_of(const CLI::App& app);

/// The program and all commands below it, in their order.
std::vector<const CommandText*> all_of(const CommandText& program);

/// The candidates for an argument of this kind.
struct Completion {
  bool models = false, files = false, folders = false, adapters = false;
  std::vector<std::string> words;
};
Completion completion_of(const std::string& kind);

}  // namespace ifcert::conformance
