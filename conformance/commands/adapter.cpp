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
#include "conformance/environment.hpp"
#include "conformance/smoke.hpp"

namespace ifcert::conformance {
namespace {

void install_adapters(const std::vector<std::string>& names) {
  const Project project = find_project();
  for (const std::string& name : names) {
    const Adapter adapter = read_adapter(project, name);
    if (adapter.environment.empty()) {
      fmt::print("{}: nothing to install\n", name);
    } else if (install(project, adapter)) {
      fmt::print("{}: installed {}\n", name, fmt::join(adapter.requirements, " "));
    } else {
      fmt::print("{}: already installed\n", name);
    }
  }
}

void list_adapters() {
  const Project project = find_project();
  for (const std::string& name : adapter_names(project)) {
    const Adapter adapter = read_adapter(project, name);
    fmt::print("{:<20} {:<12} {}\n", printable(name), printable(adapter.version),
               is_installed(project, adapter) ? "installed" : "not installed");
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
               step.outcome == Outcome::adapter ? "adapter" : "runtime, as far as its adapter shows it",
               printable(step.said));
    if (!step.evidence.empty()) fmt::print("         it printed: {}\n", printable(step.evidence));
  }
  std::fflush(stdout);
}

int smoke_adapter(const std::string& name) {
  const Project project = find_project();
  const Adapter adapter = read_adapter(project, name);
  require_installed(project, adapter);
  const std::vector<SmokeStep> steps =
      smoke(project, adapter, read_suite(project), smoke_vectors(adapter.systems), {}, tell);
  const auto count = [&steps](SmokeStep::Outcome outcome) {
    return std::ranges::count(steps, outcome, &SmokeStep::outcome);
  };
  const auto adapters = count(SmokeStep::Outcome::adapter);
  const auto runtimes = count(SmokeStep::Outcome::runtime);
  if (adapters + runtimes == 0) {
    fmt::print("{} speaks the protocol; next: ifcert certify {}\n", adapter.name, name);
    return 0;
  }
  fmt::print("{} of {} steps went wrong: {} by the adapter, {} by the runtime\n", adapters + runtimes, steps.size(),
             adapters, runtimes);
  return 1;
}

}  // namespace

void add_adapter(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("adapter", "Install the adapters' environments, try an adapter");
  command->require_subcommand(1);
  auto names = std::make_shared<std::vector<std::string>>();
  CLI::App* installing = command->add_subcommand("install", "Make an adapter's environment with its pinned packages");
  installing->add_option("NAME", *names, "of the adapter")->required();
  installing->callback([names, &exit_code] {
    install_adapters(*names);
    exit_code = 0;
  });
  auto name = std::make_shared<std::string>();
  CLI::App* smoking =
      command->add_subcommand("smoke", "Try an adapter on a handful of vectors, and say who is to blame");
  smoking->add_option("NAME", *name, "of the adapter, or the path of its folder")->required();
  smoking->callback([name, &exit_code] { exit_code = smoke_adapter(*name); });
  command->add_subcommand("list", "Which adapters there are, and which are installed")->callback([&exit_code] {
    list_adapters();
    exit_code = 0;
  });
}

}  // namespace ifcert::conformance
