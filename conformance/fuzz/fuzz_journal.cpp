#include "conformance/fuzz/fuzz_journal.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

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

FuzzJournal::FuzzJournal(const std::filesystem::path& file, const ordered_json& settings, bool resume) : file_(file) {
  std::error_code ignored;  // open() will report it
  std::filesystem::create_directories(file.parent_path(), ignored);
  descriptor_ = files::Descriptor(::open(file.c_str(), O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0666));
  if (!descriptor_.is_open()) throw Error(fmt::format("cannot write {}: {}", file.string(), std::strerror(errno)));
  if (::flock(descriptor_.number(), LOCK_EX | LOCK_NB) != 0)
    throw Error(fmt::format("another campaign is writing {}", file.string()));
  if (resume && read(settings)) return;
  if (::ftruncate(descriptor_.number(), 0) != 0)
    throw Error(fmt::format("cannot write {}: {}", file.string(), std::strerror(errno)));
  append({{"terms", settings}});
}

/// Reads the lines up to the first one that was cut off or changed, and removes the rest. False if no line is left.
bool FuzzJournal::read(const ordered_json& settings) {
  const std::string text = read_file(file_);
  std::size_t whole = 0;
  for (std::size_t end = 0; (end = text.find('\n', whole)) != std::string::npos; whole = end + 1) {
    const std::string_view content = std::string_view(text).substr(whole, end - whole);
    LineDigests digests = digests_;
    if (!digests.accept(content)) break;
    const auto [line, fault, detail] = parse_json(content);
    if (!fault.empty()) break;
    if (whole == 0 && line.value("terms", json()) != json(settings))
      throw Error(fmt::format("{} belongs to a campaign with other settings: {} (to begin anew, leave out --resume)",
                              file_.string(), printable(line.value("terms", json()).dump())));
    digests_ = std::move(digests);
    if (line.contains("seed")) outcomes_.push_back(outcome_from(line));
    if (line.contains("failure")) examples_.push_back(example_from(line));
  }
  if (::ftruncate(descriptor_.number(), static_cast<off_t>(whole)) != 0)
    throw Error(fmt::format("cannot write {}: {}", file_.string(), std::strerror(errno)));
  return whole > 0;
}

void FuzzJournal::add(const SeedOutcome& outcome) {
  append(json_of(outcome));
}

void FuzzJournal::add(const FuzzExample& example) {
  append(json_of(example));
}

/// Writes in one call, so that only the last line can be cut off.
void FuzzJournal::append(const ordered_json& line) {
  const std::string text = digests_.with_digest(line) + "\n";
  const ssize_t written = ::write(descriptor_.number(), text.data(), text.size());
  if (written == static_cast<ssize_t>(text.size())) return;
  throw Error(fmt::format("cannot write {}: {}", file_.string(), std::strerror(written < 0 ? errno : ENOSPC)));
}

}  // namespace ifcert::conformance
