// ifcert fuzz ADAPTER… [--seed S] [--count N | --time SECONDS] [--jobs N] [--relations] [--resume] --out DIR
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "conformance/commands/cluster.hpp"
#include "conformance/commands/commands.hpp"
#include "conformance/fuzz/campaign.hpp"
#include "conformance/fuzz/finding_files.hpp"
#include "conformance/runtimes/environment.hpp"
#include "conformance/runtimes/read_adapter.hpp"
#include "conformance/system/error.hpp"
#include "conformance/system/file.hpp"
#include "conformance/system/terminal.hpp"
#include "conformance/system/unfinished_folder.hpp"
#include "reference/files/output.hpp"

namespace ifcert::conformance {
namespace {

namespace fs = std::filesystem;

struct FuzzOptions {
  std::vector<std::string> adapters;
  FuzzOrder order{.jobs = std::max(1U, std::thread::hardware_concurrency())};
  double time = 0;
  double timeout = 10;
  double shrink_seconds = 120;
  std::string out;
  std::string on;
};

std::atomic<bool> fuzz_interrupted = false;

/// The first interrupt lets the running cases finish; the second ends the program.
void interrupt_fuzz(int signal) {
  fuzz_interrupted = true;
  std::signal(signal, SIG_DFL);
}

/// The folder of a finding, below that of its adapter.
std::string folder_of(const FuzzFinding& finding) {
  std::string name = fmt::format("seed-{}-{}", finding.example.failure.seed, finding.example.failure.kind);
  std::ranges::replace(name, ' ', '-');
  return name;
}

/// Writes the findings in place of those of an earlier campaign, which stay until all new ones are there.
std::string write_findings(const Campaign& campaign, const Project& project, const fs::path& folder) {
  const fs::path findings = folder / "findings";
  UnfinishedFolder unfinished(findings);
  std::string lines;
  for (const FuzzFinding& finding : campaign.findings) {
    write_finding(unfinished.path() / folder_of(finding), finding, campaign.adapter, project);
    lines += json_of(finding, campaign.adapter, (folder.filename() / "findings" / folder_of(finding)).string()).dump() +
             "\n";
  }
  fs::remove_all(findings);
  if (!campaign.findings.empty()) unfinished.finish();
  return lines;
}

void tell(const FuzzFinding& finding, const fs::path& folder) {
  const FuzzExample& example = finding.example;
  const std::string what = example.unstable.empty()
                               ? headline(example.smallest())
                               : fmt::format("FAIL (unstable): {}, but alone in a fresh process {}",
                                             example.failure.verdict, example.unstable);
  fmt::print("\n{}\n  {} of {} cases made smaller, seed {} ({}); {} nodes: {}\n  {}\n", printable(what.substr(0, 400)),
             finding.seeds.size(), finding.failures, example.failure.seed, example.failure.kind, example.nodes,
             printable(example.form.substr(0, 200)), printable((folder / "findings" / folder_of(finding)).string()));
}

void tell(const Campaign& campaign, const fs::path& folder) {
  std::string counts;
  for (const auto& [verdict, count] : campaign.verdicts)
    counts += fmt::format("{}{} {}", counts.empty() ? "" : ", ", count, verdict);
  fmt::print("{} ({} {}): {} seeds: {}\n", campaign.adapter.name, printable(campaign.adapter.runtime),
             printable(campaign.adapter.version), campaign.seeds, counts);
  constexpr std::size_t most_troubles = 5;
  for (std::size_t i = 0; i < campaign.troubles.size() && i < most_troubles; ++i)
    fmt::print("not judged: {}\n", printable(campaign.troubles[i]));
  if (campaign.troubles.size() > most_troubles)
    fmt::print("not judged: and {} more\n", campaign.troubles.size() - most_troubles);
  for (const FuzzFinding& finding : campaign.findings) tell(finding, folder);
  fmt::print("\n{} findings{}\n", campaign.findings.size(),
             campaign.cut_short ? " so far; interrupted, the same command with --resume continues" : "");
}

Campaign run_campaign(const Project& project, const Adapter& adapter, FuzzOrder order, const fs::path& folder) {
  ProgressBar bar;
  order.interrupted = &fuzz_interrupted;
  order.progress = [&](std::size_t done, std::size_t total, const std::string& what) {
    bar.show(done, total, fmt::format("{} {}", adapter.name, what));
  };
  return fuzz(project, adapter, order, folder / "journal.jsonl");
}

std::vector<Adapter> adapters_to_fuzz(const Project& project, const std::vector<std::string>& names) {
  std::vector<Adapter> adapters;
  for (const std::string& name : names) {
    adapters.push_back(read_adapter(project, name));
    require_installed(project, adapters.back());
  }
  return adapters;
}

int run_fuzz(FuzzOptions& options, const CLI::App& command) {
  const Project project = find_project();
  if (!options.on.empty()) {
    for (const std::string& name : options.adapters) read_adapter(project, name);
    run_in_shards(project, command,
                  {{"adapters", options.adapters}, {"seed", options.order.seed}, {"count", options.order.count}});
  }
  const fs::path out = fs::absolute(options.out);
  FuzzOrder& order = options.order;
  if (options.time > 0) order.time = std::chrono::duration<double>(options.time);
  order.limits.message = std::chrono::milliseconds(static_cast<long>(options.timeout * 1000));
  order.limits.hidden.push_back(out);
  order.shrinking.time = std::chrono::milliseconds(static_cast<long>(options.shrink_seconds * 1000));
  for (const int signal : {SIGINT, SIGTERM}) std::signal(signal, interrupt_fuzz);
  std::string lines;
  int exit_code = 0;
  for (const Adapter& adapter : adapters_to_fuzz(project, options.adapters)) {
    const fs::path folder = out / adapter.name;
    const Campaign campaign = run_campaign(project, adapter, order, folder);
    lines += write_findings(campaign, project, folder);
    tell(campaign, folder);
    if (!campaign.findings.empty()) exit_code = std::max(exit_code, 1);
    if (campaign.cut_short || !campaign.troubles.empty()) exit_code = 2;
    if (campaign.cut_short) break;
  }
  files::remove_leftovers(out / "findings.jsonl");
  replace_file(out / "findings.jsonl", lines);
  return exit_code;
}

const CLI::Validator some_seconds(
    [](const std::string& text) {
      double seconds = 0;
      const bool fits = CLI::detail::lexical_cast(text, seconds) && seconds >= 0.01 && seconds <= 864'000;
      return fits ? std::string() : fmt::format("{} is not between 0.01 and 864000", text);
    },
    "FLOAT in [0.01 - 864000]");

}  // namespace

void add_fuzz(CLI::App& app, int& exit_code) {
  CLI::App* command =
      app.add_subcommand("fuzz", "Run random models on adapters, and make those that fail as small as possible");
  auto options = std::make_shared<FuzzOptions>();
  FuzzOrder& order = options->order;
  command
      ->add_option("ADAPTER", options->adapters,
                   "adapter of the runtime (see ifcert list adapters), or the path of an adapter's folder")
      ->type_name("")
      ->required();
  command->add_option("--seed", order.seed, "the first seed; the same seeds make the same models")->type_name("S");
  CLI::Option* count = command->add_option("--count", order.count, "number of seeds")
                           ->type_name("N")
                           ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 40U))
                           ->capture_default_str();
  command->add_option("--time", options->time, "how long to try seeds, instead of a number of seeds")
      ->type_name("SECONDS")
      ->check(some_seconds)
      ->excludes(count);
  command->add_option("--jobs", order.jobs, "adapter processes at a time")->type_name("N")->check(CLI::Range(1, 1024));
  command->add_option("--timeout", options->timeout, "time limit for each answer (default 10)")
      ->type_name("SECONDS")
      ->check(some_seconds);
  command->add_flag("--relations", order.kinds.relations,
                    "also run variants that must return the same as the original, such as with negated conds");
  command
      ->add_option("--examples", order.examples,
                   "how many failures with one cause to make smaller; three times as many for wrong values")
      ->type_name("N")
      ->check(CLI::Range(0, 10'000))
      ->capture_default_str();
  command
      ->add_option("--shrink-seconds", options->shrink_seconds,
                   "time limit for making one failure smaller (default 120)")
      ->type_name("SECONDS")
      ->check(some_seconds);
  command->add_flag("--resume", order.resume, "continue a campaign with the same --out, or add seeds to it");
  command->add_option("--out", options->out, "folder for the journal and the findings")->type_name("DIR")->required();
  add_on_option(*command, options->on, {"--time"});
  examples(
      *command,
      {{"ifcert fuzz reference --count 200 --out fuzzed", "200 seeds"},
       {"ifcert fuzz reference --count 300 --out fuzzed --resume", "100 more seeds"},
       {"ifcert fuzz reference --time 2 --relations --out related", "for two seconds, with related models"},
       {"ifcert fuzz reference --count 300 --on local --out everywhere", "in shards, as on a cluster"}},
      "Exit code 0: nothing was found; 1: there are findings, in DIR/findings.jsonl and the folders that it names;\n"
      "2: interrupted, or some models could not be judged.");
  command->callback([options, command, &exit_code] { exit_code = run_fuzz(*options, *command); });
}

}  // namespace ifcert::conformance
