#include "conformance/runtimes/registry_client.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <regex>

#include "conformance/system/command.hpp"
#include "conformance/system/error.hpp"
#include "conformance/system/json_text.hpp"

namespace ifcert::conformance {
namespace {

/// How a client says that a package has no such version.
struct Client {
  std::string_view name;
  std::string_view shown;
  const char* missing;  // with {} for the version; the first group is the package
};

constexpr std::array<Client, 4> clients{
    Client{"pip", "pip", R"re(No matching distribution found for ([A-Za-z0-9._-]+)(?:\[[^\]]*\])?=={}(?:\s|$))re"},
    Client{"npm", "npm", R"re(No matching version found for (\S+)@{}\.?(?:\s|$))re"},
    Client{"maven", "Maven", R"re(([\w.-]+:[\w.-]+):jar:{} (?:in|was not found))re"},
    Client{"cargo", "cargo", R"re(requirement `(\S+) = "={}"`)re"}};

/// The version as a regular expression that matches it alone.
std::string literal(const std::string& version) {
  return std::regex_replace(version, std::regex(R"([.+*?!|^$(){}\[\]\\])"), R"(\$&)");
}

std::regex missing_pattern(const Client& client, const std::string& version) {
  std::string pattern = client.missing;
  return std::regex(pattern.replace(pattern.find("{}"), 2, literal(version)));
}

/// Maven ends with some colours' escapes even where it is told to have none.
std::string without_colours(const std::string& text) {
  return std::regex_replace(text, std::regex("\x1b\\[[0-9;]*m"), "");
}

}  // namespace

std::string_view client_name(std::string_view client) {
  const Client* known = std::ranges::find(clients, client, &Client::name);
  return known == clients.end() ? client : known->shown;
}

void run_client(std::string_view client, const std::string& version, std::vector<std::string> command) {
  const CommandResult end = ended(command);
  const Client& known = *std::ranges::find(clients, client, &Client::name);
  std::smatch found;
  if (end.code != 0 && std::regex_search(end.output, found, missing_pattern(known, version)))
    throw Error(fmt::format("{} finds no version {} of {}", known.shown, version, found[1].str()));
  std::fputs(without_colours(end.output).c_str(), stderr);
  if (end.code != 0) throw Error(fmt::format("'{}' failed", fmt::join(command, " ")));
}

std::vector<std::string> versions_on_npm(const std::string& package) {
  return npm_versions_in(output_of({"npm", "view", package, "versions", "--json"}));
}

std::vector<std::string> npm_versions_in(std::string_view text) {
  const nlohmann::json listed = parse_json(text).document;
  if (listed.is_string()) return {listed.get<std::string>()};
  std::vector<std::string> versions;
  if (!listed.is_array()) return versions;
  for (const nlohmann::json& each : listed) {
    if (each.is_string()) versions.push_back(each.get<std::string>());
  }
  return versions;
}

}  // namespace ifcert::conformance
