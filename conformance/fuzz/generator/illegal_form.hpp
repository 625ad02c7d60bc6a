// Illegal models while they are made smaller: each candidate breaks exactly the rules that the given model breaks.
#pragma once

#include <functional>
#include <memory>
#include <set>
#include <string>

#include "conformance/fuzz/generator/computed.hpp"
#include "conformance/fuzz/generator/invalid.hpp"

namespace ifcert::generator {

struct IllegalForm {
  std::set<std::string> rules;
  std::function<Files(const Generated&)> write;  // returns no files, or throws Inexpressible, for some candidates
};

/// The candidates are the illegal models themselves. Many faults do not survive this: names and port maps that are
/// wrong in a file have no place in the graph form.
IllegalForm illegal_itself(std::set<std::string> rules);

/// The candidates are legal models, each of which gets the fault of `invalid` in turn.
IllegalForm legal_before_the_fault(const Invalid& invalid, Format format);

/// The candidate's files; nullptr unless they break exactly the rules of the form.
std::shared_ptr<const Files> illegal_files(const IllegalForm& form, const Generated& candidate);

}  // namespace ifcert::generator
