#include "conformance/fuzz/fuzz_journal.hpp"

#include <fmt/format.h>

#include "conformance/system/error.hpp"
#include "conformance/system/file.hpp"
#include "conformance/system/json_text.hpp"

namespace ifcert::conformance {

using nlohmann::json;
using nlohmann::ordered_json;

namespace {

ordered_json json_of(const SeedOutcome& outcome) {
  ordered_json line{{"seed", outcome.seed}, {"verdicts", outcome.verdicts}};
  for (const FuzzFailure& failure : outcome.failures) line["failures"].push_back(json_of(failure));
  if (!outcome.troubles.empty()) line["troubles"] = outcome.troubles;
  return line;
}

SeedOutcome outcome_from(const json& line) {
  SeedOutcome outcome{.seed = line.at("seed").get<std::uint64_t>(), .verdicts = {}, .failures = {}, .troubles = {}};
  line.at("verdicts").get_to(outcome.verdicts);
  for (const json& failure : line.value("failures", json::array())) outcome.failures.push_back(failure_from(failure));
  outcome.troubles = line.value("troubles", std::vector<std::string>());
  return outcome;
}

}  // namespace

FuzzJournal::FuzzJournal(const std::filesystem::path& file, const ordered_json& settings, bool resume)
    : file_(file, "campaign") {
  if (resume && read(settings)) return;
  file_.truncate(0);
  append({{"terms", settings}});
}

/// Reads the lines up to the first one that was cut off or changed, and removes the rest. False if no line is left.
bool FuzzJournal::read(const ordered_json& settings) {
  const std::string text = read_file(file_.path());
  std::size_t whole = 0;
  for (std::size_t end = 0; (end = text.find('\n', whole)) != std::string::npos; whole = end + 1) {
    const std::string_view content = std::string_view(text).substr(whole, end - whole);
    LineDigests digests = digests_;
    if (!digests.accept(content)) break;
    const auto [line, fault, detail] = parse_json(content);
    if (!fault.empty()) break;
    if (whole == 0 && line.value("terms", json()) != json(settings))
      throw Error(fmt::format("{} belongs to a campaign with other settings: {} (to begin anew, leave out --resume)",
                              file_.path().string(), printable(line.value("terms", json()).dump())));
    digests_ = std::move(digests);
    if (line.contains("seed")) outcomes_.push_back(outcome_from(line));
    if (line.contains("failure")) examples_.push_back(example_from(line));
  }
  file_.truncate(whole);
  return whole > 0;
}

void FuzzJournal::add(const SeedOutcome& outcome) {
  append(json_of(outcome));
}

void FuzzJournal::add(const FuzzExample& example) {
  append(json_of(example));
}

void FuzzJournal::append(const ordered_json& line) {
  file_.append(digests_.with_digest(line) + "\n");
}

}  // namespace ifcert::conformance
