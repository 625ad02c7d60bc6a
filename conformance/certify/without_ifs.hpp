// A model that was read, without its Ifs.
#pragma once

#include <ifcert/reference.hpp>
#include <ifcert/specialise.hpp>
#include <vector>

#include "conformance/certify/reference_runs.hpp"
#include "conformance/certify/siblings.hpp"

namespace ifcert::conformance {

/// The siblings of a vector whose model in `files` is this one. Throws NoSibling, Inexpressible, EvaluationError.
std::vector<Sibling> without_ifs(const Vector& vector, const Model& model);

/// What `make` returns, or why it throws one of these.
template <class Make>
Siblings siblings_or_reason(const Make& make) {
  try {
    return {.all = make()};
  } catch (const NoSibling& none) {
    return {.why_not = none.what()};
  } catch (const Inexpressible& none) {
    return {.why_not = none.what()};
  } catch (const EvaluationError& error) {
    return {.why_not = error.what()};
  }
}

}  // namespace ifcert::conformance
