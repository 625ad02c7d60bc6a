// The conformance run: vectors on adapters, in the requested number of processes.
#pragma once

#include <span>

#include "conformance/adapter.hpp"
#include "conformance/certification.hpp"
#include "conformance/order.hpp"
#include "conformance/project.hpp"
#include "conformance/suite.hpp"

namespace ifcert::conformance {

/// The certification before its first result, with the adapters as their manifests describe them. Throws Error for a
/// selector that matches nothing, for more shards than vectors, and for an adapter with nothing to run.
Certification plan_of(const Suite& suite, std::span<const Adapter> adapters, const Order& order);

/// Runs, on each adapter, those selected vectors that belong to its systems, and their twins; a twin that was not
/// selected has no result of its own. Results are ordered by adapter and then as in the manifest, whatever the number
/// of jobs. The caller fills in the rules and compares the results with the known-failure lists. Throws Error as
/// plan_of does, if a command cannot be started, if the journal cannot be written, and if vector files were changed
/// during the run: then it also marks the journal as unusable.
Certification certify(const Project& project, const Suite& suite, std::span<const Adapter> adapters,
                      const Order& order);

/// The exit code: 2 if the run itself failed (HARNESS, NOT-RUN) or every result of an adapter is ADAPTER, 1 if a
/// known-failure list disagrees, else 0.
int exit_code(const Certification& certification);

}  // namespace ifcert::conformance
