// Generated models whose files are written otherwise (conformance/rewritings): a relation that changes no model, only
// its bytes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "conformance/fuzz/generator/random.hpp"
#include "conformance/rewritings/rewriting.hpp"
#include "conformance/suite/suite.hpp"

namespace ifcert::conformance {

/// Rewritings that are made one after the other.
using RewritingChain = std::vector<const Rewriting*>;

/// One to three rewritings that can be made of the vector's files one after the other; fewer where there are no more.
RewritingChain chosen_rewritings(const Vector& vector, generator::Random& random);

/// The vector with its files written anew; those of the chain that cannot be made are left out. nullopt where none can.
std::optional<Vector> rewritten_vector(Vector vector, const RewritingChain& chain);

/// "rewritten imports-reversed raw-data"
std::string to_string(const RewritingChain& chain);

}  // namespace ifcert::conformance
