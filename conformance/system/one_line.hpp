// Text of models and runtimes in one short line, shown as plain text whatever it contains.
#pragma once

#include <string>
#include <string_view>

namespace ifcert::conformance {

/// `printable`, with a space for a line end or a tab; at most `limit` bytes of it and then "…"; cut between characters.
std::string one_line(std::string_view bytes, std::size_t limit);

}  // namespace ifcert::conformance
