// The plain Python APIs of runtimes, as conformance/reproduce/plain_apis describes them; scripts/plain_runtimes reads
// it too.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/system/project.hpp"

namespace ifcert::conformance {

/// The sections of a file of conformance/reproduce/plain_apis by name: each begins with a line "#: NAME". `narrow` is
/// for vectors whose values are all arrays of numpy, `wide` for any vector; one of the two is used. In a runtime's
/// file, words in capitals stand for what runtimes.json says; program.py comes before the file of a runtime that is a
/// program.
using Sections = std::map<std::string, std::string>;

Sections sections_of(std::string_view text);

/// The section; empty if there is none of that name.
std::string section(const Sections& sections, const std::string& name);

/// A runtime whose plain Python API is known.
struct PlainRuntime {
  std::string name, version;
  std::string package;  // of Python; empty for a runtime of another language
  std::vector<std::string> systems;
  std::vector<std::string> requirements;  // the packages of its adapter's environment, pinned, or in words
  Sections sections;  // import, plain, narrow, wide; version, short load, short run, and both "of open shapes" where
                      // these differ if an input's shape is not the declared one
  bool short_lists = false;        // the short sections can pass strings, sequences and optionals
  bool short_of_empty = true;      // the short sections can pass tensors without elements
  bool short_by_position = false;  // the short sections pass inputs in the model's order; those of open shapes run once
  Sections frame;                  // the parts of every script besides the calls
  Sections values;                 // wide: compares values of any type
};

/// The names of the runtimes whose plain API is known.
std::vector<std::string> plain_runtime_names(const Project& project);

/// Throws Error for a name that is not among them.
PlainRuntime read_plain_runtime(const Project& project, const std::string& name);

}  // namespace ifcert::conformance
