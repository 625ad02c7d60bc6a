// The journal of a certification: each trial as soon as it is settled, so that a run that was killed can be resumed.
//
// A header that says the terms, then a line per trial and per hello, each written whole. What stands behind a torn line
// does not count. The file is locked while a run writes it, and removed when the results are written.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "conformance/certification.hpp"
#include "conformance/descriptor.hpp"
#include "conformance/project.hpp"
#include "conformance/trial.hpp"

namespace ifcert::conformance {

/// A settled trial; the round counts from 1.
struct Settled {
  std::size_t round = 1;
  Trial trial;  // its twin is not in the journal
};

class Journal {
 public:
  /// Begins with nothing, in place of what the file held. `plan` has the terms. Throws Error: the file cannot be
  /// written, or another run is writing it.
  static Journal begin(const std::filesystem::path& file, const Certification& plan);

  /// Goes on where the file ends. Throws Error, as begin() does and where the file was begun on other terms.
  static Journal resume(const Project& project, const std::filesystem::path& file, const Certification& plan);

  /// What it held when it was opened.
  const std::string& started() const { return started_; }
  const std::vector<AdapterIdentity>& hellos() const { return hellos_; }
  const std::vector<Settled>& settled() const { return settled_; }

  /// Throw Error where the disk is full, and the like.
  void add(const Settled& settled);
  void add(const AdapterIdentity& hello);

  /// The results are written: the journal has served.
  void remove();

 private:
  explicit Journal(const std::filesystem::path& file);
  void begin(const Certification& plan);
  bool read(const Project& project, const Certification& plan);
  void truncate(std::size_t size);
  void append(const std::string& line);

  std::filesystem::path file_;
  Descriptor descriptor_;
  std::string started_;
  std::vector<AdapterIdentity> hellos_;
  std::vector<Settled> settled_;
};

}  // namespace ifcert::conformance
