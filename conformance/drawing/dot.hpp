// A model as a Graphviz picture.
#pragma once

#include <ifcert/reference.hpp>
#include <span>
#include <string>

namespace ifcert::drawing {

/// The DOT text: a cluster for each graph, the branches of an If side by side inside it, captures as dashed arrows into
/// the body, broken rules in red at the node they name. All names are escaped. `types` and `broken` come from
/// checked().
std::string dot_of(const Model& model, const SlotTypes& types, std::span<const Diagnostic> broken);

}  // namespace ifcert::drawing
