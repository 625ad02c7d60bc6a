// ifcert diff BEFORE AFTER [--format text|markdown|json]
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <string>

#include "conformance/certificate/certified_counts.hpp"
#include "conformance/commands/commands.hpp"
#include "conformance/report/difference_text.hpp"
#include "conformance/results/results_file.hpp"
#include "conformance/system/error.hpp"
#include "conformance/system/file.hpp"

namespace ifcert::conformance {
namespace {

namespace fs = std::filesystem;

struct DiffOptions {
  std::string before, after;
  std::string format = "text";
};

/// A folder means its results.jsonl or, if it has none, its certificate.json.
fs::path file_of(const fs::path& path) {
  if (!fs::is_directory(path)) return path;
  const fs::path results = path / "results.jsonl", certificate = path / "certificate.json";
  return !fs::exists(results) && fs::exists(certificate) ? certificate : results;
}

CertifiedCounts counts_in(const Project& project, const Suite& manifest, const fs::path& file) {
  try {
    const std::string text = read_file(file);
    if (is_certificate(text)) return counts_in_certificate(text, manifest);
    return counts_in_results(read_results(project, file), manifest);
  } catch (const Error& fault) {
    throw Error(fmt::format("{}: {}", file.string(), fault.what()));
  }
}

/// Vector by vector, or rule by rule where one of the two is a certificate.
CertificationDifference difference_of(const fs::path& before, const fs::path& after) {
  const Project project = find_project();
  if (!is_certificate(read_file(before)) && !is_certificate(read_file(after)))
    return difference(read_results(project, before), read_results(project, after));
  const Suite manifest = read_manifest(project);
  return difference(counts_in(project, manifest, before), counts_in(project, manifest, after));
}

int run_diff(const DiffOptions& options) {
  const CertificationDifference found = difference_of(file_of(options.before), file_of(options.after));
  if (options.format == "json") {
    fmt::print("{}\n", difference_json(found).dump(2, ' ', true));
  } else {
    fmt::print("{}", options.format == "markdown" ? difference_markdown(found) : difference_text(found));
  }
  if (found.has(Change::broke)) return 1;
  return found.has(Change::unknown) ? 2 : 0;
}

}  // namespace

void add_diff(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("diff", "Compare two certifications: what broke, what was fixed, what is new");
  auto options = std::make_shared<DiffOptions>();
  command
      ->add_option("BEFORE", options->before, "folder of the earlier results, its results.jsonl, or a certificate.json")
      ->type_name("")
      ->required();
  command->add_option("AFTER", options->after, "folder of the later results, its results.jsonl, or a certificate.json")
      ->type_name("")
      ->required();
  one_of(command->add_option("--format", options->format, "markdown is for release notes")->capture_default_str(),
         {"text", "markdown", "json"});
  examples(
      *command,
      {{"ifcert diff results results", "no difference"},
       {"ifcert diff results results --format markdown", "for release notes"},
       {"ifcert diff results/certificate.json results", "rule by rule, from the counts of a certificate"}},
      "A certificate has only counts, so with one, rules are compared instead of vectors, and a vector that broke may\n"
      "go unnoticed if another of its rule was fixed.\n"
      "Exit code 0 if nothing broke; 1 if something broke; 2 if a later or earlier result shows nothing about the\n"
      "runtime (ADAPTER, HARNESS, NOT-RUN), or a file cannot be read.");
  command->callback([options, &exit_code] { exit_code = run_diff(*options); });
}

}  // namespace ifcert::conformance
