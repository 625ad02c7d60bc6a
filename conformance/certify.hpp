// The conformance run: vectors against adapters, in as many processes as asked for.
#pragma once

#include <span>

#include "conformance/adapter.hpp"
#include "conformance/certification.hpp"
#include "conformance/order.hpp"
#include "conformance/project.hpp"
#include "conformance/suite.hpp"

namespace ifcert::conformance {

/// What is asked for, before the first result: everything of the certification but its results, with the adapters as
/// their manifests say. Throws Error: a selector that matches nothing, more shards than vectors, an adapter with
/// nothing to run.
Certification plan_of(const Suite& suite, std::span<const Adapter> adapters, const Order& order);

/// Runs the selected vectors of each adapter's systems on it, and their twins, which are not counted. Results come in
/// the adapters' order and then the manifest's, whatever the jobs; the rules and the known-failure lists are the
/// caller's. Throws Error as plan_of does, where a command cannot be started or the journal cannot be written, and
/// where the files of vectors were changed meanwhile: the journal is spoilt then.
Certification certify(const Project& project, const Suite& suite, std::span<const Adapter> adapters,
                      const Order& order);

/// 2 when a result says that the run itself failed (HARNESS, NOT-RUN), 1 when a known-failure list disagrees, else 0.
int exit_code(const Certification& certification);

}  // namespace ifcert::conformance
