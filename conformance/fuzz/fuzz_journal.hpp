// The journal of a campaign: a line for each seed and each example as soon as it is done, each with a digest.
//
// The file is kept when the campaign ends, so that more seeds can be added. A line that was cut off or changed, and all
// lines after it, are ignored. The file is locked while a campaign writes it.
#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "conformance/fuzz/fuzz_example.hpp"
#include "conformance/results/line_digests.hpp"
#include "reference/files/appended_file.hpp"

namespace ifcert::conformance {

/// The outcome of the cases of a seed.
struct SeedOutcome {
  std::uint64_t seed = 0;
  std::map<std::string, std::size_t> verdicts;  // by verdict_line()
  std::vector<FuzzFailure> failures;
  std::vector<std::string> troubles;
};

class FuzzJournal {
 public:
  /// `settings` are those that the outcomes depend on. With `resume`, the lines of an existing file are kept.
  /// Throws Error if the file cannot be written, if another campaign is writing it, or if it is to be resumed and has
  /// other settings.
  FuzzJournal(const std::filesystem::path& file, const nlohmann::ordered_json& settings, bool resume);

  /// The content of the file when it was opened.
  const std::vector<SeedOutcome>& outcomes() const { return outcomes_; }
  const std::vector<FuzzExample>& examples() const { return examples_; }

  void add(const SeedOutcome& outcome);
  void add(const FuzzExample& example);

 private:
  bool read(const nlohmann::ordered_json& settings);
  void append(const nlohmann::ordered_json& line);

  files::AppendedFile file_;
  LineDigests digests_;
  std::vector<SeedOutcome> outcomes_;
  std::vector<FuzzExample> examples_;
};

}  // namespace ifcert::conformance
