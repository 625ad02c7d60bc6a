// Certifies adapters: runs the selected vectors on each of them.
#pragma once

#include <span>

#include "conformance/certify/certification_options.hpp"
#include "conformance/results/certification.hpp"
#include "conformance/runtimes/adapter.hpp"
#include "conformance/suite/suite.hpp"
#include "conformance/system/project.hpp"

namespace ifcert::conformance {

/// The certification before its first result, with the adapters as their manifests describe them. Throws Error for a
/// glob that matches nothing, for more shards than selected vectors, and for an adapter with nothing to run.
Certification plan_of(const Suite& suite, std::span<const Adapter> adapters, const CertificationOptions& options);

/// Runs, on each adapter, those selected vectors whose system (the model's format) is one of the adapter's, and their
/// twins; a twin that was not selected has no result of its own. Results are ordered by adapter and then as in the
/// manifest, whatever the number of jobs. The caller fills in the rules and compares the results with the known-failure
/// lists. Throws Error in the same cases as plan_of(); if an adapter's command cannot be started; if the results that
/// options.kept has are of another runtime; if the journal cannot
/// be written; and if vector files were changed during the run. In the last case it also marks the journal as unusable.
Certification certify(const Project& project, const Suite& suite, std::span<const Adapter> adapters,
                      const CertificationOptions& options);

/// The exit code: 2 if the run itself failed (HARNESS, NOT-RUN) or every result of an adapter is ADAPTER, 1 if a
/// known-failure list disagrees, else 0.
int exit_code(const Certification& certification);

}  // namespace ifcert::conformance
