// results.jsonl: a header, one result a line, a footer. A file without its footer is not a result, nor is one of which
// a byte was changed: each line has a digest (line_digests.hpp).
#pragma once

#include <filesystem>

#include "conformance/certification.hpp"
#include "conformance/project.hpp"

namespace ifcert::conformance {

/// What results.jsonl says of a certification.
std::string results_text(const Certification& certification);

/// Writes the certification's results, whole or not at all. Throws Error.
void write_results(const Certification& certification, const std::filesystem::path& file);

/// What a results.jsonl holds: everything but the rules, the vectors and the breaches, which are the project's to say.
/// Throws Error, which names the line: one that was changed, lost, repeated or moved; one that is not as
/// conformance/schemas/results.schema.json says, a missing header or footer, a footer that counts otherwise than the
/// lines, an adapter and vector that have two results.
Certification read_results(const Project& project, const std::filesystem::path& file);

}  // namespace ifcert::conformance
