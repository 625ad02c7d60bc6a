// Runs the models that a runtime computes once more, with their files written otherwise (conformance/rewritings/).
#pragma once

#include <span>

#include "conformance/certify/certification_options.hpp"
#include "conformance/results/certification.hpp"
#include "conformance/runtimes/adapter.hpp"
#include "conformance/suite/suite.hpp"
#include "conformance/system/project.hpp"

namespace ifcert::conformance {

/// Adds to each pass on the axes `computes` and `open` that is not by refusal, nor of a vector that is listed as
/// unstable, what the runtime makes of as many rewritings of its model as the options say. They are made in one file;
/// only where it fails is each made alone, to tell which it is. Files share a process. One that fails is run again as
/// the first of a fresh process, and then the vector's own model after it, which must still pass; but only the first of
/// those that fail with one rewriting and one cause. What the reference does not find to be the same model is left out,
/// and so is what is left when the run is interrupted.
void run_rewritings(const Project& project, const Suite& suite, std::span<const Adapter> adapters,
                    const CertificationOptions& options, Certification& certification);

}  // namespace ifcert::conformance
