// The certification on a terminal: axis × rule × adapter, "k of n".
#pragma once

#include <cstddef>
#include <string>

#include "conformance/certification.hpp"

namespace ifcert::conformance {

/// A part for each axis: a row per rule, a column per adapter, the totals. Then what the marks mean, each adapter's k
/// of n per axis, and what it cost. Where the adapters' names do not fit into `width` columns, they are numbered and
/// listed above. Ends with a line end.
std::string table_text(const Certification& certification, std::size_t width, bool colours);

/// What the known-failure lists have to say: each breach on a line, or one line that all is as listed. Ends with a line
/// end.
std::string breaches_text(const Certification& certification);

}  // namespace ifcert::conformance
