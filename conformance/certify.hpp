// The conformance run: vectors on adapters, in the requested number of processes.
#pragma once

#include <span>

#include "conformance/adapter.hpp"
#include "conformance/certification.hpp"
#include "conformance/order.hpp"
#include "conformance/project.hpp"
#include "conformance/suite.hpp"

namespace ifcert::conformance {

/// The certification before the first result: everything but its results, with the adapters as their manifests describe
/// them. Throws Error for a selector that matches nothing, for more shards than vectors, and for an adapter with
/// nothing to run.
Certification plan_of(const Suite& suite, std::span<const Adapter> adapters, const Order& order);

/// Runs the selected vectors of each adapter's systems on it, and their twins, which are not counted. Results are in
/// the adapters' order and then the manifest's, whatever the number of jobs; the caller fills in the rules and compares
/// with the known-failure lists. Throws Error as plan_of does, where a command cannot be started or the journal cannot
/// be written, and where files of vectors were changed meanwhile: the journal is then marked as unusable.
Certification certify(const Project& project, const Suite& suite, std::span<const Adapter> adapters,
                      const Order& order);

/// 2 when a result shows that the run itself failed (HARNESS, NOT-RUN), 1 when a known-failure list disagrees, else 0.
int exit_code(const Certification& certification);

}  // namespace ifcert::conformance
