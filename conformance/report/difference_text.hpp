// A difference of two certifications, for a person, for release notes, and for programs.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "conformance/report/difference.hpp"

namespace ifcert::conformance {

/// By adapter and rule, what broke first. Ends with a line end.
std::string difference_text(const CertificationDifference& found);

/// The same as Markdown: a table for each adapter.
std::string difference_markdown(const CertificationDifference& found);

/// conformance/schemas/diff.schema.json.
nlohmann::ordered_json difference_json(const CertificationDifference& found);

}  // namespace ifcert::conformance
