// The reports of a certification: one function, four files.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "conformance/certification.hpp"

namespace ifcert::conformance {

/// Name and bytes of report.json, junit.xml, report.md and report.html, as they are to lie in `dir`. Throws Error as
/// write_report() does.
std::vector<std::pair<std::string, std::string>> report_files(const Certification& certification,
                                                              const std::filesystem::path& dir);

/// Writes report.json, junit.xml, report.md and report.html into `dir`, which is made where it is missing.
/// All four are on the disk before the first is replaced, and each appears whole: a temporary name, then renamed.
/// Throws Error where a file cannot be written, or where two results speak of one adapter and vector, or a
/// result speaks of an adapter or a vector that the certification does not list.
void write_report(const Certification& certification, const std::filesystem::path& dir);

}  // namespace ifcert::conformance
