#include "conformance/reproduce/plain_runtime.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "conformance/runtimes/read_adapter.hpp"
#include "conformance/system/error.hpp"
#include "conformance/system/file.hpp"
#include "conformance/system/suggestion.hpp"

namespace ifcert::conformance {
namespace {

constexpr std::string_view mark = "#: ";

nlohmann::json table_of(const Project& project) {
  return read_json(project.plain_apis() / "runtimes.json");
}

std::string with_replacements(std::string text, const nlohmann::json& replacements) {
  for (const auto& [word, other] : replacements.items()) {
    const auto replacement = other.get<std::string>();
    std::size_t at = text.find(word);
    if (at == std::string::npos) throw Error(fmt::format("runtimes.json replaces {}, which is not there", word));
    for (; at != std::string::npos; at = text.find(word, at + replacement.size()))
      text.replace(at, word.size(), replacement);
  }
  return text;
}

/// The package of Python that is the runtime: the first that its environment pins.
std::string package_of(const Adapter& adapter) {
  const std::string first = adapter.requirements.empty() ? "" : adapter.requirements.front();
  return first.substr(0, std::min(first.find("=="), first.size()));
}

std::string without_blank_ends(const std::string& text) {
  const std::size_t begin = text.find_first_not_of('\n');
  if (begin == std::string::npos) return "";
  return text.substr(begin, text.find_last_not_of('\n') - begin + 1) + "\n";
}

}  // namespace

Sections sections_of(std::string_view text) {
  Sections sections;
  std::string* section = nullptr;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, std::min(text.find('\n'), text.size() - 1) + 1);
    if (line.starts_with(mark))
      section = &sections[std::string(line.substr(mark.size(), line.find('\n') - mark.size()))];
    else if (section != nullptr)
      *section += line;
    text.remove_prefix(line.size());
  }
  for (auto& [name, lines] : sections) lines = without_blank_ends(lines);
  return sections;
}

std::vector<std::string> plain_runtime_names(const Project& project) {
  std::vector<std::string> names;
  const nlohmann::json table = table_of(project);
  for (const auto& [name, entry] : table.items()) names.push_back(name);
  return names;
}

PlainRuntime read_plain_runtime(const Project& project, const std::string& name) {
  const nlohmann::json table = table_of(project);
  if (!table.contains(name)) {
    const std::vector<std::string> names = plain_runtime_names(project);
    throw Error(fmt::format("no plain API is known for '{}'; known: {}{}", name, fmt::join(names, ", "),
                            did_you_mean(name, names)));
  }
  const auto sections_in = [&project](const std::string& file, const nlohmann::json& replacements) {
    return sections_of(with_replacements(read_file(project.plain_apis() / file), replacements));
  };
  const Adapter adapter = read_adapter(project, name);
  const nlohmann::json& entry = table.at(name);
  return {
      .name = name,
      .version = adapter.version,
      .package = package_of(adapter),
      .systems = adapter.systems,
      .requirements =
          entry.contains("needs") ? std::vector{entry.at("needs").get<std::string>()} : adapter.requirements,
      .sections = sections_in(entry.at("file").get<std::string>(), entry.value("replace", nlohmann::json::object())),
      .short_lists = entry.value("short lists", false),
      .short_of_empty = entry.value("short of empty", true),
      .short_by_position = entry.value("short by position", false),
      .frame = sections_in("script.py", nlohmann::json::object()),
      .values = sections_in("values.py", nlohmann::json::object())};
}

}  // namespace ifcert::conformance
