// The option --operators of commands that evaluate a model.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "conformance/runtimes/adapter_operators.hpp"

namespace ifcert::conformance {

void add_operators_option(CLI::App& command, std::string& adapter);

/// The operators of the adapter that the option names; nullptr for an empty name. Throws Error.
std::unique_ptr<AdapterOperators> operators_of(const std::string& adapter, Format format);

/// The delegate of the operators; an empty one where there are none.
Delegate delegate_of(const std::unique_ptr<AdapterOperators>& operators);

/// Prints on standard error what was not computed by the reference.
void say_computed_elsewhere(const std::unique_ptr<AdapterOperators>& operators);

}  // namespace ifcert::conformance
