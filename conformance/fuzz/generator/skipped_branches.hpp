// The branches of a model that none of its runs enters.
#pragma once

#include <ifcert/graph.hpp>
#include <string>
#include <vector>

namespace ifcert::generator {

/// The places of these branches in messages, without those in functions and in the graphs that calls pass to them: the
/// same branch of a function may be entered in one call and skipped in another. The model must be legal
/// and compute in every run.
std::vector<std::string> skipped_branches(const Model& model, const std::vector<std::vector<Value>>& runs);

/// Whether the place of a message is one of the branches or inside one.
bool is_inside(const std::string& place, const std::vector<std::string>& branches);

}  // namespace ifcert::generator
