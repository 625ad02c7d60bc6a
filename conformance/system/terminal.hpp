// Properties of standard output and standard error: a terminal or not, how wide, with colours or without.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace ifcert::conformance {

/// The columns of standard output; 160 where it is not a terminal.
std::size_t terminal_width();

/// Whether to colour standard output: it is a terminal, and NO_COLOR is not set.
bool terminal_has_colours();

/// A progress bar on standard error; where that is not a terminal, a line every few seconds.
class ProgressBar {
 public:
  ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;
  /// Clears the line.
  ~ProgressBar();

  /// On a terminal, draws at most ten times a second, and always at the end.
  void show(std::size_t done, std::size_t total, const std::string& what);

 private:
  static void draw(std::size_t done, std::size_t total, const std::string& what);

  bool terminal_;
  std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point shown_;
};

}  // namespace ifcert::conformance
