// What the commands on models say in the same words.
#pragma once

#include <ifcert/diagnostic.hpp>
#include <new>
#include <string>
#include <vector>

namespace ifcert::conformance {

/// Says on standard error that the model breaks rules, so that the command does nothing with it; the exit code, 1.
int tell_broken(const std::string& model, const std::vector<Diagnostic>& broken);

/// That there is no memory for what the command does with the model; with the place where it is known.
std::string without_memory(const std::string& model, const std::bad_alloc& error);

}  // namespace ifcert::conformance
