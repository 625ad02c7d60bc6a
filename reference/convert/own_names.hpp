// Names of the values of a translated model. A program finds inputs and outputs by name, so these keep theirs.
#pragma once

#include <ifcert/graph.hpp>

namespace ifcert::translation {

/// The model, in which each named value that is neither an input nor an output of the main graph has a name that no
/// other value has; a value that a body captures may keep the name that it has around the body. Nodes of a graph have
/// names of their own, too. Throws Inexpressible where two inputs or outputs that are different values have one name.
Model with_own_names(Model model);

}  // namespace ifcert::translation
