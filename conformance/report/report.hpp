// The reports of a certification: one function, four files.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "conformance/results/certification.hpp"

namespace ifcert::conformance {

/// Name and bytes of report.json, junit.xml, report.md and report.html, to be written to `dir`. Throws Error as
/// write_report() does.
std::vector<std::pair<std::string, std::string>> report_files(const Certification& certification,
                                                              const std::filesystem::path& dir);

/// Writes report.json, junit.xml, report.md and report.html to `dir`, which is created where it is missing. All four
/// are on the disk before the first is replaced, and each is written under a temporary name and renamed. Throws Error
/// where a file cannot be written, for two results of the same adapter and vector, and for a result of an adapter or a
/// vector that the certification does not list.
void write_report(const Certification& certification, const std::filesystem::path& dir);

}  // namespace ifcert::conformance
