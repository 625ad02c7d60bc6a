#include "conformance/commands/checked_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ifcert/allowance.hpp>
#include <ifcert/message.hpp>
#include <ifcert/rules.hpp>

#include "reference/model/utf8.hpp"

namespace ifcert::conformance {
namespace {

using nlohmann::ordered_json;

std::string clause_of(const std::string& name) {
  const Rule* rule = find_rule(name);
  return rule == nullptr ? "" : fmt::format("{}: {}", rule->source, rule->clause);
}

ordered_json as_json(const Diagnostic& diagnostic) {
  return {{"level", name_of(diagnostic.level)},         {"rule", diagnostic.rule},
          {"place", utf8_text(diagnostic.place)},       {"found", utf8_text(diagnostic.found)},
          {"expected", utf8_text(diagnostic.expected)}, {"clause", clause_of(diagnostic.rule)},
          {"allowable", diagnostic.allowable}};
}

ordered_json as_json(const std::vector<Diagnostic>& diagnostics) {
  ordered_json list = ordered_json::array();
  for (const Diagnostic& diagnostic : diagnostics) list.push_back(as_json(diagnostic));
  return list;
}

std::string counted(std::size_t count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

}  // namespace

int exit_code_of(std::span<const CheckedFile> files) {
  if (std::ranges::any_of(files, [](const CheckedFile& file) { return file.unreadable.has_value(); })) return 2;
  return std::ranges::all_of(files, [](const CheckedFile& file) { return errors_in(file.findings).empty(); }) ? 0 : 1;
}

std::string checked_as_text(const CheckedFile& file) {
  const std::string path = printable(file.path);
  std::string text;
  for (const Diagnostic& finding : file.findings) {
    text += fmt::format("{}: {}\n", path, to_string(finding));
    const std::string clause = clause_of(finding.rule);
    if (!clause.empty()) text += fmt::format("  clause: {}\n", clause);
    if (finding.allowable)
      text += fmt::format("  can be allowed: --allow {0} ({1})\n", finding.rule, allowance_of(finding.rule).why);
  }
  const std::size_t errors = errors_in(file.findings).size();
  const std::size_t warnings = file.findings.size() - errors;
  const auto allowable = std::ranges::count(file.findings, true, &Diagnostic::allowable);
  return text + fmt::format("{}: {}{}{}\n", path, errors == 0 ? "no rule broken" : counted(errors, "broken rule"),
                            allowable == 0 ? "" : fmt::format(" ({} can be allowed, or mended by --fix)", allowable),
                            warnings == 0 ? "" : ", " + counted(warnings, "warning"));
}

std::string mended_as_text(const std::string& model, const CheckedFile& file) {
  std::string text;
  for (const Diagnostic& finding : file.mended) {
    text += fmt::format("{}: {}: mended: {} [{}]\n", printable(model), printable(finding.place),
                        printable(finding.found), printable(finding.rule));
  }
  return text + checked_as_text(file);
}

ordered_json checked_as_json(std::span<const CheckedFile> files) {
  ordered_json list = ordered_json::array();
  for (const CheckedFile& file : files) {
    ordered_json& json =
        list.emplace_back(ordered_json{{"model", utf8_text(file.path)}, {"findings", as_json(file.findings)}});
    if (!file.mended.empty()) json["mended"] = as_json(file.mended);
    if (file.unreadable) json["unreadable"] = as_json(*file.unreadable);
  }
  return {{"format", 3}, {"files", list}};
}

}  // namespace ifcert::conformance
