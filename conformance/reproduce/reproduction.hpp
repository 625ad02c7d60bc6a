// A script that shows what a runtime does with a model, by nothing but the runtime's plain Python API and numpy.
#pragma once

#include <string>

#include "conformance/reproduce/plain_runtime.hpp"
#include "conformance/reproduce/reproduced.hpp"

namespace ifcert::conformance {

/// The script's text: model, inputs, expected outcomes, and the runtime's calls. It is short, some ten to fifteen
/// lines, unless it has values that numpy lacks, held or concurrent runs, or outcomes of several kinds; then the steps
/// come one by one. It ends as any script of Python does: with 1 after an exception, which may also be that a package
/// is missing; a crash, or an alarm after a hang, ends it by a signal. Throws Error for a model of another system than
/// the runtime's.
std::string reproduction(const Reproduced& example, const PlainRuntime& runtime);

}  // namespace ifcert::conformance
