#include "conformance/commands/command_text.hpp"

#include <algorithm>
#include <cctype>
#include <ifcert/allowance.hpp>
#include <set>
#include <utility>

#include "conformance/results/certification.hpp"
#include "conformance/suite/rule_table.hpp"

namespace ifcert::conformance {
namespace {

std::string before(const std::string& text, char end) {
  return text.substr(0, text.find(end));
}

ArgumentText argument_of(const CLI::Option& option) {
  ArgumentText argument;
  argument.description = option.get_description();
  argument.required = option.get_required();
  argument.several = option.get_expected_max() > 1;
  if (option.get_positional()) {
    argument.names = {option.get_name(true)};
    return argument;
  }
  for (const std::string& name : option.get_snames()) argument.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) argument.names.push_back("--" + name);
  if (option.get_expected_max() > 0) argument.value = before(option.get_type_name(), ':');
  return argument;
}

CommandText text_of(const CLI::App& app, const std::string& path) {
  CommandText text{path, app.get_description(), app.get_footer(), {}, {}, {}};
  text.notes.erase(0, text.notes.find_first_not_of('\n'));
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_group().empty()) continue;  // hidden, as in --help
    (option->get_positional() ? text.words : text.options).push_back(argument_of(*option));
  }
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    text.commands.push_back(text_of(*command, path + " " + command->get_name()));
  }
  return text;
}

std::vector<std::string> parts_of(const std::string& kind) {
  std::vector<std::string> parts;
  for (std::size_t at = 0; at <= kind.size();) {
    const std::size_t end = std::min(kind.find('|', at), kind.size());
    parts.push_back(kind.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

bool stands_for_itself(const std::string& part) {
  return !part.empty() && std::ranges::none_of(part, [](unsigned char letter) { return std::isupper(letter) != 0; });
}

}  // namespace

std::string CommandText::path() const {
  const std::size_t space = name.find(' ');
  return space == std::string::npos ? "" : name.substr(space + 1);
}

std::string CommandText::word() const {
  return name.substr(name.rfind(' ') + 1);
}

CommandText text_of(const CLI::App& app) {
  return text_of(app, app.get_name());
}

std::vector<const CommandText*> all_of(const CommandText& program) {
  std::vector<const CommandText*> all{&program};
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (const CommandText& command : all[i]->commands) all.push_back(&command);
  }
  return all;
}

Completion completion_of(const std::string& kind) {
  Completion completion;
  for (const std::string& part : parts_of(kind)) {
    completion.models |= part == "MODEL";
    completion.files |= part == "FILE";
    completion.folders |= part == "DIR";
    completion.adapters |= part == "ADAPTER";
    if (stands_for_itself(part)) completion.words.push_back(part);
    std::set<std::string> systems;
    for (const RuleSummary& rule : all_rules()) {
      if (part == "RULE" || (part == "ALLOWABLE-RULE" && allowance_of(rule.name).allowable))
        completion.words.push_back(rule.name);
      systems.insert(before(rule.name, '/'));
    }
    if (part == "PROFILE") completion.words.insert(completion.words.end(), systems.begin(), systems.end());
  }
  return completion;
}

}  // namespace ifcert::conformance
