// ifcert check MODEL… [--format text|json]
#include <fmt/format.h>

#include <ifcert/reference.hpp>
#include <memory>
#include <string>
#include <vector>

#include "conformance/commands/commands.hpp"
#include "conformance/file.hpp"

namespace ifcert::conformance {
namespace {

using nlohmann::ordered_json;

/// What was found in one file, or why it could not be read.
struct Finding {
  std::string path;
  std::vector<Diagnostic> broken;
  std::string unreadable;
};

Finding check_file(const std::string& path) {
  try {
    return {path, check(read_model(path)), {}};
  } catch (const UnreadableModel& error) {
    return {path, {}, error.what()};
  }
}

void print_text(const Finding& finding) {
  if (!finding.unreadable.empty()) {
    fmt::print(stderr, "ifcert: {}: {}\n", finding.path, printable(finding.unreadable));
    return;
  }
  for (const Diagnostic& broken : finding.broken) {
    fmt::print("{}: {}\n", finding.path, printable(to_string(broken)));
    if (const Rule* rule = find_rule(broken.rule)) fmt::print("  clause: {}: {}\n", rule->source, rule->clause);
  }
  const std::size_t count = finding.broken.size();
  fmt::print("{}: {}\n", finding.path,
             count == 0 ? "no rule broken" : fmt::format("{} broken rule{}", count, count == 1 ? "" : "s"));
}

ordered_json as_json(const Finding& finding) {
  ordered_json broken = ordered_json::array();
  for (const Diagnostic& diagnostic : finding.broken) {
    broken.push_back({{"rule", diagnostic.rule},
                      {"place", printable(diagnostic.place)},
                      {"found", printable(diagnostic.found)},
                      {"asked", diagnostic.asked}});
  }
  ordered_json json{{"model", finding.path}, {"broken", broken}};
  if (!finding.unreadable.empty()) json["unreadable"] = printable(finding.unreadable);
  return json;
}

int exit_code_of(const std::vector<Finding>& findings) {
  int code = 0;
  for (const Finding& finding : findings) {
    if (!finding.unreadable.empty()) return 2;
    if (!finding.broken.empty()) code = 1;
  }
  return code;
}

}  // namespace

void add_check(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("check", "Every rule that a model breaks, with its place");
  auto models = std::make_shared<std::vector<std::string>>();
  auto format = std::make_shared<std::string>("text");
  command->add_option("MODEL", *models, "model files (.onnx)")->required();
  command->add_option("--format", *format, "text or json")->check(CLI::IsMember({"text", "json"}));
  command->callback([models, format, &exit_code] {
    std::vector<Finding> findings;
    for (const std::string& path : *models) {
      findings.push_back(check_file(path));
      if (*format == "text") print_text(findings.back());
    }
    if (*format == "json") {
      ordered_json list = ordered_json::array();
      for (const Finding& finding : findings) list.push_back(as_json(finding));
      fmt::print("{}\n", list.dump(2));
    }
    exit_code = exit_code_of(findings);
  });
}

}  // namespace ifcert::conformance
