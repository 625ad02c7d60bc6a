// The journal of a certification: each trial as soon as it is settled, so that a run that was killed can be resumed.
//
// A header with the settings of the run, then a line per trial and per hello, each written whole and with a digest
// (line_digests.hpp). Lines after one that is cut off or was changed do not count. The file is locked while a run
// writes it, and removed when the results are written.
//
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "conformance/certification.hpp"
#include "conformance/line_digests.hpp"
#include "conformance/project.hpp"
#include "conformance/trial.hpp"
#include "files/descriptor.hpp"

namespace ifcert::conformance {

/// A trial; rounds are counted from 1.
struct Settled {
  std::size_t round = 1;
  Trial trial;               // its twin is not in the journal
  Effort effort{};           // of the adapter, until then
  bool unconfirmed = false;  // to be retried; another entry of the same vector and round will settle it
};

/// The answer of an adapter's first process to hello.
struct Greeting {
  std::string adapter;
  nlohmann::json hello;
};

class Journal {
 public:
  /// Starts an empty journal in place of the file's contents. `plan` has the settings. Throws Error where the file
  /// cannot be written, or another run is writing it.
  static Journal begin(const std::filesystem::path& file, const Certification& plan);

  /// Continues at the end of the file. Throws Error as begin() does, and where the file has other settings or another
  /// format, where its header was changed, or where it is marked as unusable.
  static Journal resume(const Project& project, const std::filesystem::path& file, const Certification& plan);

  /// The contents of the file when it was opened.
  const std::string& started() const { return started_; }
  const std::vector<Greeting>& greetings() const { return greetings_; }
  const std::vector<Settled>& settled() const { return settled_; }
  /// The number of the first line, counted from 1, that is whole but was changed: it and the lines after it were
  /// dropped.
  std::optional<std::size_t> changed_line() const { return changed_line_; }

  /// Throw Error where the disk is full, and the like.
  void add(const Settled& settled);
  void add(const Greeting& greeting);

  /// Marks the contents as unusable: no run resumes it, and no folder with it is merged.
  void mark_unusable(const std::string& why);

  /// Removes the journal, once the results are written.
  void remove();

 private:
  explicit Journal(const std::filesystem::path& file);
  void begin(const Certification& plan);
  bool read(const Project& project, const Certification& plan);
  void truncate(std::size_t size);
  void append(const nlohmann::ordered_json& line);

  std::filesystem::path file_;
  files::Descriptor descriptor_;
  std::string started_;
  std::vector<Greeting> greetings_;
  std::vector<Settled> settled_;
  std::optional<std::size_t> changed_line_;
  LineDigests digests_;
};

}  // namespace ifcert::conformance
