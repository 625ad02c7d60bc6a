#include "conformance/commands/operators_option.hpp"

#include <fmt/format.h>

namespace ifcert::conformance {

void add_operators_option(CLI::App& command, std::string& adapter) {
  command
      .add_option("--operators", adapter,
                  "adapter of a runtime that computes the nodes whose operator the reference lacks (see ifcert list "
                  "adapters)")
      ->type_name("ADAPTER");
}

std::unique_ptr<AdapterOperators> operators_of(const std::string& adapter, Format format) {
  return adapter.empty() ? nullptr : std::make_unique<AdapterOperators>(find_project(), adapter, format);
}

Delegate delegate_of(const std::unique_ptr<AdapterOperators>& operators) {
  return operators == nullptr ? Delegate{} : operators->delegate();
}

void say_computed_elsewhere(const std::unique_ptr<AdapterOperators>& operators) {
  const std::string summary = operators == nullptr ? "" : operators->summary();
  if (!summary.empty()) fmt::print(stderr, "{}\n", summary);
}

}  // namespace ifcert::conformance
