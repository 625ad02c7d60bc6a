// A child process that answers requests line by line. It is confined, together with all processes that it starts.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reference/files/descriptor.hpp"

namespace ifcert::conformance {

/// The longest line that is accepted from a process.
inline constexpr std::size_t max_line_bytes = std::size_t{64} << 20U;

/// How many bytes of a process's standard error are kept: the last ones.
inline constexpr std::size_t max_error_output = std::size_t{8} << 10U;

/// The result of waiting for a line.
struct Reply {
  enum class Kind {
    line,    // a whole line
    ended,   // the process ended, or closed its standard output
    silent,  // no whole line within the time limit
    flood    // more than max_line_bytes without a line end
  };
  Kind kind;
  std::string text;  // the line, without its line end; for the other kinds, the part of a line that has arrived
};

/// How much a process may use, together with all processes that it starts.
struct Allowance {
  std::size_t memory_mib = 4096;  // resident
  std::size_t processes = 256;
  std::size_t threads = 4096;     // of all these processes together
  std::size_t seconds = 3600;     // of processor time
  std::size_t addresses_mib = 0;  // of the address space of each process, which is refused more; 0: no limit
};

/// The isolation of a process, besides the limits of its Allowance.
struct Sandbox {
  /// The command line of bubblewrap, which ends with the adapter's command; empty: without bubblewrap.
  std::vector<std::string> bubblewrap{};
  /// The folder from which it reads models; ifcert-confine removes it if this program is killed.
  std::filesystem::path models{};
  /// Descriptors that ifcert-confine inherits and keeps open: the locks of the folders that it may have to remove.
  std::vector<int> locks{};
};

/// A limit of an Allowance that was exceeded, so that the processes were killed.
struct Excess {
  enum class Kind { memory, processes, threads, time };
  Kind kind;
  std::size_t found;  // MiB, processes, threads or seconds
  std::size_t limit;
};

/// How a process ended.
struct ExitStatus {
  std::optional<int> signal;       // the signal that ended it
  int exit_code = 0;               // where no signal ended it
  bool killed = false;             // by ifcert: then signal and exit code have no meaning
  std::optional<Excess> excess{};  // why it was killed, where it exceeded a limit
};

/// "was killed by signal 11 (Segmentation fault)", "ended with exit code 3", "had to be killed", "was killed because it
/// used 4100 MiB of memory; the limit is 4096 MiB".
std::string exit_status_text(const ExitStatus& ending);

class Process {
 public:
  /// Starts `command` (looked up in PATH) in `folder`, with `variables` as its only environment variables. It is a
  /// child of ifcert-confine, which is installed in the same folder as this program. If this program is killed,
  /// ifcert-confine kills the process with all that it started, and removes `folder`. From now on this program ignores
  /// SIGPIPE. Throws Error when the command cannot be started.
  Process(const std::vector<std::string>& command, const std::map<std::string, std::string>& variables,
          const std::filesystem::path& folder, Allowance allowance = {}, const Sandbox& sandbox = {});
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;
  /// Kills the process and all that it started.
  ~Process();

  /// Queues a line; the next receive() sends all queued lines together.
  void send(std::string_view line);

  /// Sends the queued lines, and waits for a line. After a reply of any kind but `line`, no more lines may be
  /// exchanged. Calls `meanwhile` about twenty times a second; an exception that it throws passes through.
  Reply receive(std::chrono::milliseconds timeout, const std::function<void()>& meanwhile = {});

  /// send(), then receive().
  Reply exchange(std::string_view line, std::chrono::milliseconds timeout);

  /// Closes the standard input of the process, and kills it if it has not ended within the timeout. All processes that
  /// it started are killed in any case.
  ExitStatus end(std::chrono::milliseconds timeout);

  /// The network of the process: "a namespace of its own", or "shared: " and the reason.
  const std::string& network() const { return network_; }

  /// The end of what the process has printed on standard error since the last call, as printable text.
  std::string take_error_output();

 private:
  void send_pending();
  bool take_bytes();
  void collect_errors();
  bool has_ended() const;
  bool ends_within(std::chrono::milliseconds timeout);
  void read_start(const std::string& command);
  void read_ending();
  std::optional<std::string> take_line();
  void wait_for_bytes(std::chrono::milliseconds timeout);

  pid_t id_ = -1;  // of ifcert-confine
  Allowance allowance_;
  bool reaped_ = false;
  ExitStatus ending_;
  files::Descriptor input_, output_, errors_, report_;
  std::string network_;
  std::string pending_;       // the part of the requests that is still to be sent
  std::string received_;      // the part of an answer that has arrived
  std::size_t searched_ = 0;  // the first bytes of received_, which were searched and have no line end
  std::string printed_;       // on standard error
};

}  // namespace ifcert::conformance
