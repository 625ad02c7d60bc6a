// ifcert man [COMMAND…]
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/commands/command_text.hpp"
#include "conformance/commands/commands.hpp"
#include "conformance/system/error.hpp"
#include "conformance/system/file.hpp"
#include "conformance/system/suggestion.hpp"

namespace ifcert::conformance {
namespace {

/// Text escaped for roff: no line of it is a request, and hyphens are plain ones.
std::string escaped(std::string_view text) {
  std::string roff;
  for (const char letter : text) {
    if ((letter == '.' || letter == '\'') && (roff.empty() || roff.back() == '\n')) roff += "\\&";
    if (letter == '\\')
      roff += "\\e";
    else if (letter == '-')
      roff += "\\-";
    else
      roff += letter;
  }
  return roff;
}

std::string page_name(const CommandText& command) {
  std::string name = command.name;
  std::ranges::replace(name, ' ', '-');
  return name;
}

std::string synopsis(const CommandText& command) {
  std::string text = fmt::format("\\fB{}\\fR", escaped(command.name));
  if (!command.options.empty()) text += " [\\fIOPTION\\fR]…";
  if (!command.commands.empty()) text += " \\fICOMMAND\\fR";
  for (const ArgumentText& word : command.words) {
    const std::string name = fmt::format("\\fI{}\\fR{}", escaped(word.names.front()), word.several ? "…" : "");
    text += word.required ? " " + name : " [" + name + "]";
  }
  return text;
}

std::string argument(const ArgumentText& argument) {
  std::string text = ".TP\n";
  for (const std::string& name : argument.names) {
    text += fmt::format("{}\\fB{}\\fR", name == argument.names.front() ? "" : ", ", escaped(name));
  }
  if (!argument.value.empty()) text += fmt::format(" \\fI{}\\fR", escaped(argument.value));
  return text + "\n" + escaped(argument.description) + "\n";
}

std::string arguments(const char* heading, const std::vector<ArgumentText>& all) {
  std::string text = all.empty() ? "" : fmt::format(".SH {}\n", heading);
  for (const ArgumentText& each : all) text += argument(each);
  return text;
}

/// The text below the options: paragraphs, and examples line by line.
std::string notes(const std::string& text) {
  constexpr std::string_view heading = "Examples:\n";
  const std::size_t at = text.find(heading);
  const std::string before = text.substr(0, at);
  std::string roff = before.empty() ? "" : ".SH NOTES\n" + escaped(before) + "\n";
  if (at != std::string::npos) roff += ".SH EXAMPLES\n.nf\n" + escaped(text.substr(at + heading.size())) + "\n.fi\n";
  // An empty line is a request in roff.
  for (std::size_t gap = 0; (gap = roff.find("\n\n")) != std::string::npos;) roff.replace(gap, 2, "\n.sp\n");
  for (std::size_t gap = 0; (gap = roff.find(".sp\n.fi")) != std::string::npos;) roff.erase(gap, 4);
  for (std::size_t gap = 0; (gap = roff.find(".sp\n.SH")) != std::string::npos;) roff.erase(gap, 4);
  return roff;
}

std::string page_of(const CommandText& command) {
  std::string title = page_name(command);
  std::ranges::transform(title, title.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  std::string text = fmt::format(".TH {} 1 \"\" \"ifcert {}\" \"ifcert\"\n.SH NAME\n{} \\- {}\n", escaped(title),
                                 IFCERT_VERSION, escaped(page_name(command)), escaped(command.description));
  text += ".SH SYNOPSIS\n" + synopsis(command) + "\n";
  text += arguments("ARGUMENTS", command.words) + arguments("OPTIONS", command.options);
  if (!command.commands.empty()) text += ".SH COMMANDS\n";
  for (const CommandText& each : command.commands) {
    text += fmt::format(".TP\n\\fB{}\\fR(1)\n{}\n", escaped(page_name(each)), escaped(each.description));
  }
  return text + notes(command.notes);
}

const CommandText& command_named(const std::vector<const CommandText*>& all, const std::vector<std::string>& words) {
  const std::string path = fmt::format("{}", fmt::join(words, " "));
  std::vector<std::string> paths;
  for (const CommandText* command : all) {
    if (command->path() == path) return *command;
    paths.push_back(command->path());
  }
  throw Error(fmt::format("there is no command \"{}\"{}", path, did_you_mean(path, paths)));
}

void write_pages(const CommandText& program, const std::filesystem::path& folder) {
  for (const CommandText* command : all_of(program)) {
    replace_file(folder / (page_name(*command) + ".1"), page_of(*command));
  }
}

}  // namespace

void add_man(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("man", "Print the manual page of the program or of a command");
  auto words = std::make_shared<std::vector<std::string>>();
  auto folder = std::make_shared<std::string>();
  command->add_option("COMMAND", *words, "such as check, or adapter smoke (default: the program itself)")
      ->type_name("");
  command->add_option("--all", *folder, "write the pages of all commands into this folder")->type_name("DIR");
  examples(*command,
           {{"ifcert man adapter smoke >ifcert-adapter-smoke.1", "to read with man -l ifcert-adapter-smoke.1"},
            {"ifcert man --all man1", "a folder of pages, as man finds them in share/man"}});
  command->callback([&app, words, folder, &exit_code] {
    const CommandText program = text_of(app);
    if (folder->empty())
      fmt::print("{}", page_of(command_named(all_of(program), *words)));
    else
      write_pages(program, *folder);
    exit_code = 0;
  });
}

}  // namespace ifcert::conformance
