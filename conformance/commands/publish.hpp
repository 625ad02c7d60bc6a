// The steps that certify and merge have in common: comparing results with the lists, and writing and printing them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "conformance/certify/known_failures.hpp"
#include "conformance/results/certification.hpp"
#include "conformance/suite/suite.hpp"
#include "conformance/system/project.hpp"
#include "conformance/system/signature.hpp"
#include "reference/files/output.hpp"

namespace ifcert::conformance {

/// The known-failure lists of these adapters; none when `strict`. Throws Error.
std::vector<KnownFailures> read_lists(const Project& project, const Suite& suite,
                                      const std::vector<std::string>& adapters, bool strict);

/// Compares the results with the lists, and fills in the breaches and the rules of the vectors.
void add_breaches_and_rules(const Suite& suite, const std::vector<KnownFailures>& lists, Certification& certification);

/// Throws Error where write_reports() could not write one of its files to `out`, or would replace one of the inputs: a
/// check before a long run.
void require_outputs(const std::filesystem::path& out, const files::Paths& inputs = {});

/// Writes results.jsonl, its certificate and the reports, all or none; if a key is passed, also the certificate's
/// signature. Throws Error.
void write_reports(const Certification& certification, const std::filesystem::path& out, const SigningKey* key);

/// Prints the causes, the table and the path of the report that write_reports() wrote. Returns the exit code.
int print_summary(const Certification& certification, const std::filesystem::path& out);

/// Prints the causes of the results that did not pass, then the table.
void print_table(const Certification& certification);

}  // namespace ifcert::conformance
