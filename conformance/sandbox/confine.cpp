// ifcert-confine REPORT WITHIN MEMORY PROCESSES THREADS SECONDS ADDRESSES HOME MODELS COMMAND…: starts an adapter and
// controls everything that it starts.
//
// WITHIN is "bubblewrap" where COMMAND is bubblewrap's: then the adapter has namespaces of its own, sees neither this
// process nor the files of its user, and cannot outlive it. This process adds what bubblewrap does not do: it ends the
// adapter when it uses more than MEMORY MiB (including what it writes to its folders in memory), has more than
// PROCESSES or THREADS, or uses more than SECONDS of processor time (resource_usage.cpp). Each process gets at most
// ADDRESSES MiB of address space, where that is not 0: what asks for more is refused it. WITHIN is "nothing" where
// bubblewrap does not work: then this process makes a network of the adapter's own, where it may (own_network.cpp),
// drops its capabilities, and ends every process that descends from it (it is their subreaper), including those that
// left their group, their session or their parent.
//
// It ends all these processes when the adapter ends, on SIGTERM, and when the runner has ended: in the last case it
// also removes HOME and MODELS, whose locks (abandoned_folders.hpp) it has inherited. That is why this is a process of
// its own and not a thread of the runner.
//
// It reports on the descriptor REPORT, one line each: "network …" and "started" or "cannot …" at the start; later
// "memory MIB", "processes N", "threads N" or "seconds N" where a limit was passed; and "exit CODE" or "signal NUMBER"
// where the adapter ended by itself. The descriptor also shows that the runner is alive: when it is no longer read, the
// runner has ended.
#include <fcntl.h>
#include <fmt/format.h>
#include <linux/keyctl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>

#include "conformance/sandbox/own_network.hpp"
#include "conformance/sandbox/resource_usage.hpp"
#include "conformance/system/remove_folder.hpp"

namespace ifcert {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr milliseconds check_interval{20};
constexpr rlim_t open_files = 1024;

/// The limit on core files, in bytes. With 0, the system would still start a program that core files are piped to. With
/// a limit that is positive, but smaller than any core file, it writes none and starts no program.
constexpr rlim_t no_core = 1;

/// The exit code of a command that cannot be started, as in a shell.
constexpr int not_started = 127;

struct Arguments {
  int report;
  Bounds bounds;
  rlim_t addresses;  // bytes; 0: no limit
  fs::path models;
  char** command;
};

/// The adapter inherits its standard streams and nothing else; this process also has the locks of HOME and MODELS.
void keep_to_itself() {
  std::error_code ignored;
  for (const auto& each : fs::directory_iterator("/proc/self/fd", ignored)) {
    const int number = std::stoi(each.path().filename().string());
    if (number > STDERR_FILENO) ::fcntl(number, F_SETFD, FD_CLOEXEC);
  }
}

void tell(int report, const std::string& line) {
  const std::string text = line + "\n";
  // If the runner has ended, watch() will notice.
  [[maybe_unused]] const ssize_t written = ::write(report, text.data(), text.size());
}

/// Collects processes that have ended; returns the adapter's status when it is among them.
void reap(pid_t adapter, std::optional<int>& status) {
  int found = 0;
  for (pid_t dead = 0; (dead = ::waitpid(-1, &found, WNOHANG)) > 0;) {
    if (dead == adapter) status = found;
  }
}

/// Kills all descendants, in rounds until none is left: a process that was forked during a round loses its parent in
/// that round, and so becomes a child of this process.
void end_all(pid_t adapter, std::optional<int>& status) {
  for (int round = 0;; ++round) {
    reap(adapter, status);
    if (::waitpid(-1, nullptr, WNOHANG) < 0 && errno == ECHILD) return;
    for (const pid_t process : descendants().processes) ::kill(process, SIGKILL);
    if (round > 2) std::this_thread::sleep_for(milliseconds(1));
  }
}

// The adapter ------------------------------------------------------------------------------------------------------

void limit(__rlimit_resource resource, rlim_t most) {
  rlimit now{};
  ::getrlimit(resource, &now);
  const rlim_t value = std::min(most, now.rlim_max);
  const rlimit wanted{value, value};
  ::setrlimit(resource, &wanted);
}

/// Even for root: no mounts, no access to other processes, no access to the files of other users.
void give_up_capabilities() {
  for (int capability = 0; ::prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) == 0; ++capability) {
  }
  ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
}

/// Runs in the child. RLIMIT_NPROC is left alone: it counts all processes and threads of the user, whoever started
/// them.
[[noreturn]] void exec_command(const Arguments& arguments, pid_t parent, int failure) {
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::signal(SIGPIPE, SIG_DFL);  // NOLINT(cert-err33-c)
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(not_started);
  limit(RLIMIT_NOFILE, open_files);
  limit(RLIMIT_CORE, no_core);
  if (arguments.addresses != 0) limit(RLIMIT_AS, arguments.addresses);
  ::syscall(SYS_keyctl, KEYCTL_JOIN_SESSION_KEYRING, nullptr);  // away from the user's keys
  std::ofstream("/proc/self/oom_score_adj")
      << 1000 << std::flush;  // so that the system kills this process first when memory runs out before we notice
  if (!arguments.bounds.bubblewrap) give_up_capabilities();
  ::execvp(arguments.command[0], arguments.command);
  const int why = errno;
  [[maybe_unused]] const ssize_t written = ::write(failure, &why, sizeof why);
  ::_exit(not_started);
}

/// Starts the adapter; returns 0, and reports why, where it cannot be started.
pid_t start(const Arguments& arguments) {
  std::array<int, 2> failure{};
  if (::pipe2(failure.data(), O_CLOEXEC) != 0) return 0;
  const pid_t self = ::getpid();
  const pid_t adapter = ::fork();
  if (adapter == 0) exec_command(arguments, self, failure[1]);
  ::close(failure[1]);
  int why = adapter < 0 ? errno : 0;
  while (adapter > 0 && ::read(failure[0], &why, sizeof why) < 0 && errno == EINTR) {
  }
  ::close(failure[0]);
  tell(arguments.report, why == 0 ? "started" : fmt::format("cannot {}", std::strerror(why)));
  return why == 0 ? adapter : 0;
}

/// Closes this process's ends of the pipes, so that only the adapter has them: when it ends, the runner sees them
/// closed.
void let_go_of_pipes() {
  const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  for (const int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::dup2(nothing, standard);
  ::close(nothing);
}

/// Waits until the adapter has ended or must be ended. Returns false when the runner has ended.
bool watch(const Arguments& arguments, pid_t adapter, int signals, std::optional<int>& status) {
  auto last_check = steady_clock::now();
  ProcessorTime time;
  while (true) {
    std::array<pollfd, 2> watched{{{arguments.report, 0, 0}, {signals, POLLIN, 0}}};
    ::poll(watched.data(), watched.size(), check_interval.count());
    if ((watched[0].revents & POLLERR) != 0) return false;
    signalfd_siginfo signal{};
    while (::read(signals, &signal, sizeof signal) == sizeof signal) {
      if (signal.ssi_signo != SIGCHLD) return true;
    }
    reap(adapter, status);
    if (status) return true;
    if (steady_clock::now() - last_check < check_interval) continue;
    last_check = steady_clock::now();
    if (const auto line = excess(arguments.bounds, time)) {
      tell(arguments.report, *line);
      return true;
    }
  }
}

/// bubblewrap reports a signal as a shell does: by an exit code above 128.
std::string ending_of(const Arguments& arguments, int status) {
  if (WIFSIGNALED(status)) return fmt::format("signal {}", WTERMSIG(status));
  const int code = WEXITSTATUS(status);
  if (arguments.bounds.bubblewrap && code > 128 && code - 128 < NSIG) return fmt::format("signal {}", code - 128);
  return fmt::format("exit {}", code);
}

int confine(const Arguments& arguments) {
  ::signal(SIGPIPE, SIG_IGN);  // NOLINT(cert-err33-c): a report that nobody reads is for watch() to notice
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  keep_to_itself();
  sigset_t heard;
  sigemptyset(&heard);
  for (const int signal : {SIGCHLD, SIGTERM, SIGINT, SIGHUP}) sigaddset(&heard, signal);
  ::sigprocmask(SIG_BLOCK, &heard, nullptr);
  const int signals = ::signalfd(-1, &heard, SFD_CLOEXEC | SFD_NONBLOCK);
  tell(arguments.report, "network " + (arguments.bounds.bubblewrap ? "a namespace of its own" : leave_the_network()));
  const pid_t adapter = start(arguments);
  if (adapter == 0) return not_started;
  let_go_of_pipes();
  std::optional<int> status;
  const bool runner_lives = watch(arguments, adapter, signals, status);
  const std::optional<int> by_itself = status;
  end_all(adapter, status);
  if (!runner_lives) {
    for (const fs::path& folder : {arguments.bounds.home, arguments.models}) conformance::remove_tree(folder);
  }
  if (by_itself) tell(arguments.report, ending_of(arguments, *by_itself));
  return 0;
}

}  // namespace
}  // namespace ifcert

int main(int argc, char** argv) {
  if (argc < 11) {
    fmt::print(stderr, "ifcert-confine: ifcert uses this program to start adapters; it has no other use\n");
    return 2;
  }
  try {
    const ifcert::Bounds bounds{.memory_mib = std::stoul(argv[3]),
                                .processes = std::stoul(argv[4]),
                                .threads = std::stoul(argv[5]),
                                .seconds = std::stod(argv[6]),
                                .home = argv[8],
                                .bubblewrap = std::string_view(argv[2]) == "bubblewrap"};
    return ifcert::confine({.report = std::stoi(argv[1]),
                            .bounds = bounds,
                            .addresses = rlim_t{std::stoul(argv[7])} << 20U,
                            .models = argv[9],
                            .command = argv + 10});
  } catch (const std::exception& error) {
    fmt::print(stderr, "ifcert-confine: {}\n", error.what());
    return 2;
  }
}
