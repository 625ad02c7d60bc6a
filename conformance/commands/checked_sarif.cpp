// SARIF 2.1.0 (OASIS), as far as findings in binary files need it.
#include <fmt/format.h>

#include <cctype>
#include <ifcert/rules.hpp>

#include "conformance/commands/checked_file.hpp"
#include "conformance/system/file.hpp"
#include "reference/model/utf8.hpp"

namespace ifcert::conformance {
namespace {

using nlohmann::ordered_json;

ordered_json text(std::string_view words) {
  return {{"text", printable(words)}};
}

/// A path as a URI reference (RFC 3986): relative paths stay relative, absolute ones become file URIs.
std::string uri_of(const std::string& path) {
  std::string uri = path.starts_with('/') ? "file://" : "";
  for (const char letter : path) {
    const bool plain = std::isalnum(static_cast<unsigned char>(letter)) != 0 ||
                       std::string_view("-._~/").find(letter) != std::string_view::npos;
    uri += plain ? std::string(1, letter) : fmt::format("%{:02X}", static_cast<unsigned char>(letter));
  }
  return uri;
}

ordered_json reporting_descriptor(const Rule& rule) {
  return {{"id", rule.name},
          {"shortDescription", text(rule.holds)},
          {"help", text(fmt::format("{} Clause: {}: {}. More: ifcert explain {}", rule.holds, rule.source, rule.clause,
                                    rule.name))},
          {"defaultConfiguration", {{"level", "error"}}}};
}

/// The last part of a place: `input 0` of `graph "main" / node 0 (If) / input 0`.
std::string last_part(const std::string& place) {
  const std::size_t slash = place.rfind(" / ");
  return slash == std::string::npos ? place : place.substr(slash + 3);
}

ordered_json location_of(const Diagnostic& diagnostic, const CheckedFile& file, std::size_t index) {
  const std::string place = utf8_text(diagnostic.place);
  const ordered_json logical{{"name", last_part(place)}, {"fullyQualifiedName", place}};
  return {{"physicalLocation", {{"artifactLocation", {{"uri", uri_of(file.path)}, {"index", index}}}}},
          {"logicalLocations", ordered_json::array({logical})}};
}

/// "ruleId" and, where the table has the rule, "ruleIndex"; or the same as "id" and "index".
ordered_json rule_reference(const std::string& name, std::string_view id, std::string_view index) {
  ordered_json reference{{id, name}};
  const Rule* rule = find_rule(name);
  if (rule != nullptr) reference[index] = rule - ifcert::all_rules().data();
  return reference;
}

ordered_json result_of(const Diagnostic& diagnostic, const CheckedFile& file, std::size_t index) {
  ordered_json result = rule_reference(diagnostic.rule, "ruleId", "ruleIndex");
  result["level"] = name_of(diagnostic.level);
  result["message"] = text(fmt::format("{}; expected: {}", diagnostic.found, diagnostic.expected));
  result["locations"] = ordered_json::array({location_of(diagnostic, file, index)});
  result["properties"] = {{"allowable", diagnostic.allowable}};
  return result;
}

ordered_json notification_of(const CheckedFile& file, std::size_t index) {
  ordered_json notification{{"level", "error"},
                            {"message", text(UnreadableModel(*file.unreadable).what())},
                            {"locations", ordered_json::array({location_of(*file.unreadable, file, index)})}};
  if (!file.unreadable->rule.empty())
    notification["associatedRule"] = rule_reference(file.unreadable->rule, "id", "index");
  return notification;
}

}  // namespace

ordered_json checked_as_sarif(std::span<const CheckedFile> files, const std::string& version) {
  ordered_json descriptors = ordered_json::array();
  for (const Rule& rule : ifcert::all_rules()) descriptors.push_back(reporting_descriptor(rule));
  ordered_json artifacts = ordered_json::array();
  ordered_json results = ordered_json::array();
  ordered_json notifications = ordered_json::array();
  for (std::size_t i = 0; i < files.size(); ++i) {
    artifacts.push_back(
        {{"location", {{"uri", uri_of(files[i].path)}}}, {"roles", ordered_json::array({"analysisTarget"})}});
    for (const Diagnostic& finding : files[i].findings) results.push_back(result_of(finding, files[i], i));
    if (files[i].unreadable) notifications.push_back(notification_of(files[i], i));
  }
  const int exit_code = exit_code_of(files);
  const ordered_json invocation{
      {"executionSuccessful", exit_code != 2}, {"exitCode", exit_code}, {"toolExecutionNotifications", notifications}};
  const ordered_json run{{"tool", {{"driver", {{"name", "ifcert"}, {"version", version}, {"rules", descriptors}}}}},
                         {"invocations", ordered_json::array({invocation})},
                         {"artifacts", artifacts},
                         {"results", results}};
  return {{"$schema", "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"},
          {"version", "2.1.0"},
          {"runs", ordered_json::array({run})}};
}

}  // namespace ifcert::conformance
