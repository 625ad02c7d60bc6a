// The common part of certify and merge: lists, files, table, exit code.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "conformance/certification.hpp"
#include "conformance/known_failures.hpp"
#include "conformance/project.hpp"
#include "conformance/signature.hpp"
#include "conformance/suite.hpp"
#include "files/output.hpp"

namespace ifcert::conformance {

/// The known-failure lists of these adapters; none when the run is strict. Throws Error.
std::vector<KnownFailures> read_lists(const Project& project, const Suite& suite,
                                      const std::vector<std::string>& adapters, bool strict);

/// Compares the results with the lists and fills in the rules that have a vector among them.
void judge(const Suite& suite, const std::vector<KnownFailures>& lists, Certification& certification);

/// Throws Error, before a long run, where one of publish()'s files could not be written to `out`, or is one of the
/// inputs.
void require_outputs(const std::filesystem::path& out, const files::Paths& inputs = {});

/// Writes results.jsonl, its certificate and the reports, all or none, signs the certificate where there
/// is a key, prints the causes, the table and the path of the report, and returns the exit code. Throws Error.
int publish(const Certification& certification, const std::filesystem::path& out, const SigningKey* key = nullptr);

/// Prints the causes of what did not pass, then the table.
void print_table(const Certification& certification);

}  // namespace ifcert::conformance
