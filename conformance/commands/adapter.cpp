// ifcert adapter install NAME… | list
#include "conformance/adapter.hpp"

#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

#include "conformance/commands/commands.hpp"
#include "conformance/environment.hpp"

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
    fmt::print("{:<20} {:<12} {}\n", name, adapter.version,
               is_installed(project, adapter) ? "installed" : "not installed");
  }
}

}  // namespace

void add_adapter(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("adapter", "Install the adapters' environments");
  command->require_subcommand(1);
  auto names = std::make_shared<std::vector<std::string>>();
  CLI::App* installing = command->add_subcommand("install", "Make an adapter's environment with its pinned packages");
  installing->add_option("NAME", *names, "of the adapter")->required();
  installing->callback([names, &exit_code] {
    install_adapters(*names);
    exit_code = 0;
  });
  command->add_subcommand("list", "Which adapters there are, and which are installed")->callback([&exit_code] {
    list_adapters();
    exit_code = 0;
  });
}

}  // namespace ifcert::conformance
