// The causes on a terminal.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "conformance/certify/causes.hpp"

namespace ifcert::conformance {

/// How many results of each kind these causes of one adapter have: "2 wrong values, 14 lenient".
std::string kinds_text(std::span<const Cause> causes);

/// "CRASH (signal 11) at load". The phase is included because the same crash in a run is another cause.
std::string line_of(const Cause& cause);

/// The message that describes a cause best: the runtime's own line, or our reason if there is none.
std::string message_of(const Cause& cause);

/// What became of the siblings of the models, where they were run: "without the If 3 compute, 1 fails alike; rewritten
/// 4 fail alike".
std::string siblings_text(const Cause& cause);

/// For each adapter the number of results of each kind, then the most frequent causes of each kind, with an example.
/// The messages are shortened to lines of `width` columns, or 40 if that is more. Empty if everything passes; otherwise
/// ends with an empty line.
std::string causes_text(const Certification& certification, std::size_t width);

}  // namespace ifcert::conformance
