// Runs the siblings of the models on which a runtime fails: is it the If, and is it the form of the file?
#pragma once

#include <span>

#include "conformance/certify/certification_options.hpp"
#include "conformance/results/certification.hpp"
#include "conformance/runtimes/adapter.hpp"
#include "conformance/suite/suite.hpp"
#include "conformance/system/project.hpp"

namespace ifcert::conformance {

/// Adds to each failure of a runtime on the axes `computes` and `open`, unless it is unstable, what the runtime makes
/// of the model without its Ifs, and, where it computes that, of the same with its conds as outputs. Where one of them
/// fails alike, the verdict becomes NOT-IF; otherwise the model as ifcert writes it is run, too. Siblings share a
/// process; one without its Ifs that fails in a process that has run others is run again in a fresh one, but only the
/// first of up to 32 failures with one cause. What is left when the run is interrupted becomes NOT-RUN.
void run_siblings(const Project& project, const Suite& suite, std::span<const Adapter> adapters,
                  const CertificationOptions& options, Certification& certification);

}  // namespace ifcert::conformance
