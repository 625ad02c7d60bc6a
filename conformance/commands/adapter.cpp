// ifcert adapter install NAME… | list | smoke NAME
#include "conformance/adapter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <ifcert/message.hpp>
#include <memory>
#include <string>
#include <vector>

#include "conformance/commands/commands.hpp"
#include "conformance/commands/list.hpp"
#include "conformance/environment.hpp"
#include "conformance/smoke.hpp"

namespace ifcert::conformance {
namespace {

/// The pinned Python packages, and the tools with a lock file of their own.
std::vector<std::string> installed_by(const Adapter& adapter) {
  std::vector<std::string> what = adapter.requirements;
  for (const InstallStep& step : adapter.steps)
    what.push_back(fmt::format("what {} locks in {}", step.tool, step.folder.string()));
  return what;
}

void install_adapters(const std::vector<std::string>& names) {
  const Project project = find_project();
  for (const std::string& name : names) {
    const Adapter adapter = read_adapter(project, name);
    if (adapter.environment.empty()) {
      fmt::print("{}: nothing to install\n", name);
    } else if (install(project, adapter)) {
      fmt::print("{}: installed {}\n", name, fmt::join(installed_by(adapter), " "));
    } else {
      fmt::print("{}: already installed\n", name);
    }
  }
}

void tell(const SmokeStep& step) {
  using Outcome = SmokeStep::Outcome;
  if (step.outcome == Outcome::ok) {
    fmt::print("ok       {}\n", printable(step.what));
  } else if (step.outcome == Outcome::not_declared) {
    fmt::print("not done {}: {}\n", printable(step.what), printable(step.said));
  } else {
    fmt::print("WRONG    {}\n         the {}: {}\n", printable(step.what),
               step.outcome == Outcome::adapter ? "adapter" : "runtime, as far as its adapter shows",
               printable(step.said));
    if (!step.evidence.empty()) fmt::print("         it printed: {}\n", printable(step.evidence));
  }
  std::fflush(stdout);
}

/// One line for each cause, so that ten steps that fail alike are read once.
void tell_causes(const std::vector<SmokeStep>& steps) {
  const auto causes = smoke_causes(steps);
  fmt::print("\n{} cause{}:\n", causes.size(), causes.size() == 1 ? "" : "s");
  for (const auto& cause : causes) {
    fmt::print("{:>3} step{}, the {}: {}\n", cause.size(), cause.size() == 1 ? "" : "s",
               cause.front()->outcome == SmokeStep::Outcome::adapter ? "adapter" : "runtime",
               printable(cause.front()->own));
  }
}

int smoke_adapter(const std::string& name) {
  const Project project = find_project();
  const Adapter adapter = read_adapter(project, name);
  require_installed(project, adapter);
  const std::vector<std::string> ids = smoke_vectors(adapter.systems);
  const Suite suite =
      read_suite(project, [&](const VectorSummary& vector) { return std::ranges::find(ids, vector.id) != ids.end(); });
  const std::vector<SmokeStep> steps = smoke(project, adapter, suite, ids, {}, tell);
  const auto count = [&steps](SmokeStep::Outcome outcome) {
    return std::ranges::count(steps, outcome, &SmokeStep::outcome);
  };
  const auto adapters = count(SmokeStep::Outcome::adapter);
  const auto runtimes = count(SmokeStep::Outcome::runtime);
  if (adapters + runtimes == 0) {
    fmt::print("{} speaks the protocol; next: ifcert certify {}\n", adapter.name, name);
    return 0;
  }
  tell_causes(steps);
  fmt::print("{} of {} steps failed: {} because of the adapter, {} because of the runtime\n", adapters + runtimes,
             steps.size(), adapters, runtimes);
  return 1;
}

}  // namespace

void add_adapter(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("adapter", "Install the adapters' environments, or try an adapter");
  command->require_subcommand(1);
  auto names = std::make_shared<std::vector<std::string>>();
  CLI::App* installing = command->add_subcommand("install", "Create an adapter's environment with its pinned packages");
  installing->add_option("ADAPTER", *names, "its name (ifcert list adapters)")->type_name("")->required();
  examples(*installing, {{"ifcert adapter install onnxruntime", "into .adapters, or the folder IFCERT_ADAPTERS"}});
  installing->callback([names, &exit_code] {
    install_adapters(*names);
    exit_code = 0;
  });
  auto name = std::make_shared<std::string>();
  CLI::App* smoking = command->add_subcommand(
      "smoke", "Try an adapter on a few vectors, and report whether it or the runtime is at fault");
  smoking->add_option("ADAPTER", *name, "its name, or the path of its folder")->type_name("")->required();
  examples(*smoking, {{"ifcert adapter smoke reference", "checks, step by step, that it speaks the protocol"}},
           "Exit code 0: every step passed; 1: steps failed; 2: the adapter could not be tried.");
  smoking->callback([name, &exit_code] { exit_code = smoke_adapter(*name); });
  auto as_json = std::make_shared<bool>(false);
  CLI::App* listing =
      command->add_subcommand("list", "List the adapters: which are or can be installed, and what that costs");
  listing->add_flag("--json", *as_json, "all details, as JSON");
  examples(*listing, {{"ifcert adapter list", "the same as ifcert list adapters"}});
  listing->callback([as_json, &exit_code] {
    print_list("adapters", *as_json);
    exit_code = 0;
  });
  examples(*command, {{"ifcert adapter list", "lists the adapters"}});
}

}  // namespace ifcert::conformance
