#include <fmt/format.h>

#include <algorithm>

#include "conformance/commands/commands.hpp"
#include "conformance/system/suggestion.hpp"

namespace ifcert::conformance {

void examples(CLI::App& command, const std::vector<Example>& all, const std::string& notes) {
  std::string text = notes.empty() ? "Examples:\n" : notes + "\n\nExamples:\n";
  for (const Example& example : all) text += fmt::format("  {}\n      {}\n", example.line, example.description);
  command.footer(text);
}

CLI::Option* one_of(CLI::Option* option, const std::vector<std::string>& words) {
  const auto why_not = [words](const std::string& word) {
    if (std::ranges::find(words, word) != words.end()) return std::string();
    return fmt::format("{} is not one of {}{}", word, fmt::join(words, ", "), did_you_mean(word, words));
  };
  const std::string kind = option->get_positional() ? "" : fmt::format("{}", fmt::join(words, "|"));
  return option->type_name(kind)->check(CLI::Validator(why_not, ""));
}

}  // namespace ifcert::conformance
