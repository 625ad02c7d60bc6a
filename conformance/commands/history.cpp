// ifcert history NAME FROM..TO
#include "conformance/report/history.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "conformance/commands/cluster.hpp"
#include "conformance/commands/commands.hpp"
#include "conformance/commands/released_versions.hpp"
#include "conformance/results/results_file.hpp"
#include "conformance/system/error.hpp"
#include "conformance/system/file.hpp"
#include "reference/files/output.hpp"

namespace ifcert::conformance {
namespace {

namespace fs = std::filesystem;

struct HistoryOptions {
  std::string adapter, range, out;
  std::vector<std::string> rules, vectors;
  std::string jobs;
  std::string on;
  std::vector<std::string> certified;
};

std::vector<std::string> passed_on(const HistoryOptions& options) {
  std::vector<std::string> words;
  for (const std::string& rule : options.rules) words.insert(words.end(), {"--rule", rule});
  for (const std::string& vector : options.vectors) words.insert(words.end(), {"--vector", vector});
  if (!options.jobs.empty()) words.insert(words.end(), {"--jobs", options.jobs});
  return words;
}

/// With --certified, other machines have certified these versions, or could not.
bool is_certified(const Project& project, const HistoryOptions& options, const std::string& version,
                  const fs::path& folder) {
  if (!options.certified.empty()) return fs::exists(folder / "results.jsonl");
  return certify_version(project, options.adapter, version, folder, passed_on(options));
}

int run_history(const HistoryOptions& options, const CLI::App& command) {
  const Project project = find_project();
  const std::vector<std::string> versions = options.certified.empty()
                                                ? released_versions(project, options.adapter, range_from(options.range))
                                                : options.certified;
  const fs::path out = options.out.empty() ? fs::path(options.adapter + "-history") : fs::path(options.out);
  if (!options.on.empty()) run_in_shards(project, command, {{"versions", versions}, {"out", out.string()}});
  std::vector<Release> releases;
  std::vector<std::string> missing;
  for (const std::string& version : versions) {
    const fs::path folder = out / version;
    if (is_certified(project, options, version, folder)) {
      releases.push_back({version, read_results(project, folder / "results.jsonl")});
    } else {
      missing.push_back(version);
    }
  }
  if (releases.empty()) throw Error(fmt::format("none of {} could be certified", fmt::join(versions, ", ")));
  for (const char* name : {"history.md", "history.json"}) files::remove_leftovers(out / name);
  replace_file(out / "history.md", history_markdown(options.adapter, releases));
  replace_file(out / "history.json", history_json(options.adapter, releases).dump(2, ' ', true) + "\n");
  fmt::print("\n{}", history_text(releases));
  if (!missing.empty()) fmt::print("Not certified (see above): {}\n", fmt::join(missing, ", "));
  fmt::print("History: {}\n", printable((out / "history.md").string()));
  return missing.empty() ? 0 : 2;
}

}  // namespace

void add_history(CLI::App& app, int& exit_code) {
  CLI::App* command =
      app.add_subcommand("history", "Certify the releases of a runtime: what each of them broke and fixed");
  auto options = std::make_shared<HistoryOptions>();
  command->add_option("ADAPTER", options->adapter, "adapter of a runtime that comes by pip or npm")
      ->type_name("")
      ->required();
  command->add_option("FROM..TO", options->range, "released versions, such as 1.30..1.31")->type_name("")->required();
  command->add_option("--rule", options->rules, "only vectors of rules that match this glob")
      ->type_name("RULE")
      ->expected(1)
      ->take_all();
  command->add_option("--vector", options->vectors, "only vectors whose id matches this glob")
      ->type_name("VECTOR")
      ->expected(1)
      ->take_all();
  command->add_option("--jobs", options->jobs, "adapter processes at a time")->type_name("N");
  command
      ->add_option("--out", options->out,
                   "folder for the results of each version, history.md and history.json "
                   "(default: ADAPTER-history)")
      ->type_name("DIR");
  add_on_option(*command, options->on, {});
  command->add_option("--certified", options->certified)->expected(1)->take_all()->group("");  // by ifcert.cluster
  examples(
      *command,
      {{"ifcert history onnxruntime 1.29..1.31 --rule 'onnx/if/*' --out onnxruntime-history",
        "each release is installed in an environment of its own"}},
      "The same command continues an interrupted history. Exit code 0: every release was certified; 2: some could\n"
      "not be installed or certified.");
  command->callback([options, command, &exit_code] { exit_code = run_history(*options, *command); });
}

}  // namespace ifcert::conformance
