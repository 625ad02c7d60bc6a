// Names that mean nothing, and that an implementation may take to mean something.
#pragma once

#include <ifcert/graph.hpp>

#include "conformance/fuzz/generator/random.hpp"

namespace ifcert::generator {

/// Gives values, nodes and graphs names with punctuation or of 300 letters, and graphs one name for all. What was named
/// alike still is, what was named apart still is too; only graphs have no names of their own.
void name_oddly(Model& model, Random& random);

}  // namespace ifcert::generator
