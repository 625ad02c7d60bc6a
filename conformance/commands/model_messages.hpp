// Messages that the commands on models share.
#pragma once

#include <ifcert/diagnostic.hpp>
#include <ifcert/graph.hpp>
#include <new>
#include <string>
#include <string_view>
#include <vector>

namespace ifcert::conformance {

/// Reports on standard error that the model breaks rules, so that the command does nothing with it; the exit code, 1.
int report_broken(const std::string& model, const std::vector<Diagnostic>& broken);

/// Why the model could not be read, with its name once.
std::string unreadable(const std::string& model, const UnreadableModel& error);

/// The message that there is not enough memory for the command's work on the model, with the place where it is known.
std::string without_memory(const std::string& model, const std::bad_alloc& error);

/// The format's word for the graphs of an If, after "then_" and "else_".
std::string_view branch_word(Format format);

}  // namespace ifcert::conformance
