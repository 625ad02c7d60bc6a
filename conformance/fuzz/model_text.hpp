// A model as text: one line for each node, bodies indented. For people; nothing reads it.
#pragma once

#include <ifcert/graph.hpp>
#include <string>

namespace ifcert::conformance {

/// Types, names, the first elements of constants, and what each body captures under another name.
std::string text_of_model(const Model& model);

/// The operators and how they are nested, such as "If{then_branch:Add;else_branch:}", without Identity and Constant:
/// equal for models that differ only in names, numbers, shapes and wiring.
std::string form_of(const Model& model);

}  // namespace ifcert::conformance
