// The four faces of a certification. Each is a pure function; report.cpp puts the texts into files.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "conformance/counts.hpp"

namespace ifcert::conformance {

/// The closed schema conformance/schemas/report.schema.json.
nlohmann::json report_json(const Counted& counted);

/// One test suite per adapter and axis, one test case per vector with its rule as class name. FAIL is a failure; CRASH,
/// TIMEOUT, MEMORY, ADAPTER and HARNESS are errors; LENIENT, NOT-SHOWN, UNSUPPORTED and NOT-RUN are skipped, with a
/// message, so that no leniency is counted as a failure.
std::string junit_xml(const Counted& counted);

/// For a comment on a pull request: whether all is as the known-failure lists say, what is not, the rules that do not
/// hold everywhere, and the rest folded. Never longer than GitHub takes; what is cut is counted.
std::string report_markdown(const Counted& counted);

/// What only the page has, beside the report.
struct PageExtras {
  std::string project{};      // the way from the page to the project's folder, "../../"; empty where it lies in none
  nlohmann::json drawings{};  // of the models (drawings.hpp)
};

/// The page, one file, that shows a report.json. It loads nothing from anywhere, and its policy lets only its own
/// script run.
std::string report_html(const nlohmann::json& report, const PageExtras& extras = {});

/// Canonical text: keys in order; bytes that are no UTF-8 (a process may print anything) become U+FFFD.
std::string as_text(const nlohmann::json& json, int indent = -1);

/// The command that reproduces a result.
std::string reproduce(std::string_view adapter, std::string_view vector);

/// The page before the report is put in: report.html with its styles and scripts, as built.
std::string_view page_template();

}  // namespace ifcert::conformance
