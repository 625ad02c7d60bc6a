// ifcert completion bash|zsh|fish
#include <fmt/format.h>

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/commands/command_text.hpp"
#include "conformance/commands/commands.hpp"

namespace ifcert::conformance {
namespace {

/// In single quotes, as all three shells read them.
std::string quoted(std::string_view text, std::string_view quote_inside) {
  std::string result = "'";
  for (const char letter : text) {
    if (letter == '\'')
      result += quote_inside;
    else
      result += letter;
  }
  return result + "'";
}

std::string in_shell(std::string_view text) {
  return quoted(text, R"('\'')");
}

std::string in_fish(std::string_view text) {
  return quoted(text, R"(\')");
}

std::string joined(const std::vector<std::string>& words) {
  return fmt::format("{}", fmt::join(words, " "));
}

/// The kind of the last positional argument, which may be repeated.
std::string kind_of_words(const CommandText& command) {
  return command.words.empty() ? "" : command.words.back().names.front();
}

constexpr const char* adapters_command = "ifcert list adapters 2>/dev/null | cut -d ' ' -f 1";

// bash

constexpr const char* bash_head = R"(# Completion of ifcert for bash, as `ifcert completion bash` prints it.
_ifcert() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} command='' word
  COMPREPLY=()
  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "${command:+$command }$word" in
)";

constexpr const char* bash_middle = R"(        command=${command:+$command }$word ;;
    esac
  done
  case "$command $previous" in
)";

constexpr const char* bash_tail = R"(  esac
}

_ifcert_words() { mapfile -t COMPREPLY < <(compgen -W "$1" -- "$current"); }
_ifcert_folders() {
  compopt -o filenames 2>/dev/null
  mapfile -t COMPREPLY < <(compgen -d -- "$current")
}
_ifcert_files() {
  compopt -o filenames 2>/dev/null
  mapfile -t COMPREPLY < <(compgen -f -- "$current")
}
_ifcert_models() {
  local ending
  _ifcert_folders
  for ending in onnx xml tflite circle; do
    mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -f -X "!*.$ending" -- "$current")
  done
}
complete -F _ifcert ifcert
)";

std::string bash_call(const std::string& kind) {
  const Completion completion = completion_of(kind);
  if (completion.models) return "_ifcert_models";
  if (completion.files) return "_ifcert_files";
  if (completion.folders) return "_ifcert_folders";
  if (completion.adapters) return fmt::format("_ifcert_words \"$({})\"", adapters_command);
  return completion.words.empty() ? ":" : fmt::format("_ifcert_words {}", in_shell(joined(completion.words)));
}

std::vector<std::string> names_of(const std::vector<ArgumentText>& options) {
  std::vector<std::string> names;
  for (const ArgumentText& option : options) names.insert(names.end(), option.names.begin(), option.names.end());
  return names;
}

std::string bash(const CommandText& program) {
  std::string paths, values, rest;
  for (const CommandText* command : all_of(program)) {
    if (command != &program) paths += fmt::format("{}{}", paths.empty() ? "" : "|", in_shell(command->path()));
    for (const ArgumentText& option : command->options) {
      for (const std::string& name : option.names) {
        if (option.value.empty()) continue;
        values +=
            fmt::format("    {}) {}; return ;;\n", in_shell(command->path() + " " + name), bash_call(option.value));
      }
    }
    std::vector<std::string> words;
    for (const CommandText& each : command->commands) words.push_back(each.word());
    rest +=
        fmt::format("    {})\n      if [[ $current == -* ]]; then _ifcert_words {}; else {}; fi ;;\n",
                    in_shell(command->path()), in_shell(joined(names_of(command->options))),
                    words.empty() ? bash_call(kind_of_words(*command)) : "_ifcert_words " + in_shell(joined(words)));
  }
  return fmt::format("{}      {})\n{}{}  esac\n  case $command in\n{}{}", bash_head, paths, bash_middle, values, rest,
                     bash_tail);
}

// zsh

std::string zsh_action(const std::string& kind) {
  const Completion completion = completion_of(kind);
  if (completion.models) return "_files -g \"*.(onnx|xml|tflite|circle)\"";
  if (completion.files) return "_files";
  if (completion.folders) return "_files -/";
  if (completion.adapters) return fmt::format("_values adapter $({})", adapters_command);
  return completion.words.empty() ? " " : fmt::format("({})", joined(completion.words));
}

/// Escapes brackets and colons, which have a meaning in the specifications of _arguments.
std::string zsh_text(std::string_view text) {
  std::string result;
  for (const char letter : text) {
    if (letter == '[' || letter == ']' || letter == ':' || letter == '\\') result += '\\';
    result += letter;
  }
  return result;
}

std::string zsh_arguments(const CommandText& command) {
  std::string text;
  for (const ArgumentText& option : command.options) {
    for (const std::string& name : option.names) {
      std::string spec = fmt::format("{}{}[{}]", option.several ? "*" : "", name, zsh_text(option.description));
      if (!option.value.empty()) spec += fmt::format(":{}:{}", zsh_text(option.value), zsh_action(option.value));
      text += " \\\n    " + in_shell(spec);
    }
  }
  for (const ArgumentText& word : command.words) {
    const std::string& kind = word.names.front();
    text += " \\\n    " + in_shell(fmt::format("{}:{}:{}", word.several ? "*" : "", zsh_text(kind), zsh_action(kind)));
  }
  return text;
}

std::string zsh_function(const CommandText& command) {
  std::string name = "_" + command.name;
  for (char& letter : name) letter = letter == ' ' ? '_' : letter;
  if (command.commands.empty()) return fmt::format("{}() {{\n  _arguments{}\n}}\n\n", name, zsh_arguments(command));
  std::string described, chosen;
  for (const CommandText& each : command.commands) {
    described += " \\\n        " + in_shell(fmt::format("{}:{}", each.word(), zsh_text(each.description)));
    chosen += fmt::format("        {}) {}_{} ;;\n", each.word(), name, each.word());
  }
  return fmt::format(
      "{}() {{\n  local context state state_descr line\n  typeset -A opt_args\n  _arguments -C{} \\\n"
      "    '1:command:->command' '*::argument:->argument'\n  case $state in\n    command)\n"
      "      local -a commands=({})\n      _describe command commands ;;\n    argument)\n      case $line[1] in\n{}"
      "      esac ;;\n  esac\n}}\n\n",
      name, zsh_arguments(command), described, chosen);
}

std::string zsh(const CommandText& program) {
  std::string text = "#compdef ifcert\n# Completion of ifcert for zsh, as `ifcert completion zsh` prints it.\n\n";
  for (const CommandText* command : all_of(program)) text += zsh_function(*command);
  return text +
         "if [[ $zsh_eval_context[-1] == loadautofunc ]]; then _ifcert \"$@\"; else compdef _ifcert ifcert; fi\n";
}

// fish

/// The condition that the words so far lead to the command.
std::string fish_condition(const CommandText& command) {
  const std::string path = command.path();
  std::string condition = path.empty() ? "__fish_use_subcommand" : "";
  for (std::size_t at = 0; at < path.size();) {
    const std::size_t end = std::min(path.find(' ', at), path.size());
    condition += fmt::format("{}__fish_seen_subcommand_from {}", at == 0 ? "" : "; and ", path.substr(at, end - at));
    at = end + 1;
  }
  if (command.commands.empty() || path.empty()) return condition;
  std::vector<std::string> words;
  for (const CommandText& each : command.commands) words.push_back(each.word());
  return fmt::format("{}; and not __fish_seen_subcommand_from {}", condition, joined(words));
}

std::string fish_values(const std::string& kind) {
  const Completion completion = completion_of(kind);
  if (completion.models) return " -k -a '(__fish_complete_suffix .onnx .xml .tflite .circle)'";
  if (completion.files) return " -F";
  if (completion.folders) return " -f -a '(__fish_complete_directories)'";
  if (completion.adapters) return fmt::format(" -f -a {}", in_fish(fmt::format("({})", adapters_command)));
  return completion.words.empty() ? " -f" : fmt::format(" -f -a {}", in_fish(joined(completion.words)));
}

std::string fish(const CommandText& program) {
  std::string text = "# Completion of ifcert for fish, as `ifcert completion fish` prints it.\n";
  for (const CommandText* command : all_of(program)) {
    const std::string begin = fmt::format("complete -c ifcert -n {}", in_fish(fish_condition(*command)));
    for (const CommandText& each : command->commands)
      text += fmt::format("{} -f -a {} -d {}\n", begin, each.word(), in_fish(each.description));
    if (!command->words.empty()) text += begin + fish_values(kind_of_words(*command)) + "\n";
    for (const ArgumentText& option : command->options) {
      text += begin;
      for (const std::string& name : option.names)
        text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
      if (!option.value.empty()) text += " -r" + fish_values(option.value);
      text += fmt::format(" -d {}\n", in_fish(option.description));
    }
  }
  return text;
}

}  // namespace

void add_completion(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("completion", "Print the completion script for a shell");
  auto shell = std::make_shared<std::string>();
  one_of(command->add_option("bash|zsh|fish", *shell, "the shell")->required(), {"bash", "zsh", "fish"});
  examples(*command, {{"source <(ifcert completion bash)", "for this session of bash"},
                      {"ifcert completion fish >ifcert.fish", "for ~/.config/fish/completions"},
                      {"ifcert completion zsh >_ifcert", "for a folder of zsh's $fpath"}});
  command->callback([&app, shell, &exit_code] {
    const CommandText program = text_of(app);
    fmt::print("{}", *shell == "bash" ? bash(program) : *shell == "zsh" ? zsh(program) : fish(program));
    exit_code = 0;
  });
}

}  // namespace ifcert::conformance
