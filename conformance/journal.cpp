#include "conformance/journal.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string_view>

#include "conformance/error.hpp"
#include "conformance/file.hpp"
#include "conformance/result_json.hpp"
#include "conformance/schema.hpp"
#include "conformance/terms.hpp"

namespace ifcert::conformance {

using nlohmann::json;
using nlohmann::ordered_json;

namespace {

/// The lines up to the first that is torn or not as the schema says, and where it begins.
struct Lines {
  std::vector<json> whole;
  std::size_t end = 0;
};

Lines whole_lines(std::string_view text, const Schema& schema) {
  Lines lines;
  for (std::size_t at = 0; (at = text.find('\n', lines.end)) != std::string_view::npos; lines.end = at + 1) {
    json line = json::parse(text.substr(lines.end, at - lines.end), nullptr, false);
    const bool is_header = lines.whole.empty();
    if (line.is_discarded() || !schema.fault(line).empty() || line.contains("journal") != is_header) break;
    lines.whole.push_back(std::move(line));
  }
  return lines;
}

Settled settled_from(const json& line) {
  Settled settled{line.at("round").get<std::size_t>(), {}};
  settled.trial.result = result_from(line.at("result"));
  line.at("loaded").get_to(settled.trial.loaded);
  line.at("by_refusal").get_to(settled.trial.by_refusal);
  return settled;
}

}  // namespace

Journal::Journal(const std::filesystem::path& file) : file_(file) {
  std::error_code ignored;  // open() will say it
  std::filesystem::create_directories(file.parent_path(), ignored);
  descriptor_ = Descriptor(::open(file.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666));
  if (!descriptor_.is_open()) throw Error(fmt::format("cannot write {}: {}", file.string(), std::strerror(errno)));
  if (::flock(descriptor_.number(), LOCK_EX | LOCK_NB) != 0) {
    throw Error(fmt::format("another run is writing {}", file.string()));
  }
}

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
  truncate(0);
  started_ = plan.started;
  append(ordered_json{{"journal", 1}, {"started", plan.started}, {"terms", terms_of(plan)}}.dump());
}

/// False where nothing whole is there.
bool Journal::read(const Project& project, const Certification& plan) {
  const Lines lines = whole_lines(read_file(file_), Schema(project.schema("journal.schema.json")));
  if (lines.whole.empty()) return false;
  const json& header = lines.whole.front();
  if (const std::string found = difference(header.at("terms"), terms_of(plan)); !found.empty()) {
    throw Error(fmt::format("{} is the journal of another run: {} (without --resume it is replaced)", file_.string(),
                            printable(found)));
  }
  truncate(lines.end);
  header.at("started").get_to(started_);
  for (const json& line : lines.whole) {
    if (line.contains("hello")) hellos_.push_back(adapter_from(line.at("hello")));
    if (line.contains("result")) settled_.push_back(settled_from(line));
  }
  return true;
}

void Journal::add(const Settled& settled) {
  append(ordered_json{{"round", settled.round},
                      {"loaded", settled.trial.loaded},
                      {"by_refusal", settled.trial.by_refusal},
                      {"result", json_of(settled.trial.result)}}
             .dump());
}

void Journal::add(const AdapterIdentity& hello) {
  append(ordered_json{{"hello", json_of(hello)}}.dump());
}

void Journal::remove() {
  std::error_code gone;
  std::filesystem::remove(file_, gone);
}

void Journal::truncate(std::size_t size) {
  if (::ftruncate(descriptor_.number(), static_cast<off_t>(size)) != 0) {
    throw Error(fmt::format("cannot write {}: {}", file_.string(), std::strerror(errno)));
  }
}

/// In one write, so that only the last line can be torn.
void Journal::append(const std::string& line) {
  const std::string text = line + "\n";
  const ssize_t written = ::write(descriptor_.number(), text.data(), text.size());
  if (written == static_cast<ssize_t>(text.size())) return;
  throw Error(fmt::format("cannot write {}: {}", file_.string(), std::strerror(written < 0 ? errno : ENOSPC)));
}

}  // namespace ifcert::conformance
