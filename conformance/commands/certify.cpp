// ifcert certify ADAPTER…
#include "conformance/certify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <filesystem>
#include <iterator>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "conformance/commands/commands.hpp"
#include "conformance/environment.hpp"
#include "conformance/error.hpp"
#include "conformance/known_failures.hpp"
#include "conformance/report/report.hpp"
#include "conformance/results_file.hpp"
#include "conformance/rule_table.hpp"
#include "conformance/table.hpp"
#include "conformance/terminal.hpp"

namespace ifcert::conformance {
namespace {

struct Options {
  std::vector<std::string> adapters;
  Order order{.jobs = std::max(1U, std::thread::hardware_concurrency())};
  double timeout = 30;
  std::string out = "results";
  bool strict = false;
};

std::atomic<bool> interrupted = false;

/// The first interrupt lets the vectors that run come to their end; the second ends the program.
void interrupt(int signal) {
  interrupted = true;
  std::signal(signal, SIG_DFL);
}

std::vector<Adapter> read_adapters(const Project& project, const std::vector<std::string>& names) {
  std::vector<Adapter> adapters;
  for (const std::string& name : names) {
    if (std::ranges::find(adapters, name, &Adapter::name) != adapters.end()) {
      throw Error(fmt::format("the adapter {} is named twice", name));
    }
    adapters.push_back(read_adapter(project, name));
    require_installed(project, adapters.back());
  }
  return adapters;
}

std::vector<KnownFailures> read_lists(const Project& project, const Suite& suite, const Options& options) {
  std::vector<KnownFailures> lists;
  if (options.strict) return lists;
  for (const std::string& name : options.adapters) lists.push_back(read_known_failures(project, name, suite));
  return lists;
}

Certification run_certification(const Project& project, Options& options) {
  const Suite suite = read_suite(project);
  const std::vector<Adapter> adapters = read_adapters(project, options.adapters);
  const std::vector<KnownFailures> lists = read_lists(project, suite, options);
  const std::vector<RuleSummary> rules = rules_of(summaries(suite));
  ProgressBar bar;
  options.order.limits.message = std::chrono::milliseconds(static_cast<long>(options.timeout * 1000));
  options.order.limits.start = std::max(options.order.limits.start, options.order.limits.message);
  options.order.interrupted = &interrupted;
  options.order.progress = [&bar](std::size_t done, std::size_t total, const Result& last) {
    bar.show(done, total, fmt::format("{} {}", last.adapter, last.vector));
  };
  std::signal(SIGINT, interrupt);
  std::signal(SIGTERM, interrupt);
  Certification certification = certify(project, suite, adapters, options.order);
  hold_against(lists, certification);
  certification.limits["strict"] = options.strict;
  std::ranges::copy_if(rules, std::back_inserter(certification.rules), [&certification](const RuleSummary& rule) {
    return std::ranges::find(certification.vectors, rule.name, &VectorSummary::rule) != certification.vectors.end();
  });
  return certification;
}

int run_certify(Options& options) {
  const Certification certification = run_certification(find_project(), options);
  const std::filesystem::path out = std::filesystem::absolute(options.out);
  write_results(certification, out / "results.jsonl");
  write_report(certification, out);
  fmt::print("{}\n{}", table_text(certification, terminal_width(), terminal_has_colours()),
             breaches_text(certification));
  fmt::print("Report: {}\n", (out / "report.html").string());
  return exit_code(certification);
}

/// As CLI::Range, which takes "nan": it is neither too small nor too large.
const CLI::Validator seconds_range(
    [](const std::string& text) {
      double seconds = 0;
      const bool fits = CLI::detail::lexical_cast(text, seconds) && seconds >= 0.01 && seconds <= 86400;
      return fits ? std::string() : fmt::format("{} is not between 0.01 and 86400", text);
    },
    "FLOAT in [0.01 - 86400]");

}  // namespace

void add_certify(CLI::App& app, int& exit_code) {
  CLI::App* command =
      app.add_subcommand("certify", "Run the vectors against adapters and say, rule by rule, what holds");
  auto options = std::make_shared<Options>();
  Selection& selection = options->order.selection;
  command->add_option("ADAPTER", options->adapters, "what to certify (ifcert list adapters)")->required();
  command->add_option("--profile", selection.profiles, "only vectors of this profile (ifcert list profiles)");
  command->add_option("--rule", selection.rules, "only vectors of rules that match this glob");
  command->add_option("--vector", selection.vectors, "only vectors whose id matches this glob");
  command->add_option("--jobs", options->order.jobs, "adapter processes at a time")->check(CLI::Range(1, 1024));
  command->add_option("--timeout", options->timeout, "seconds for an answer")->check(seconds_range);
  command->add_option("--memory", options->order.limits.memory, "MiB that an adapter and all it starts may hold")
      ->check(CLI::Range(16, 1 << 30));
  command->add_option("--out", options->out, "folder for results.jsonl and the reports")->capture_default_str();
  command->add_flag("--strict", options->strict, "hold the results against no known-failure lists");
  for (const char* repeatable : {"--profile", "--rule", "--vector"})
    command->get_option(repeatable)->expected(1)->take_all();
  command->callback([options, &exit_code] { exit_code = run_certify(*options); });
}

}  // namespace ifcert::conformance
