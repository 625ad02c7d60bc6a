#include "conformance/reproduce/plain_runtime.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "conformance/reproduce/filled.hpp"
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

/// The sections of both, those of one name after each other.
Sections joined(Sections first, const Sections& second) {
  for (const auto& [name, lines] : second) {
    std::string& text = first[name];
    if (!text.empty()) text += "\n\n";
    text += lines;
  }
  return first;
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

std::string section(const Sections& sections, const std::string& name) {
  const auto found = sections.find(name);
  return found == sections.end() ? "" : found->second;
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
  const auto text_of = [&project](const std::string& file) { return read_file(project.plain_apis() / file); };
  const Adapter adapter = read_adapter(project, name);
  const nlohmann::json& entry = table.at(name);
  const auto words = entry.value("words", std::map<std::string, std::string>());
  Sections sections = sections_of(filled(text_of(entry.at("file").get<std::string>()), words));
  if (entry.value("program", false)) sections = joined(sections_of(text_of("program.py")), sections);
  return {.name = name,
          .version = adapter.version,
          .package = package_of(adapter),
          .systems = adapter.systems,
          .requirements =
              entry.contains("needs") ? std::vector{entry.at("needs").get<std::string>()} : adapter.requirements,
          .sections = std::move(sections),
          .short_lists = entry.value("short lists", false),
          .short_of_empty = entry.value("short of empty", true),
          .short_by_position = entry.value("short by position", false),
          .frame = sections_of(text_of("script.py")),
          .values = sections_of(text_of("values.py"))};
}

}  // namespace ifcert::conformance
