// A model that was read, without its Ifs.
#pragma once

#include <ifcert/reference.hpp>
#include <ifcert/specialise.hpp>
#include <vector>

#include "conformance/certify/siblings.hpp"

namespace ifcert::conformance {

/// The siblings of a vector whose model in `files` is this one. Throws NoSibling, Inexpressible, EvaluationError.
std::vector<Sibling> without_ifs(const Vector& vector, const Model& model);

}  // namespace ifcert::conformance
