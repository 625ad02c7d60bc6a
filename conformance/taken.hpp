// What an adapter and all that it starts take of the machine.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ifcert {

/// How much it may be, and where to look for it.
struct Bounds {
  std::size_t memory_mib, processes, threads;
  double seconds;              // of processor time
  std::filesystem::path home;  // of the adapter
  bool bubblewrap;             // the adapter has name spaces of its own
};

/// The descendants of this process, at every depth, and how many threads they have. Processes come and go meanwhile:
/// one that is missing is found the next time.
struct Descendants {
  std::vector<pid_t> processes;
  std::size_t threads = 0;
};
Descendants descendants();

/// The processor time of processes that come and go. What a process took that is gone is known from its parent, or from
/// when it was last seen where the parent did not wait for it: the larger of the two sums is believed.
class ProcessorTime {
 public:
  double seconds(const std::vector<pid_t>& processes);

 private:
  std::map<pid_t, std::size_t> seen_;
  std::size_t gone_ = 0;
};

/// The line to tell when a bound is passed: "memory MIB", "processes N", "threads N" or "seconds N".
std::optional<std::string> excess(const Bounds& bounds, ProcessorTime& time);

}  // namespace ifcert
