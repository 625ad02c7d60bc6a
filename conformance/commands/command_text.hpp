// The commands and their options as data. --help, the manual pages, the completion of shells and the suggestions for
// what was mistyped are all made of what the commands tell CLI11.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace ifcert::conformance {

/// What an option takes, or a word that stands for itself.
struct ArgumentText {
  std::vector<std::string> names;  // "-o", "--output"; of a word that stands for itself its name, such as MODEL
  std::string value;               // what an option takes, such as FILE or "text|json"; empty: nothing
  std::string says;
  bool required = false;
  bool several = false;
};

struct CommandText {
  std::string name;  // "ifcert adapter smoke"
  std::string says;
  std::string notes;  // exit codes, examples
  std::vector<ArgumentText> words, options;
  std::vector<CommandText> commands;

  /// The name without the program's: "adapter smoke"; empty for the program.
  std::string path() const;
  /// Its last word.
  std::string word() const;
};

/// The program as it is put together so far.
CommandText text_of(const CLI::App& app);

/// The program, and all commands below it, in their order.
std::vector<const CommandText*> all_of(const CommandText& program);

/// What is completed where a person types a word of this kind.
struct Completion {
  bool models = false, files = false, folders = false, adapters = false;
  std::vector<std::string> words;
};
Completion completion_of(const std::string& kind);

}  // namespace ifcert::conformance
