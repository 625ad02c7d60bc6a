// How much of the machine an adapter and all that it starts use.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ifcert {

/// The limits, and where to look for what counts towards them.
struct Bounds {
  std::size_t memory_mib, processes, threads;
  double seconds;              // of processor time
  std::filesystem::path home;  // of the adapter
  bool bubblewrap;             // the adapter has namespaces of its own
};

/// The descendants of this process, at every depth, and how many threads they have. Processes start and end meanwhile:
/// one that is missing is found the next time.
struct Descendants {
  std::vector<pid_t> processes;
  std::size_t threads = 0;
};
Descendants descendants();

/// The processor time of processes that start and end. That of ended processes is known from two sources: from when
/// they were last seen here, and from their parents if these waited for them. The source with the larger sum counts.
class ProcessorTime {
 public:
  double seconds(const std::vector<pid_t>& processes);

 private:
  std::map<pid_t, std::size_t> seen_;
  std::size_t gone_ = 0;
};

/// The line to report when a limit is exceeded: "memory MIB", "processes N", "threads N" or "seconds N".
std::optional<std::string> excess(const Bounds& bounds, ProcessorTime& time);

}  // namespace ifcert
