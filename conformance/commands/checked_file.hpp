// The findings of `ifcert check` in each file, as text for people, as JSON, and as SARIF for the tools that show
// findings.
#pragma once

#include <ifcert/diagnostic.hpp>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace ifcert::conformance {

/// One file: the rules that its model breaks, for certain or in a part that may never run; or why it could not be read.
struct CheckedFile {
  std::string path;
  std::vector<Diagnostic> findings;
  std::optional<Diagnostic> unreadable;
  std::vector<Diagnostic> mended = {};  // with --fix: the findings that are not in `findings` any more
};

/// 2 where a file could not be read, else 1 where a finding is an error, else 0: warnings alone are not a failure.
int exit_code_of(std::span<const CheckedFile> files);

/// Place, rule, finding, expectation and clause of each finding, and the numbers of errors and warnings.
std::string checked_as_text(const CheckedFile& file);

/// What was mended in the model, and the same of the mended file.
std::string mended_as_text(const std::string& model, const CheckedFile& file);

/// An object for each file; conformance/schemas/check.schema.json describes it.
nlohmann::ordered_json checked_as_json(std::span<const CheckedFile> files);

/// One run in SARIF 2.1.0. A finding's place is a logical location; the file is its physical one, without a region.
nlohmann::ordered_json checked_as_sarif(std::span<const CheckedFile> files, const std::string& version);

}  // namespace ifcert::conformance
