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
/// of the model without its Ifs and of the model as ifcert writes it. Failures with one cause share a process, at most
/// 32 of them; a sibling that fails in a process that has run others is run again in a fresh one. An interrupted run
/// leaves the rest out.
void run_siblings(const Project& project, const Suite& suite, std::span<const Adapter> adapters,
                  const CertificationOptions& options, Certification& certification);

}  // namespace ifcert::conformance
