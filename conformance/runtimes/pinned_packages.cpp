#include "conformance/runtimes/pinned_packages.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <ifcert/message.hpp>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>

#include "conformance/system/error.hpp"
#include "conformance/system/file.hpp"

namespace ifcert::conformance {
namespace {

constexpr std::size_t max_quoted = 160;

/// One package with all lines of its digests, and the number of its first line.
struct Entry {
  std::string text;
  std::size_t line;
};

/// A `\` at the end of a line continues it.
std::vector<Entry> entries_in(const std::string& content) {
  std::vector<Entry> entries;
  std::istringstream stream(content);
  bool continues = false;
  std::size_t number = 0;
  for (std::string line; std::getline(stream, line);) {
    ++number;
    if (!continues && (line.empty() || line.front() == '#')) continue;
    if (!continues) entries.push_back({"", number});
    continues = line.ends_with('\\');
    if (continues) line.pop_back();
    entries.back().text += line + " ";
  }
  return entries;
}

}  // namespace

std::vector<std::string> read_pinned_packages(const std::filesystem::path& file) {
  static const std::regex package(R"([A-Za-z0-9._-]+(\[[a-z0-9,-]+\])?==[A-Za-z0-9.+!-]+)"),
      digest("--hash=sha256:[0-9a-f]{64}");
  std::vector<std::string> packages;
  for (const auto& [text, line] : entries_in(read_file(file))) {
    std::istringstream stream(text);
    std::string name, word;
    stream >> name;
    std::size_t digests = 0;
    bool fits = std::regex_match(name, package);
    for (; stream >> word; ++digests) fits = fits && std::regex_match(word, digest);
    if (!fits || digests == 0) {
      throw Error(
          fmt::format("{}:{}: '{}'; expected a package with a version and its digests: NAME==VERSION "
                      "--hash=sha256:DIGITS",
                      file.string(), line, printable(text.substr(0, std::min(text.size() - 1, max_quoted)))));
    }
    packages.push_back(name);
  }
  if (packages.empty()) throw Error(fmt::format("{}: found no package; expected NAME==VERSION", file.string()));
  return packages;
}

std::string packages_in_report(const std::filesystem::path& report) {
  const nlohmann::json found = read_json(report);
  std::vector<std::string> lines;
  for (const nlohmann::json& each : found.at("install")) {
    const nlohmann::json& about = each.at("metadata");
    std::string line =
        fmt::format("{}=={}", about.at("name").get<std::string>(), about.at("version").get<std::string>());
    const nlohmann::json digests = each.value("/download_info/archive_info/hashes"_json_pointer, nlohmann::json());
    if (digests.contains("sha256")) line += " --hash=sha256:" + digests["sha256"].get<std::string>();
    lines.push_back(line + "\n");
  }
  std::ranges::sort(lines);
  return fmt::format("{}", fmt::join(lines, ""));
}

}  // namespace ifcert::conformance
