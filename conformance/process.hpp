// A child process, confined with all that it starts, that answers requests line by line.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "files/descriptor.hpp"

namespace ifcert::conformance {

/// The longest line that is accepted from a process; more is a flood.
inline constexpr std::size_t longest_line = std::size_t{64} << 20U;

/// How much of a process's standard error is kept: the end of it.
inline constexpr std::size_t kept_errors = std::size_t{8} << 10U;

/// The result of a request: a whole line; the process's end; nothing within the time limit; more than a line may hold.
struct Reply {
  enum class Kind { line, ended, silent, flood };
  Kind kind;
  std::string text;  // the line without its end; for the other kinds the part of a line that has arrived
};

/// How much a process may use, together with all that it starts.
struct Allowance {
  std::size_t memory_mib = 4096;  // resident
  std::size_t processes = 256;
  std::size_t threads = 4096;  // of all processes
  std::size_t seconds = 3600;  // of processor time
};

/// Where a process runs: among all others, or in namespaces that bubblewrap made.
struct Surroundings {
  std::vector<std::string> bubblewrap{};  // the command to run it with; empty: none
  std::filesystem::path models{};         // also removed, should this program be killed
};

/// A limit of an Allowance that was exceeded; the processes were killed for it.
struct Excess {
  enum class Kind { memory, processes, threads, time };
  Kind kind;
  std::size_t found;  // MiB, processes, threads or seconds
  std::size_t limit;
};

/// How a process ended: by a signal, or with an exit code; or it had to be killed, and then neither means anything.
struct Ending {
  std::optional<int> signal;
  int exit_code = 0;
  bool killed = false;
  std::optional<Excess> excess{};  // why it was killed, where it exceeded a limit
};

/// "was killed by signal 11 (Segmentation fault)", "ended with exit code 3", "had to be killed", "was killed because it
/// used 4100 MiB of memory; the limit is 4096 MiB".
std::string ending_text(const Ending& ending);

class Process {
 public:
  /// Starts `command` (looked up in PATH) in `folder`, with `environment` alone, under ifcert-confine, which is beside
  /// this program. From then on this process ignores SIGPIPE. Throws Error when the command cannot be started. Should
  /// this program be killed, the process is killed with all that it started, and `folder` is removed.
  Process(const std::vector<std::string>& command, const std::map<std::string, std::string>& environment,
          const std::filesystem::path& folder, Allowance allowance = {}, const Surroundings& surroundings = {});
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;
  /// Kills it and all that it started.
  ~Process();

  /// Adds a line to those that are sent, in one piece, with the next wait for a reply. What the process is too busy to
  /// read then is sent while waiting.
  void send(std::string_view line);

  /// Waits for a line. After any other reply the process is of no more use.
  Reply receive(std::chrono::milliseconds limit);

  /// Sends a line and waits for one.
  Reply exchange(std::string_view line, std::chrono::milliseconds limit);

  /// Closes its standard input, waits, and kills it when it has not ended by then. Whatever it started is killed in any
  /// case. After that nothing can be exchanged any more.
  Ending end(std::chrono::milliseconds patience);

  /// "a namespace of its own", or "shared: " and why.
  const std::string& network() const { return network_; }

  /// The end of its standard error since the last call, as printable text.
  std::string take_errors();

 private:
  void send_pending();
  bool take_bytes();
  void collect_errors();
  bool has_died() const;
  bool dies_within(std::chrono::milliseconds time);
  void read_start(const std::string& command);
  void read_ending();
  std::optional<std::string> take_line();
  void wait_for_bytes(std::chrono::milliseconds limit);

  pid_t id_ = -1;  // of ifcert-confine
  Allowance allowance_;
  bool reaped_ = false;
  Ending ending_;
  files::Descriptor input_, output_, errors_, report_;
  std::string network_;
  std::string pending_;       // the part of the requests that is still to be sent
  std::string received_;      // the part of an answer that has arrived
  std::size_t searched_ = 0;  // how much of it is known to have no line end
  std::string printed_;
};

}  // namespace ifcert::conformance
