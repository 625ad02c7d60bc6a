// results.jsonl: a header, one result per line, a footer. A file without its footer is not a result, and neither is one
// in which a byte was changed: each line has a digest (line_digests.hpp).
#pragma once

#include <filesystem>

#include "conformance/results/certification.hpp"
#include "conformance/system/project.hpp"

namespace ifcert::conformance {

/// The certification as the text of results.jsonl.
std::string results_text(const Certification& certification);

/// Writes the certification's results, whole or not at all. Throws Error.
void write_results(const Certification& certification, const std::filesystem::path& file);

/// Reads a results.jsonl: everything but the rules, the vectors and the breaches, which come from the project. Throws
/// Error, naming the line, for one that was changed, lost, repeated or moved, or does not match
/// conformance/schemas/results.schema.json; for a missing header or footer; for a footer with other counts than the
/// lines; and for two results of the same adapter and vector.
Certification read_results(const Project& project, const std::filesystem::path& file);

}  // namespace ifcert::conformance
