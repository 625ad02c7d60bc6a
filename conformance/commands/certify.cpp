// ifcert certify ADAPTER…
#include "conformance/certify/certify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <csignal>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "conformance/certify/kept_results.hpp"
#include "conformance/certify/merge.hpp"
#include "conformance/certify/overwrite_guard.hpp"
#include "conformance/certify/sampled_rewritings.hpp"
#include "conformance/commands/cluster.hpp"
#include "conformance/commands/commands.hpp"
#include "conformance/commands/publish.hpp"
#include "conformance/reproduce/plain_runtime.hpp"
#include "conformance/results/results_file.hpp"
#include "conformance/results/run_settings.hpp"
#include "conformance/runtimes/environment.hpp"
#include "conformance/runtimes/onnx_backend.hpp"
#include "conformance/runtimes/read_adapter.hpp"
#include "conformance/system/error.hpp"
#include "conformance/system/file.hpp"
#include "conformance/system/terminal.hpp"

namespace ifcert::conformance {
namespace {

namespace fs = std::filesystem;

/// The arguments of the command line: `options`, and those that run_certify() converts or uses itself.
struct CertifyArguments {
  std::vector<std::string> adapters;
  std::vector<std::string> backends;  // modules with the onnx package's backend interface
  CertificationOptions options{.jobs = std::max(1U, std::thread::hardware_concurrency())};
  double timeout = 30;     // seconds
  std::string rewritings;  // "", "3", "all"
  std::string shard;
  std::string out = "results";
  bool resume = false;
  bool update = false;
  bool replace = false;
  std::string sign;  // the file of a private key
  std::string on;    // where the shards are certified: "local", "ray", …
};

std::atomic<bool> interrupted = false;

constexpr std::array interrupts{SIGINT, SIGTERM};

/// Sets what an interrupt does, except where the parent of this process made it ignore the signal.
void handle_interrupts(void (*handler)(int)) {
  for (const int signal : interrupts) {
    if (std::signal(signal, handler) == SIG_IGN) std::signal(signal, SIG_IGN);
  }
}

/// The first interrupt lets the running vectors finish; the second ends the program.
void interrupt(int /*signal*/) {
  interrupted = true;
  handle_interrupts(SIG_DFL);
}

/// Reads the adapters' manifests. Throws Error where two adapters have the same name, because results are stored by
/// name.
std::vector<Adapter> read_adapters(const Project& project, const std::vector<std::string>& names) {
  std::vector<Adapter> adapters;
  for (const std::string& name : names) {
    Adapter adapter = read_adapter(project, name);
    const auto same = std::ranges::find(adapters, adapter.name, &Adapter::name);
    if (same != adapters.end()) {
      const std::string& first = names[static_cast<std::size_t>(same - adapters.begin())];
      throw Error(first == name ? fmt::format("the adapter {} is named twice", name)
                                : fmt::format("{} and {} are both the adapter {}", first, name, adapter.name));
    }
    adapters.push_back(std::move(adapter));
  }
  return adapters;
}

void install_missing(const Project& project, std::vector<Adapter>& adapters) {
  for (Adapter& adapter : adapters) {
    if (!is_installed(project, adapter)) {
      fmt::print("Installing {} {}\n", adapter.name, printable(adapter.version));
      std::fflush(stdout);
      install(project, adapter);
    }
    adapter.files = files_digest(project, adapter);
  }
}

/// The results in the folder that --update keeps; none where it has no finished run. Throws Error where they are of a
/// run with other settings.
std::optional<Certification> results_to_keep(const Project& project, const Suite& suite, const Certification& plan,
                                             const fs::path& out) {
  const fs::path file = out / "results.jsonl";
  if (!fs::exists(file)) {
    fmt::print("No results to update in {}: running all vectors\n", printable(out.string()));
    return std::nullopt;
  }
  Part earlier{file.string(), read_results(project, file)};
  const std::size_t before = earlier.certification.results.size();
  Certification kept = kept_results(suite, plan, std::move(earlier));
  fmt::print("Updating {}: {} of its {} results are kept\n", printable(file.string()), kept.results.size(), before);
  std::fflush(stdout);
  return kept;
}

/// The journal for this run; none where --resume finds that the run is complete, which an update never is.
std::optional<Journal> open_journal(const Project& project, const Certification& plan, const fs::path& out, bool resume,
                                    bool update) {
  const fs::path file = out / "results.jsonl.part";
  if (!resume || (update && !fs::exists(file))) return Journal::begin(file, plan);
  if (fs::exists(file)) {
    Journal journal = Journal::resume(project, file, plan);
    fmt::print("Resuming {}: {} trials are already recorded\n", printable(file.string()),
               std::ranges::count(journal.trials(), false, &RecordedTrial::is_suspect));
    if (const auto line = journal.changed_line()) {
      fmt::print("Its line {} was changed: what was recorded from this line on is run again\n", *line);
    }
    return journal;
  }
  if (fs::exists(out / "results.jsonl")) return std::nullopt;
  fmt::print("Nothing to resume in {}: beginning\n", printable(out.string()));
  return Journal::begin(file, plan);
}

/// The results of a finished run. Throws Error if it had other settings.
Certification finished_results(const Project& project, const Suite& suite, const Certification& plan,
                               const fs::path& file) {
  Part part{file.string(), read_results(project, file)};
  if (const std::string found = difference(settings_of(part.certification), settings_of(plan)); !found.empty()) {
    throw Error(fmt::format("{} has the results of another run: {} (to begin anew, leave out --resume)", part.name,
                            printable(found)));
  }
  add_vectors(suite, part);
  fmt::print("Nothing to resume: {} is complete\n", printable(part.name));
  return part.certification;
}

/// Certifies with a progress bar; the user can interrupt the run.
Certification certify_interactively(const Project& project, const Suite& suite, const std::vector<Adapter>& adapters,
                                    CertificationOptions options) {
  ProgressBar bar;
  options.interrupted = &interrupted;
  options.progress = [&bar](std::size_t done, std::size_t total, const Result& last) {
    bar.show(done, total, fmt::format("{} {}", last.adapter, last.vector));
  };
  options.retry_progress = [&bar](std::size_t done, std::size_t total, const Result& last) {
    bar.show(done, total, fmt::format("tried again: {} {}", last.adapter, last.vector));
  };
  options.rewriting_progress = [&bar](std::size_t done, std::size_t total, const Result& last) {
    bar.show(done, total, fmt::format("written otherwise: {} {}", last.adapter, last.vector));
  };
  handle_interrupts(interrupt);
  Certification certification = certify(project, suite, adapters, options);
  // From here on, a signal ends the program at once: printing may block, on a pipe whose reader has stopped reading.
  handle_interrupts(SIG_DFL);
  return certification;
}

/// The results so far are in the journal. No other file is written, so that nobody takes them for complete results.
int report_interruption(const Certification& certification) {
  print_table(certification);
  const auto left = std::ranges::count(certification.results, Verdict::not_run, &Result::verdict);
  fmt::print("\nInterrupted with {} of {} results left; run the same command with --resume to continue\n", left,
             certification.results.size());
  return 2;
}

bool was_interrupted(const Certification& certification) {
  return interrupted &&
         std::ranges::find(certification.results, Verdict::not_run, &Result::verdict) != certification.results.end();
}

/// Replaces this process by one that certifies in shards, here or on a cluster, as --on specifies. The names of the
/// adapters and the selection must have been checked.
[[noreturn]] void certify_in_shards(const Project& project, const Suite& suite, const CertifyArguments& arguments,
                                    const CLI::App& command) {
  const std::size_t count = selected(summaries(suite), arguments.options.selection).size();
  run_in_shards(project, command, {{"adapters", arguments.adapters}, {"vectors", count}});
}

/// The number after --rewritings, or "all"; the usual one where it has none.
std::size_t rewritings_from(const std::string& text) {
  if (text.empty()) return usual_number;
  if (text == "all") return all_of_them;
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size() || number == 0)
    throw Error(fmt::format("--rewritings is '{}', not a number from 1 on and not 'all'", text));
  return number;
}

int run_certify(CertifyArguments& arguments, const CLI::App& command) {
  for (const std::string& module : arguments.backends) arguments.adapters.push_back(onnx_backend_name(module));
  if (arguments.adapters.empty()) throw Error("name an ADAPTER, or --onnx-backend MODULE");
  const Project project = find_project();
  std::vector<Adapter> adapters = read_adapters(project, arguments.adapters);
  std::optional<SigningKey> key;
  if (!arguments.sign.empty()) key.emplace(arguments.sign);
  CertificationOptions& options = arguments.options;
  const Selection& selection = options.selection;
  const Suite suite = read_suite(project, [&](const VectorSummary& vector) { return selection.selects(vector); });
  if (!arguments.on.empty()) certify_in_shards(project, suite, arguments, command);
  install_missing(project, adapters);
  const std::vector<KnownFailures> lists = read_lists(project, suite, arguments.adapters, options.strict);
  const fs::path out = fs::absolute(arguments.out);
  options.known_failures = lists;
  options.shard = shard_from(arguments.shard);
  if (command.count("--rewritings") > 0) options.rewritings = rewritings_from(arguments.rewritings);
  options.limits.message = std::chrono::milliseconds(static_cast<long>(arguments.timeout * 1000));
  options.limits.start = std::max(options.limits.start, options.limits.message);
  options.limits.hidden.push_back(out);
  Certification plan = plan_of(suite, adapters, options);
  plan.version = IFCERT_VERSION;
  require_outputs(out);
  std::optional<Certification> kept;
  if (arguments.update) kept = results_to_keep(project, suite, plan, out);
  if (kept) options.kept = &*kept;
  if ((!arguments.resume || arguments.update) && !arguments.replace) refuse_to_lose_results(suite, plan, out);
  std::optional<Journal> journal = open_journal(project, plan, out, arguments.resume, arguments.update);
  if (journal) options.journal = &*journal;
  Certification certification = journal ? certify_interactively(project, suite, adapters, options)
                                        : finished_results(project, suite, plan, out / "results.jsonl");
  add_breaches_and_rules(suite, lists, certification);
  if (certification.version.empty()) certification.version = IFCERT_VERSION;
  certification.program = project.program().string();
  certification.plain_runtimes = plain_runtime_names(project);
  if (was_interrupted(certification)) return report_interruption(certification);
  write_reports(certification, out, key ? &*key : nullptr);
  if (journal) journal->remove();  // before anything is printed, because that fails if the reader of a pipe has gone
  return print_summary(certification, out);
}

/// CLI::Range accepts "nan", which is neither too small nor too large.
const CLI::Validator seconds_range(
    [](const std::string& text) {
      double seconds = 0;
      const bool fits = CLI::detail::lexical_cast(text, seconds) && seconds >= 0.01 && seconds <= 86400;
      return fits ? std::string() : fmt::format("{} is not between 0.01 and 86400", text);
    },
    "FLOAT in [0.01 - 86400]");

}  // namespace

void add_certify(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("certify", "Run the vectors on adapters and report, rule by rule, what holds");
  auto arguments = std::make_shared<CertifyArguments>();
  Selection& selection = arguments->options.selection;
  command
      ->add_option("ADAPTER", arguments->adapters,
                   "adapter to certify (see ifcert list adapters), or the path of an adapter's folder")
      ->type_name("");
  command
      ->add_option("--onnx-backend", arguments->backends,
                   "module or class with the onnx package's backend interface, in the Python that PATH names; "
                   "also onnx-backend:MODULE as ADAPTER")
      ->type_name("MODULE");
  command->add_option("--profile", selection.profiles, "only vectors of this profile (ifcert list profiles)")
      ->type_name("PROFILE");
  command->add_option("--rule", selection.rules, "only vectors of rules that match this glob")->type_name("RULE");
  command->add_option("--vector", selection.vectors, "only vectors whose id matches this glob")->type_name("VECTOR");
  command->add_option("--where", selection.coordinates, where_text)->type_name("DIMENSION=VALUE")->delimiter(',');
  command->add_option("--jobs", arguments->options.jobs, "adapter processes at a time")
      ->type_name("N")
      ->check(CLI::Range(1, 1024));
  command->add_option("--timeout", arguments->timeout, "time limit for each answer")
      ->type_name("SECONDS")
      ->check(seconds_range);
  command
      ->add_option("--memory", arguments->options.limits.memory, "memory limit for an adapter and all that it starts")
      ->type_name("MIB")
      ->check(CLI::Range(16, 1 << 30));
  command
      ->add_option("--processor-time", arguments->options.limits.seconds,
                   "processor time for one adapter process and all that it starts")
      ->type_name("SECONDS")
      ->check(CLI::Range(1, 1 << 30));
  command
      ->add_option("--repeat", arguments->options.repeat,
                   "number of rounds of all vectors; results that differ are FAIL (unstable)")
      ->type_name("N")
      ->check(CLI::Range(1, 10'000));
  command->add_flag("--no-controls{false}", arguments->options.controls,
                    "do not find out whether models that fail compute without their Ifs: no failure is NOT-IF");
  command
      ->add_option("--rewritings", arguments->rewritings,
                   "run N rewritings of each model that passes, or all of them (docs/rewritings.md): its file, written "
                   "otherwise where nothing depends on it")
      ->type_name("N|all")
      ->expected(0, 1)
      ->default_str(std::to_string(usual_number));
  command
      ->add_option("--shard", arguments->shard,
                   "only the I-th of N parts, given as I/N (ifcert merge combines the parts)")
      ->type_name("I/N");
  command
      ->add_option("--out", arguments->out,
                   "folder for results.jsonl and the reports; refused if it has results that this run would remove")
      ->type_name("DIR")
      ->capture_default_str();
  command->add_flag("--resume", arguments->resume, "continue a killed or interrupted run that had the same --out");
  command
      ->add_flag("--update", arguments->update,
                 "keep those results in the --out folder whose vectors have not changed since, and run the others")
      ->excludes("--shard");
  command->add_flag("--replace", arguments->replace,
                    "replace all results in the --out folder, also those that this run does not repeat");
  command->add_option("--sign", arguments->sign, "private Ed25519 key, in PEM: also write certificate.json.sig")
      ->type_name("KEY");
  command->add_flag("--strict", arguments->options.strict,
                    "ignore the known-failure lists: every failure fails the run, but LENIENT does not");
  add_on_option(*command, arguments->on, {"--shard", "--update"});
  for (const char* repeatable : {"--onnx-backend", "--profile", "--rule", "--vector", "--where"})
    command->get_option(repeatable)->expected(1)->take_all();
  examples(
      *command,
      {{"ifcert certify onnxruntime", "installs ONNX Runtime, runs all vectors, writes results/report.html"},
       {"ifcert certify reference --rule 'onnx/if/nest*' --out nesting", "the rules that a glob matches"},
       {"ifcert certify reference --rule 'onnx/if/nest*' --out nesting --resume",
        "continues, or reports that nothing is left to do"},
       {"ifcert certify reference --rule 'onnx/if/nest*' --out nesting --update",
        "runs only vectors that were added or changed"},
       {"ifcert certify reference --rule 'onnx/if/nest*' --rewritings 2 --out rewritten",
        "and two rewritings of each model that passes"},
       {"ifcert certify reference --rule 'onnx/if/nest*' --shard 1/2 --out first", "the first half"},
       {"ifcert certify reference --rule 'onnx/if/nest*' --shard 2/2 --out second", "the second half"},
       {"ifcert certify reference --rule 'onnx/if/nest*' --on local --out everywhere", "in shards, as on a cluster"}},
      "Exit code 0: every result is as required or as listed in the known-failure lists; 1: some are not; 2: the run\n"
      "failed or was interrupted, or nothing could be judged because of the adapter.");
  command->callback([arguments, command, &exit_code] { exit_code = run_certify(*arguments, *command); });
}

}  // namespace ifcert::conformance
