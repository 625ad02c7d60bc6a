// A model as text: one line for each node, bodies indented. For people only; no program reads it.
#pragma once

#include <ifcert/graph.hpp>
#include <string>

namespace ifcert::conformance {

/// The text of the model: types, names, the first elements of constants, and the captures that have another name in the
/// body.
std::string text_of_model(const Model& model);

/// The operators and how they are nested, without Identity and Constant: "If{then_branch:Add;else_branch:}". It is
/// equal for models that differ only in names, numbers, shapes and wiring.
std::string form_of(const Model& model);

}  // namespace ifcert::conformance
