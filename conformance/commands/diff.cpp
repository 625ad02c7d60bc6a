// ifcert diff BEFORE AFTER [--format text|markdown|json]
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <string>

#include "conformance/commands/commands.hpp"
#include "conformance/difference_text.hpp"
#include "conformance/results_file.hpp"

namespace ifcert::conformance {
namespace {

namespace fs = std::filesystem;

struct DiffOptions {
  std::string before, after;
  std::string format = "text";
};

/// A folder stands for its results.jsonl.
Certification read(const Project& project, const fs::path& path) {
  return read_results(project, fs::is_directory(path) ? path / "results.jsonl" : path);
}

int run_diff(const DiffOptions& options) {
  const Project project = find_project();
  const CertificationDifference found = difference(read(project, options.before), read(project, options.after));
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
  CLI::App* command =
      app.add_subcommand("diff", "Compare two certifications: what broke, what was mended, what is new");
  auto options = std::make_shared<DiffOptions>();
  command->add_option("BEFORE", options->before, "folder of the earlier results, or its results.jsonl")
      ->type_name("")
      ->required();
  command->add_option("AFTER", options->after, "folder of the later results, or its results.jsonl")
      ->type_name("")
      ->required();
  one_of(command->add_option("--format", options->format, "markdown is for release notes")->capture_default_str(),
         {"text", "markdown", "json"});
  examples(
      *command,
      {{"ifcert diff results results", "no difference"},
       {"ifcert diff results results --format markdown", "for release notes"}},
      "Exit code 0 if nothing broke; 1 if something broke; 2 if a later or earlier result shows nothing about the\n"
      "runtime (ADAPTER, HARNESS, NOT-RUN), or a file cannot be read.");
  command->callback([options, &exit_code] { exit_code = run_diff(*options); });
}

}  // namespace ifcert::conformance
