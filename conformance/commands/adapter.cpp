// ifcert adapter install NAME… | list | smoke NAME
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <ifcert/message.hpp>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "conformance/commands/commands.hpp"
#include "conformance/runtimes/environment.hpp"
#include "conformance/runtimes/read_adapter.hpp"
#include "conformance/runtimes/registry_client.hpp"
#include "conformance/smoke/smoke.hpp"
#include "conformance/suite/selection.hpp"
#include "conformance/system/error.hpp"

namespace ifcert::conformance {
namespace {

/// The pinned Python packages, and the tools with a lock file of their own.
std::vector<std::string> installed_by(const Adapter& adapter) {
  std::vector<std::string> what = adapter.requirements;
  for (const InstallStep& step : adapter.steps) {
    const std::string_view client = client_name(step.tool);
    what.push_back(step.version.empty() ? fmt::format("what {} locks in {}", client, step.folder.string())
                                        : fmt::format("version {} by {}", step.version, client));
  }
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
      if (!adapter.requirements.empty() && adapter.pins.empty())
        fmt::print("{}: there were no digests to compare these packages with; those that pip saw are in {}\n", name,
                   packages_installed_in(project, adapter).string());
    } else {
      fmt::print("{}: already installed\n", name);
    }
  }
}

void tell(const SmokeStep& step) {
  using Outcome = SmokeStep::Outcome;
  if (step.outcome == Outcome::ok) {
    fmt::print("ok         {}: {}\n", step.name, printable(step.what));
  } else if (step.outcome == Outcome::not_tried) {
    fmt::print("not tried  {}: {}\n", step.name, printable(step.reason));
  } else {
    fmt::print("WRONG      {}: {}\n           the {}: {}\n", step.name, printable(step.what),
               step.outcome == Outcome::adapter ? "adapter" : "runtime, as far as its adapter shows",
               printable(step.reason));
    if (!step.evidence.empty()) fmt::print("           it printed: {}\n", printable(step.evidence));
  }
  std::fflush(stdout);
}

/// One line for each cause, so that ten steps that fail alike are read once.
void tell_causes(const std::vector<SmokeStep>& steps) {
  const auto causes = smoke_causes(steps);
  fmt::print("\n{} cause{}:\n", causes.size(), causes.size() == 1 ? "" : "s");
  for (const auto& cause : causes) {
    fmt::print("{:>3} check{}, the {}: {}\n", cause.size(), cause.size() == 1 ? "" : "s",
               cause.front()->outcome == SmokeStep::Outcome::adapter ? "adapter" : "runtime",
               printable(cause.front()->own));
  }
}

struct SmokeOptions {
  std::string name;
  std::string glob = "*";
  bool list = false;
};

/// The checks of the adapter's systems that the glob selects. Throws Error where it selects none.
std::vector<SmokeCheck> chosen_checks(const Adapter& adapter, const std::string& glob) {
  std::vector<SmokeCheck> checks = smoke_checks(adapter.systems);
  std::erase_if(checks, [&glob](const SmokeCheck& check) { return !glob_matches(glob, check.name); });
  const std::vector<std::string> others = smoke_checks_without_vector();
  if (checks.empty() && std::ranges::none_of(others, [&](const std::string& name) { return glob_matches(glob, name); }))
    throw Error(
        fmt::format("no check is named '{}'; ifcert adapter smoke {} --list lists them", glob, adapter.requested_as));
  return checks;
}

int list_checks(const std::vector<SmokeCheck>& checks, const std::string& glob) {
  for (const std::string& name : smoke_checks_without_vector()) {
    if (glob_matches(glob, name)) fmt::print("{}\n", name);
  }
  for (const SmokeCheck& check : checks) {
    const std::string form = described(check.form);
    fmt::print("{:<36} {}{}{}\n", check.name, form, form.empty() ? "" : ": ", check.vector);
  }
  return 0;
}

int smoke_adapter(const SmokeOptions& options) {
  const Project project = find_project();
  const Adapter adapter = read_adapter(project, options.name);
  const std::vector<SmokeCheck> checks = chosen_checks(adapter, options.glob);
  if (options.list) return list_checks(checks, options.glob);
  require_installed(project, adapter);
  std::set<std::string> ids;
  for (const SmokeCheck& check : checks) ids.insert({check.vector, check.before});
  const Suite suite = read_suite(project, [&ids](const VectorSummary& vector) { return ids.contains(vector.id); });
  const std::vector<SmokeStep> steps = smoke(project, adapter, suite, checks, {}, tell, options.glob);
  const auto count = [&steps](SmokeStep::Outcome outcome) {
    return std::ranges::count(steps, outcome, &SmokeStep::outcome);
  };
  const auto adapters = count(SmokeStep::Outcome::adapter);
  const auto runtimes = count(SmokeStep::Outcome::runtime);
  if (adapters + runtimes == 0) {
    fmt::print("{}: {} checks are ok, {} not tried; next: ifcert certify {}\n", adapter.name,
               count(SmokeStep::Outcome::ok), count(SmokeStep::Outcome::not_tried), options.name);
    return 0;
  }
  tell_causes(steps);
  fmt::print("{} of {} checks failed: {} because of the adapter, {} because of the runtime\n", adapters + runtimes,
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
  examples(*installing,
           {{"ifcert adapter install onnxruntime", "into .adapters, or the folder that IFCERT_ADAPTERS names"}});
  installing->callback([names, &exit_code] {
    install_adapters(*names);
    exit_code = 0;
  });
  auto options = std::make_shared<SmokeOptions>();
  CLI::App* smoking = command->add_subcommand(
      "smoke", "Check whether an adapter speaks the protocol, and report whether it or the runtime is at fault");
  smoking->add_option("ADAPTER", options->name, "its name, or the path of its folder")->type_name("")->required();
  smoking->add_option("--check", options->glob, "only the checks whose name the glob matches")->type_name("GLOB");
  smoking->add_flag("--list", options->list, "list the checks, and try nothing");
  examples(*smoking,
           {{"ifcert adapter smoke reference", "checks, one by one, that it speaks the protocol"},
            {"ifcert adapter smoke reference --check '*/type/*'", "values of each element type"}},
           "Exit code 0: no check failed; 1: checks failed; 2: the adapter could not be tried.");
  smoking->callback([options, &exit_code] { exit_code = smoke_adapter(*options); });
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
