// The program ifcert. Exit codes: 0 success; 1 the model broke a rule, or results differ from the list of known
// failures; 2 the command could not do its job.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <ifcert/message.hpp>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <system_error>
#include <vector>

#include "conformance/commands/commands.hpp"
#include "conformance/commands/held_signals.hpp"
#include "conformance/system/suggestion.hpp"

namespace {

using namespace ifcert::conformance;
using ifcert::printable;

constexpr std::array<AddCommand*, 21> commands{
    add_certify, add_merge,  add_diff,    add_verify,         add_history,   add_bisect,     add_fuzz,
    add_shrink,  add_check,  add_run,     add_show,           add_convert,   add_specialise, add_list,
    add_explain, add_export, add_adapter, add_known_failures, add_reproduce, add_man,        add_completion};

constexpr const char* exit_codes =
    "Exit codes: 0 success; 1 the model broke a rule, or results differ from the list of known failures; 2 the command "
    "could not do its job.";

std::vector<std::string> words_of(const CLI::App& app) {
  std::vector<std::string> words;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    words.push_back(command->get_name());
  return words;
}

/// The command that the line names. Where the line names an unknown one, prints a message and returns null: CLI11 would
/// only report that a command is missing.
const CLI::App* named_command(const CLI::App& program, std::span<char*> arguments) {
  const CLI::App* command = &program;
  for (const std::string word : arguments) {
    const std::vector<std::string> words = words_of(*command);
    if (words.empty() || word.starts_with('-')) break;
    if (std::ranges::find(words, word) == words.end()) {
      const std::string before = command == &program ? "" : command->get_name() + " ";
      fmt::print(stderr, "ifcert: there is no command \"{}{}\"{} (see ifcert {}--help)\n", before, printable(word),
                 did_you_mean(word, words), before);
      return nullptr;
    }
    command = command->get_subcommand(word);
  }
  return command;
}

/// An option of the line that the command does not have. CLI11 may report a missing required word first.
std::optional<std::string> unknown_option(const CLI::App& program, const CLI::App& command) {
  const std::vector<std::string> left = program.remaining(true);
  const auto option = std::ranges::find_if(
      left, [](const std::string& word) { return word.size() > 1 && word.starts_with('-') && word != "--"; });
  if (option == left.end()) return std::nullopt;
  std::vector<std::string> names;
  for (const CLI::Option* each : command.get_options()) {
    for (const std::string& name : each->get_snames()) names.push_back("-" + name);
    for (const std::string& name : each->get_lnames()) names.push_back("--" + name);
  }
  const std::string name = option->substr(0, option->find('='));
  return fmt::format("there is no option {}{}", printable(name), did_you_mean(name, names));
}

/// CLI11's message, which begins with the name of the word or option that is wrong. A word whose name is the choice of
/// all that it may be, `bash|zsh|fish`, is not named: the message lists them.
std::string reason_of(const CLI::ParseError& fault) {
  const std::string message = printable(fault.what());
  const std::size_t name = message.find(": ");
  return name != std::string::npos && message.find('|') < name ? message.substr(name + 2) : message;
}

/// Prints the help or the version, which CLI11 reports as a fault too, or what is wrong with the line.
int tell_usage(CLI::App& program, const CLI::App& command, const CLI::ParseError& fault) {
  if (fault.get_exit_code() == 0) return program.exit(fault);
  std::string path;
  for (const CLI::App* at = &command; at != &program; at = at->get_parent()) path.insert(0, at->get_name() + " ");
  fmt::print(stderr, "ifcert: {} (see ifcert {}--help)\n", unknown_option(program, command).value_or(reason_of(fault)),
             path);
  return 2;
}

/// The exit code of the command that the line names.
int run(std::span<char*> arguments) {
  int exit_code = 0;
  try {
    CLI::App app("Certifies how runtimes execute If, rule by rule.", "ifcert");
    app.set_version_flag("--version", IFCERT_VERSION);
    app.require_subcommand(1);
    for (AddCommand* add : commands) add(app, exit_code);
    examples(app,
             {{"ifcert certify onnxruntime", "what a runtime gets right and wrong about If"},
              {"ifcert check model.onnx", "checks whether a model is legal"},
              {"ifcert check --help", "a command's arguments, with examples"}},
             exit_codes);
    const CLI::App* command = named_command(app, arguments.subspan(1));
    if (command == nullptr) return 2;
    try {
      app.parse(static_cast<int>(arguments.size()), arguments.data());
    } catch (const CLI::ParseError& fault) {
      return tell_usage(app, *command, fault);
    }
  } catch (const std::system_error& fault) {
    if (fault.code().value() == EPIPE) end_by({SIGPIPE});
    fmt::print(stderr, "ifcert: {}\n", printable(fault.what()));
    return 2;
  } catch (const std::exception& fault) {
    fmt::print(stderr, "ifcert: {}\n", printable(fault.what()));
    return 2;
  } catch (const Interrupted& interrupted) {
    end_by(interrupted);
  }
  return exit_code;
}

/// Whether everything printed has been written. The disk may be full, and only flushing the buffer shows it.
bool printed_everything() {
  return std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
}

}  // namespace

int main(int argc, char** argv) {
  int exit_code = 2;
  try {
    // The parent may have made us ignore it, as Python does: when nobody reads any more, nothing is left to do.
    std::signal(SIGPIPE, SIG_DFL);
    std::signal(SIGCHLD, SIG_DFL);  // or the system would forget how the adapters ended
    exit_code = run({argv, static_cast<std::size_t>(argc)});
  } catch (const std::bad_alloc&) {
    std::fputs("ifcert: out of memory\n", stderr);  // not even enough for a message
  }
  if (printed_everything()) return exit_code;
  if (errno == EPIPE) end_by({SIGPIPE});
  fmt::print(stderr, "ifcert: cannot write standard output: {}\n", std::strerror(errno));
  return 2;
}
