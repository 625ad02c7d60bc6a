// The operators of a model, without anything that differs between models of one form.
#pragma once

#include <ifcert/graph.hpp>
#include <string>

namespace ifcert::conformance {

/// The operators and how they are nested, without Identity and Constant: "If{then_branch:Add;else_branch:}". It is
/// equal for models that differ only in names, numbers, shapes and wiring.
std::string form_of(const Model& model);

}  // namespace ifcert::conformance
