#include "conformance/commands/publish.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "conformance/certificate/certificate.hpp"
#include "conformance/certify/certify.hpp"
#include "conformance/report/causes_text.hpp"
#include "conformance/report/certification_table.hpp"
#include "conformance/report/report.hpp"
#include "conformance/report/rewritings.hpp"
#include "conformance/results/results_file.hpp"
#include "conformance/suite/rule_table.hpp"
#include "conformance/system/file.hpp"
#include "conformance/system/terminal.hpp"
#include "reference/files/output.hpp"

namespace ifcert::conformance {
namespace {

constexpr std::array names{"results.jsonl", "certificate.json", "certificate.json.sig", "report.json",
                           "junit.xml",     "report.md",        "report.html"};

}  // namespace

std::vector<KnownFailures> read_lists(const Project& project, const Suite& suite,
                                      const std::vector<std::string>& adapters, bool strict) {
  std::vector<KnownFailures> lists;
  if (strict) return lists;
  for (const std::string& adapter : adapters) lists.push_back(read_known_failures(project, adapter, suite));
  return lists;
}

void add_breaches_and_rules(const Suite& suite, const std::vector<KnownFailures>& lists, Certification& certification) {
  compare_with_lists(lists, certification);
  certification.rules = rules_of(summaries(suite));
  std::erase_if(certification.rules, [&certification](const RuleSummary& rule) {
    return std::ranges::find(certification.vectors, rule.name, &VectorSummary::rule) == certification.vectors.end();
  });
}

void print_table(const Certification& certification) {
  fmt::print("{}{}{}", causes_text(certification, terminal_width()),
             table_text(certification, terminal_width(), terminal_has_colours()), rewritings_text(certification));
}

void require_outputs(const std::filesystem::path& out, const files::Paths& inputs) {
  files::Paths outputs;
  for (const char* name : names) outputs.push_back(out / name);
  files::refuse_clashes(outputs, inputs);
}

void write_reports(const Certification& certification, const std::filesystem::path& out, const SigningKey* key) {
  for (const char* name : names) files::remove_leftovers(out / name);
  std::vector<std::pair<std::string, std::string>> files = report_files(certification, out);
  const std::string results = results_text(certification);
  const std::string certificate = certificate_text(certification, results);
  files.insert(files.begin(), {{"results.jsonl", results}, {"certificate.json", certificate}});
  if (key != nullptr) files.emplace_back("certificate.json.sig", key->signature_of(certificate));
  std::vector<files::OutputFile> outputs;
  for (const auto& [name, text] : files) outputs.push_back({out / name, text});
  files::write_files(outputs, {.make_folders = true});
  if (key == nullptr) std::filesystem::remove(out / "certificate.json.sig");  // of an earlier certificate
}

int print_summary(const Certification& certification, const std::filesystem::path& out) {
  print_table(certification);
  fmt::print("\n{}Report: {}\n", breaches_text(certification), printable((out / "report.html").string()));
  return exit_code(certification);
}

}  // namespace ifcert::conformance
