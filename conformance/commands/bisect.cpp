// ifcert bisect VECTOR NAME FROM..TO
#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "conformance/certify/causes.hpp"
#include "conformance/commands/commands.hpp"
#include "conformance/commands/released_versions.hpp"
#include "conformance/results/results_file.hpp"
#include "conformance/system/error.hpp"
#include "conformance/system/one_line.hpp"

namespace ifcert::conformance {
namespace {

namespace fs = std::filesystem;

struct BisectOptions {
  std::string vector, adapter, range, out;
};

/// A version's result for the vector: its verdict, the reason, and the runtime's own message.
struct Outcome {
  std::string verdict, reason, message;
};

class Bisection {
 public:
  Bisection(Project project, const BisectOptions& options) : project_(std::move(project)), options_(options) {
    versions_ = released_versions(project_, options.adapter, range_from(options.range));
  }

  /// Finds two neighbours of different verdicts. Versions that cannot be certified are left out.
  int run() {
    const auto first = next_certified(0, versions_.size());
    const auto last = last_certified();
    if (!first || *first == last) throw Error("fewer than two of the versions could be certified");
    if (outcome(*first).verdict == outcome(last).verdict) {
      fmt::print("{} is {} in {} and in {}: nothing to bisect\n", options_.vector, outcome(*first).verdict,
                 versions_[*first], versions_[last]);
      return 1;
    }
    std::size_t low = *first, high = last;
    while (const auto middle = between(low, high)) {
      (outcome(*middle).verdict == outcome(*first).verdict ? low : high) = *middle;
    }
    print(low, high);
    return 0;
  }

 private:
  const Outcome& outcome(std::size_t at) { return outcomes_.at(at); }

  bool certified(std::size_t at) {
    if (outcomes_.contains(at)) return true;
    const fs::path folder = fs::path(options_.out) / versions_[at];
    if (!certify_version(project_, options_.adapter, versions_[at], folder,
                         {"--vector", options_.vector, "--jobs", "1"}))
      return false;
    for (const Result& result : read_results(project_, folder / "results.jsonl").results) {
      if (result.vector == options_.vector) outcomes_[at] = {verdict_line(result), result.reason, own_line(result)};
    }
    return outcomes_.contains(at);
  }

  std::optional<std::size_t> next_certified(std::size_t from, std::size_t end) {
    for (std::size_t at = from; at < end; ++at) {
      if (certified(at)) return at;
    }
    return std::nullopt;
  }

  std::size_t last_certified() {
    for (std::size_t at = versions_.size(); at-- > 1;) {
      if (certified(at)) return at;
    }
    return 0;
  }

  /// A certified version between two, near the middle; the ones that fail are tried once and then left out.
  std::optional<std::size_t> between(std::size_t low, std::size_t high) {
    const std::size_t middle = low + (high - low) / 2;
    for (std::size_t distance = 0; distance < high - low; ++distance) {
      for (const std::size_t at : {middle + distance, middle - distance}) {
        if (at <= low || at >= high || failed_.contains(at)) continue;
        if (certified(at)) return at;
        failed_.insert(at);
      }
    }
    return std::nullopt;
  }

  void print(std::size_t low, std::size_t high) {
    fmt::print("\n{}\n  {} {}: {}\n  {} {}: {}\n", options_.vector, options_.adapter, versions_[low],
               outcome(low).verdict, options_.adapter, versions_[high], outcome(high).verdict);
    if (!outcome(high).reason.empty()) fmt::print("    {}\n", one_line(outcome(high).reason, 300));
    if (!outcome(high).message.empty()) fmt::print("    runtime: {}\n", one_line(outcome(high).message, 300));
    if (!failed_.empty()) fmt::print("  {} releases in between could not be certified\n", failed_.size());
  }

  Project project_;
  const BisectOptions& options_;
  std::vector<std::string> versions_;
  std::map<std::size_t, Outcome> outcomes_;
  std::set<std::size_t> failed_;
};

}  // namespace

void add_bisect(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("bisect", "Find the release of a runtime that changed a vector's verdict");
  auto options = std::make_shared<BisectOptions>();
  command->add_option("VECTOR", options->vector, "its id")->type_name("")->required();
  command->add_option("ADAPTER", options->adapter, "adapter of a runtime that comes by pip or npm")
      ->type_name("")
      ->required();
  command->add_option("FROM..TO", options->range, "released versions, such as 1.16..1.31")->type_name("")->required();
  command->add_option("--out", options->out, "folder for the results of each version")
      ->type_name("DIR")
      ->default_val("bisection");
  examples(*command,
           {{"ifcert bisect onnx/if/one-input/cross-fault-no-input-place-uncalled onnxruntime 1.29..1.31",
             "installs and certifies as few releases as halving needs"}},
           "Exit code 0: two neighbouring releases with different verdicts were found; 1: the first and the last have\n"
           "the same verdict; 2: fewer than two could be certified.");
  command->callback([options, &exit_code] { exit_code = Bisection(find_project(), *options).run(); });
}

}  // namespace ifcert::conformance
