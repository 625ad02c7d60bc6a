// The journal of a certification: a file to which each trial is added as soon as it has ended, so that a run that was
// killed can be resumed.
//
// It has a header with the settings of the run, then a line for each trial and each hello. Every line is written with
// one system call, and has a digest (line_digests.hpp). A line that is cut off or was changed is dropped, with all
// lines after it. The file is locked while a run writes it, and removed when the results are written.
//
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "conformance/certify/trial.hpp"
#include "conformance/results/certification.hpp"
#include "conformance/results/line_digests.hpp"
#include "conformance/system/project.hpp"
#include "reference/files/appended_file.hpp"

namespace ifcert::conformance {

struct RecordedTrial {
  std::size_t round = 1;    // counted from 1
  Trial trial;              // of a restored one only `result`, `loaded` and `by_refusal` are set
  WallTime wall_time{};     // of the adapter, until the end of this trial
  bool is_suspect = false;  // to be retried; its retry is recorded with the same vector and round
};

/// The hello of an adapter's first process.
struct RecordedHello {
  std::string adapter;
  nlohmann::json hello;
};

class Journal {
 public:
  /// Replaces the file's contents, if any, by the header of a new journal, with the settings of `plan`. Throws Error
  /// where the file cannot be written, or another run is writing it.
  static Journal begin(const std::filesystem::path& file, const Certification& plan);

  /// Reads the file, to continue at its end. A file without a whole line is begun anew. Throws Error as begin() does,
  /// and where the file has other settings or another format, where its header was changed, or where it is marked as
  /// unusable.
  static Journal resume(const Project& project, const std::filesystem::path& file, const Certification& plan);

  /// When the run began, before any interruption.
  const std::string& started() const { return started_; }
  /// The hellos and trials that the file contained when it was opened.
  const std::vector<RecordedHello>& hellos() const { return hellos_; }
  const std::vector<RecordedTrial>& trials() const { return trials_; }
  /// The number of the first line that is whole but was changed, counted from 1: this line and those after it were
  /// dropped.
  std::optional<std::size_t> changed_line() const { return changed_line_; }

  /// Throw Error where the file cannot be written, for example because the disk is full.
  void add(const RecordedTrial& recorded);
  void add(const RecordedHello& recorded);

  /// Marks the contents as unusable: no run resumes it, and no folder with it is merged.
  void mark_unusable(const std::string& why);

  /// Removes the file, once the results are written.
  void remove();

 private:
  explicit Journal(const std::filesystem::path& file);
  void begin(const Certification& plan);
  bool read(const Project& project, const Certification& plan);
  void append(const nlohmann::ordered_json& line);

  files::AppendedFile file_;
  std::string started_;
  std::vector<RecordedHello> hellos_;
  std::vector<RecordedTrial> trials_;
  std::optional<std::size_t> changed_line_;
  LineDigests digests_;
};

}  // namespace ifcert::conformance
