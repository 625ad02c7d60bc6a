// The four forms of a report. Each is a pure function; report.cpp writes the texts to files.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "conformance/results/counts.hpp"

namespace ifcert::conformance {

/// As the closed schema conformance/schemas/report.schema.json.
nlohmann::json report_json(const Counted& counted);

/// One test suite per adapter and axis, one test case per vector with its rule as class name. FAIL is a failure; CRASH,
/// TIMEOUT, MEMORY, ADAPTER and HARNESS are errors; LENIENT, NOT-IF, NOT-SHOWN, UNSUPPORTED and NOT-RUN are skipped,
/// with a message, so that no leniency is counted as a failure.
std::string junit_xml(const Counted& counted);

/// For a comment on a pull request: whether all results match the known-failure lists, which do not, the rules that do
/// not hold everywhere, and the rest folded. Never longer than GitHub accepts; the number of lines cut is stated.
std::string report_markdown(const Counted& counted);

/// The page's contents beyond the report.
struct PageExtras {
  std::string project{};      // the path from the page to the project's folder, "../../"; empty where it is in none
  nlohmann::json drawings{};  // of the models (drawings.hpp)
};

/// The page, one file, that shows a report.json. It loads nothing, and its policy lets only its own script run.
std::string report_html(const nlohmann::json& report, const PageExtras& extras = {});

/// Canonical text: keys in order; bytes that are not UTF-8 (a process may print anything) become U+FFFD.
std::string as_text(const nlohmann::json& json, int indent = -1);

/// The command that reproduces a result, in any folder: the adapter by its absolute path, an --out of its own.
/// `program`: the path of ifcert; empty where it is not known.
std::string reproduce(std::string_view program, const AdapterIdentity& adapter, std::string_view vector);

/// The page before the report is inserted: report.html with its styles and scripts, as built.
std::string_view page_template();

}  // namespace ifcert::conformance
