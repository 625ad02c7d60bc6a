// The inputs of a model on the command line, as NAME=FILE.npy or NAME=JSON.
#pragma once

#include <ifcert/graph.hpp>
#include <string>
#include <vector>

namespace ifcert::conformance {

/// Whether the text after NAME= is the name of a file.
bool is_npy(const std::string& text);

/// The values in the order of the graph's inputs; empty where an input has none. Throws Error.
std::vector<Value> read_inputs(const Graph& main, const std::vector<std::string>& options);

/// Throws Error, with the options to add, where an input has neither a value nor a default.
void require_inputs(const Graph& main, const std::vector<Value>& values);

}  // namespace ifcert::conformance
