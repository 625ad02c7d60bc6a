#pragma once

#include <ifcert/graph.hpp>
#include <string>
#include <vector>

namespace ifcert::conformance {

/// The names of the main graph's inputs, in the model's order.
std::vector<std::string> input_names(const Model& model);

}  // namespace ifcert::conformance
