#include "conformance/certify/journal.hpp"

#include <fmt/format.h>

#include <string_view>

#include "conformance/results/result_json.hpp"
#include "conformance/results/run_settings.hpp"
#include "conformance/system/error.hpp"
#include "conformance/system/file.hpp"
#include "conformance/system/json_text.hpp"
#include "conformance/system/schema.hpp"

namespace ifcert::conformance {

using nlohmann::json;
using nlohmann::ordered_json;

namespace {

// The file has older words for some things: `terms` are the settings, `effort` is wall_time (its `confirming_seconds`
// are retry_seconds), `unconfirmed` is is_suspect, and `spoilt` marks the file as unusable.

constexpr int journal_format = 2;

/// The lines of a journal up to the first invalid one: one that is cut off, was changed or does not match the schema.
struct Lines {
  std::vector<json> valid;
  std::size_t end = 0;            // where the first invalid line begins
  bool has_changed_line = false;  // the first invalid line is whole, so it was changed
  LineDigests digests;            // of the valid lines
};

Lines valid_lines(std::string_view text, const Schema& schema) {
  Lines lines;
  for (std::size_t at = 0; (at = text.find('\n', lines.end)) != std::string_view::npos; lines.end = at + 1) {
    const std::string_view content = text.substr(lines.end, at - lines.end);
    lines.has_changed_line = true;  // unless it proves valid
    LineDigests digests = lines.digests;
    if (!digests.accept(content)) break;
    auto [line, fault, detail] = parse_json(content);
    const bool is_header = lines.valid.empty();
    if (!fault.empty() || !schema.fault(line).empty() || line.contains("journal") != is_header) break;
    lines.has_changed_line = false;
    lines.digests = std::move(digests);
    lines.valid.push_back(std::move(line));
  }
  return lines;
}

/// Why a journal whose first line is not a valid header cannot be resumed.
std::string fault_of_header(std::string_view text) {
  const json header = parse_json(text.substr(0, text.find('\n'))).document;
  const bool other_format = header.is_object() && header.contains("journal") && header.at("journal") != journal_format;
  return other_format
             ? fmt::format("its format is {}; this ifcert reads format {}", header.at("journal").dump(), journal_format)
             : "its line 1 was changed";
}

/// Everything that must be the same when a run is resumed: the settings, and how the adapters are isolated.
json terms_of(const Certification& plan) {
  json terms = settings_of(plan);
  terms["isolation"] = plan.isolation;
  return terms;
}

RecordedTrial trial_from(const json& line) {
  RecordedTrial recorded{
      line.at("round").get<std::size_t>(), {}, wall_time_from(line.at("effort")), line.contains("unconfirmed")};
  recorded.trial.result = result_from(line.at("result"));
  line.at("loaded").get_to(recorded.trial.loaded);
  line.at("by_refusal").get_to(recorded.trial.by_refusal);
  return recorded;
}

}  // namespace

Journal::Journal(const std::filesystem::path& file) : file_(file, "run") {}

Journal Journal::begin(const std::filesystem::path& file, const Certification& plan) {
  Journal journal(file);
  journal.begin(plan);
  return journal;
}

Journal Journal::resume(const Project& project, const std::filesystem::path& file, const Certification& plan) {
  Journal journal(file);
  if (!journal.read(project, plan)) journal.begin(plan);
  return journal;
}

void Journal::begin(const Certification& plan) {
  file_.truncate(0);
  started_ = plan.started;
  digests_ = {};
  append(ordered_json{{"journal", journal_format}, {"started", plan.started}, {"terms", terms_of(plan)}});
}

/// False where the file has no valid line, because it is empty or its first line is cut off.
bool Journal::read(const Project& project, const Certification& plan) {
  const auto refuse = [this](std::string_view why) {
    throw Error(fmt::format("{} {} (to begin anew, leave out --resume)", file_.path().string(), printable(why)));
  };
  const std::string text = read_file(file_.path());
  Lines lines = valid_lines(text, Schema(project.schema("journal.schema.json")));
  if (lines.valid.empty()) {
    if (lines.has_changed_line) refuse(fmt::format("cannot be resumed: {}", fault_of_header(text)));
    return false;
  }
  const json& header = lines.valid.front();
  if (const std::string found = difference(header.at("terms"), terms_of(plan)); !found.empty()) {
    refuse(fmt::format("is the journal of another run: {}", found));
  }
  for (const json& line : lines.valid) {
    if (line.contains("spoilt")) refuse(fmt::format("is not resumed: {}", line.at("spoilt").get<std::string>()));
    if (line.contains("hello")) hellos_.push_back({line.at("adapter").get<std::string>(), line.at("hello")});
    if (line.contains("result")) trials_.push_back(trial_from(line));
  }
  header.at("started").get_to(started_);
  if (lines.has_changed_line) changed_line_ = lines.valid.size() + 1;
  digests_ = std::move(lines.digests);
  file_.truncate(lines.end);
  return true;
}

void Journal::add(const RecordedTrial& recorded) {
  ordered_json line{{"round", recorded.round},
                    {"loaded", recorded.trial.loaded},
                    {"by_refusal", recorded.trial.by_refusal},
                    {"result", json_of(recorded.trial.result)},
                    {"effort", json_of(recorded.wall_time)}};
  if (recorded.is_suspect) line["unconfirmed"] = true;
  append(line);
}

void Journal::add(const RecordedHello& recorded) {
  append(ordered_json{{"adapter", recorded.adapter}, {"hello", recorded.hello}});
}

void Journal::mark_unusable(const std::string& why) {
  append(ordered_json{{"spoilt", why}});
}

void Journal::remove() {
  std::error_code ignored;
  std::filesystem::remove(file_.path(), ignored);
}

void Journal::append(const ordered_json& line) {
  file_.append(digests_.with_digest(line) + "\n");
}

}  // namespace ifcert::conformance
