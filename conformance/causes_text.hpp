// The causes on a terminal.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "conformance/causes.hpp"

namespace ifcert::conformance {

/// How many results of the causes are of each kind: "2 wrong values, 14 lenient"; one adapter's.
std::string kinds_text(std::span<const Cause> causes);

/// "CRASH (signal 11) at load": the same crash in a run is another cause.
std::string line_of(const Cause& cause);

/// What a reader should see of a cause first: the runtime's own line, or where it said nothing our reason.
std::string message_of(const Cause& cause);

/// For each adapter the number of results of each kind, then of each kind the most frequent causes, with an example. In
/// lines of at most `width` columns; empty where everything passes; otherwise ends with an empty line.
std::string causes_text(const Certification& certification, std::size_t width);

}  // namespace ifcert::conformance
