// The certification on a terminal: axis × rule × adapter, "k of n".
#pragma once

#include <cstddef>
#include <string>

#include "conformance/results/certification.hpp"

namespace ifcert::conformance {

/// A part for each axis: a row per rule, a column per adapter, the totals. Then a legend, each adapter's k of n per
/// axis, and the cost. Where the adapters' names do not fit into `width` columns, they are numbered and listed above.
/// Ends with a line end.
std::string table_text(const Certification& certification, std::size_t width, bool colours);

/// The comparison with the known-failure lists: one line for each breach, or one line that all results match. Ends with
/// a line end.
std::string breaches_text(const Certification& certification);

}  // namespace ifcert::conformance
