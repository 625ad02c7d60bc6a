// ifcert-confine REPORT WITHIN MEMORY PROCESSES SECONDS HOME MODELS COMMAND…: starts an adapter and answers for all
// that it starts.
//
// WITHIN is "bubblewrap" where COMMAND is bubblewrap's: then the adapter has name spaces of its own, sees neither this
// process nor the files of its user, and cannot outlive it. What is left to do here is what bubblewrap does not: it
// ends the adapter when it takes more than MEMORY MiB (what it writes to its folders in memory included), becomes more
// than PROCESSES or takes more than SECONDS of processor time. WITHIN is "nothing" where bubblewrap does not work: then
// this process gives the adapter a network of its own, where it may, takes its capabilities away, and ends every
// process that descends from it (it is their subreaper), those that left their group, their session or their parent
// too.
//
// It ends them all when the adapter ends, when it is told to (SIGTERM), and when the runner is gone; then it removes
// HOME and MODELS as well. A thread of the runner could not do the last.
//
// What happens is told on the descriptor REPORT, a line each: "network …" and "started" or "cannot …" at the start;
// later "memory MIB", "processes N" or "seconds N" where a limit was passed; and "exit CODE" or "signal NUMBER" where
// the adapter ended by itself. The descriptor is the runner's sign of life too: it is gone when nobody reads there any
// more.
#include <fcntl.h>
#include <fmt/format.h>
#include <net/if.h>
#include <poll.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <vector>

#include "conformance/removal.hpp"

namespace ifcert {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr milliseconds look_again{20};
constexpr rlim_t open_files = 1024;
constexpr std::size_t bytes_per_mib = std::size_t{1} << 20U;

/// The exit code of a command that cannot be started, as a shell's.
constexpr int not_started = 127;

struct Order {
  int report;
  bool bubblewrap;
  std::size_t memory_mib;
  std::size_t processes;
  double seconds;
  fs::path home, models;
  char** command;
};

/// bubblewrap itself, outside and inside.
constexpr std::size_t own_processes = 2;

void tell(int report, const std::string& line) {
  const std::string text = line + "\n";
  // Where nobody reads it, the loop below will see that by itself.
  [[maybe_unused]] const ssize_t written = ::write(report, text.data(), text.size());
}

bool write_text(const fs::path& file, const std::string& text) {
  return static_cast<bool>(std::ofstream(file) << text << std::flush);
}

// The network ------------------------------------------------------------------------------------------------------

std::string fault(const char* what) {
  return fmt::format("{}: {}", what, std::strerror(errno));
}

/// A fresh namespace has a loopback that is down; a runtime may talk to itself.
void raise_loopback() {
  const int any = ::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  ifreq request{};
  std::strncpy(std::data(request.ifr_name), "lo", IFNAMSIZ - 1);
  if (::ioctl(any, SIOCGIFFLAGS, &request) == 0) {
    request.ifr_flags |= IFF_UP;  // NOLINT(cppcoreguidelines-pro-type-union-access): the kernel's interface
    ::ioctl(any, SIOCSIFFLAGS, &request);
  }
  ::close(any);
}

/// Empty, or why this process is not in namespaces of its own, in which users keep their numbers.
std::string enter_user_and_network_namespace() {
  const uid_t user = ::geteuid();
  const gid_t group = ::getegid();
  if (::unshare(CLONE_NEWUSER | CLONE_NEWNET) != 0) return fault("unshare");
  if (!write_text("/proc/self/setgroups", "deny")) return fault("/proc/self/setgroups");
  if (!write_text("/proc/self/uid_map", fmt::format("{0} {0} 1\n", user))) return fault("/proc/self/uid_map");
  if (!write_text("/proc/self/gid_map", fmt::format("{0} {0} 1\n", group))) return fault("/proc/self/gid_map");
  return {};
}

/// Some systems permit the namespace and then refuse to say who one is in it. There is no way back from there, so a
/// child goes first.
bool a_child_may_enter() {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(enter_user_and_network_namespace().empty() ? 0 : 1);
  int status = 1;
  ::waitpid(child, &status, 0);
  return status == 0;
}

/// What came of it, for the report.
std::string leave_the_network() {
  if (::unshare(CLONE_NEWNET) != 0) {
    const std::string refusal = fault("unshare");
    if (!a_child_may_enter()) return "shared: " + refusal;
    if (const std::string found = enter_user_and_network_namespace(); !found.empty()) return "shared: " + found;
  }
  raise_loopback();
  return "a namespace of its own";
}

// The descendants --------------------------------------------------------------------------------------------------

void add_numbers(const fs::path& file, std::vector<pid_t>& numbers) {
  std::ifstream text(file);
  for (pid_t number = 0; text >> number;) numbers.push_back(number);
}

/// Of this process, at every depth. Processes come and go meanwhile: one that is missing is found the next time.
std::vector<pid_t> descendants() {
  std::vector<pid_t> all;
  const std::string self = std::to_string(::getpid());
  add_numbers("/proc/" + self + "/task/" + self + "/children", all);
  for (std::size_t next = 0; next < all.size(); ++next) {
    std::error_code gone;
    for (fs::directory_iterator task("/proc/" + std::to_string(all[next]) + "/task", gone), end; !gone && task != end;
         task.increment(gone)) {
      add_numbers(task->path() / "children", all);
    }
  }
  return all;
}

std::size_t resident_bytes(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/statm");
  std::size_t size = 0;
  std::size_t resident = 0;
  if (!(file >> size >> resident)) return 0;
  return resident * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

/// Each page divided by how many processes share it; dearer to learn.
std::size_t proportional_bytes(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/smaps_rollup");
  for (std::string word; file >> word;) {
    std::size_t kib = 0;
    if (word == "Pss:" && file >> kib) return kib * 1024;
  }
  return resident_bytes(process);
}

/// What the adapter's files in memory take, in its own name space: no process is larger for them. The process that
/// bubblewrap leaves in there knows the way, and a folder of another size is this machine's.
std::size_t bytes_of_files(const Order& order, const std::vector<pid_t>& processes) {
  std::size_t sum = 0;
  if (!order.bubblewrap || processes.size() < own_processes) return sum;
  for (const fs::path& folder : {order.home, fs::path("/tmp"), fs::path("/dev/shm")}) {
    struct statvfs system {};
    const std::string inside = fmt::format("/proc/{}/root{}", processes[own_processes - 1], folder.string());
    if (::statvfs(inside.c_str(), &system) != 0) continue;
    const bool is_its_own = system.f_blocks * system.f_frsize == order.memory_mib * bytes_per_mib;
    if (is_its_own) sum += (system.f_blocks - system.f_bfree) * system.f_frsize;
  }
  return sum;
}

/// The memory of all, MiB. Pages that several share are counted once where that decides.
std::size_t memory_of(const Order& order, const std::vector<pid_t>& processes) {
  const std::size_t files = bytes_of_files(order, processes);
  std::size_t sum = files;
  for (const pid_t process : processes) sum += resident_bytes(process);
  if (sum / bytes_per_mib <= order.memory_mib) return sum / bytes_per_mib;
  sum = files;
  for (const pid_t process : processes) sum += proportional_bytes(process);
  return sum / bytes_per_mib;
}

/// The processor time of a process that lives, and of its children that it has waited for.
struct Ticks {
  std::size_t own = 0, children = 0;
};

Ticks ticks_of(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/stat");
  std::string line;
  std::getline(file, line);
  const std::size_t name_end = line.rfind(')');  // a name may hold anything
  if (name_end == std::string::npos) return {};
  std::istringstream fields(line.substr(name_end + 1));
  std::string skipped;
  for (int field = 3; field < 14; ++field) fields >> skipped;
  std::size_t user = 0, system = 0, children_user = 0, children_system = 0;
  fields >> user >> system >> children_user >> children_system;
  return {user + system, children_user + children_system};
}

/// What all have taken so far. What a process took that is gone is known from its parent, or from when it was last seen
/// where the parent did not wait for it: the larger of the two sums is believed.
class ProcessorTime {
 public:
  double seconds(const std::vector<pid_t>& processes) {
    std::map<pid_t, std::size_t> now;
    std::size_t waited_for = 0;
    for (const pid_t process : processes) {
      const Ticks ticks = ticks_of(process);
      now[process] = ticks.own;
      waited_for += ticks.children;
    }
    std::size_t living = 0;
    for (const auto& [process, ticks] : now) living += ticks;
    for (const auto& [process, ticks] : seen_) gone_ += now.contains(process) ? 0 : ticks;
    seen_ = std::move(now);
    return static_cast<double>(living + std::max(gone_, waited_for)) / static_cast<double>(::sysconf(_SC_CLK_TCK));
  }

 private:
  std::map<pid_t, std::size_t> seen_;
  std::size_t gone_ = 0;
};

/// The line to tell when a limit was passed.
std::optional<std::string> excess(const Order& order, ProcessorTime& time) {
  const std::vector<pid_t> processes = descendants();
  const std::size_t own = order.bubblewrap ? std::min(own_processes, processes.size()) : 0;
  if (processes.size() - own > order.processes) return fmt::format("processes {}", processes.size() - own);
  const std::size_t memory = memory_of(order, processes);
  if (memory > order.memory_mib) return fmt::format("memory {}", memory);
  const double seconds = time.seconds(processes);
  if (seconds > order.seconds) return fmt::format("seconds {}", static_cast<std::size_t>(seconds));
  return std::nullopt;
}

/// Collects what has died; the adapter's status when it is among them.
void reap(pid_t adapter, std::optional<int>& status) {
  int found = 0;
  for (pid_t dead = 0; (dead = ::waitpid(-1, &found, WNOHANG)) > 0;) {
    if (dead == adapter) status = found;
  }
}

/// Until there is none. What forks while we look has a parent that dies in this round, and so becomes our own child.
void end_all(pid_t adapter, std::optional<int>& status) {
  for (int round = 0;; ++round) {
    reap(adapter, status);
    if (::waitpid(-1, nullptr, WNOHANG) < 0 && errno == ECHILD) return;
    for (const pid_t process : descendants()) ::kill(process, SIGKILL);
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

/// No mount, no look into other processes, nothing that root may do beyond the files that are its own.
void give_up_capabilities() {
  for (int capability = 0; ::prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) == 0; ++capability) {
  }
  ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
}

/// In the child. RLIMIT_NPROC is left alone: it counts all processes and threads of the user, whoever started them.
[[noreturn]] void become(const Order& order, pid_t parent, int failure) {
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(not_started);
  limit(RLIMIT_NOFILE, open_files);
  limit(RLIMIT_CORE, 0);
  write_text("/proc/self/oom_score_adj", "1000");  // when memory ends before we look, this is what goes
  if (!order.bubblewrap) give_up_capabilities();
  ::execvp(order.command[0], order.command);
  const int why = errno;
  [[maybe_unused]] const ssize_t written = ::write(failure, &why, sizeof why);
  ::_exit(not_started);
}

/// Starts it; 0 when it cannot be, which is told.
pid_t start(const Order& order) {
  std::array<int, 2> failure{};
  if (::pipe2(failure.data(), O_CLOEXEC) != 0) return 0;
  const pid_t self = ::getpid();
  const pid_t adapter = ::fork();
  if (adapter == 0) become(order, self, failure[1]);
  ::close(failure[1]);
  int why = adapter < 0 ? errno : 0;
  while (adapter > 0 && ::read(failure[0], &why, sizeof why) < 0 && errno == EINTR) {
  }
  ::close(failure[0]);
  tell(order.report, why == 0 ? "started" : fmt::format("cannot {}", std::strerror(why)));
  return why == 0 ? adapter : 0;
}

/// The adapter's pipes are its own from now on: its end is to be seen there.
void let_go_of_pipes() {
  const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  for (const int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::dup2(nothing, standard);
  ::close(nothing);
}

/// Waits for the adapter's end or a reason to end it; false when the runner is gone.
bool watch(const Order& order, pid_t adapter, int signals, std::optional<int>& status) {
  auto looked = steady_clock::now();
  ProcessorTime time;
  while (true) {
    std::array<pollfd, 2> watched{{{order.report, 0, 0}, {signals, POLLIN, 0}}};
    ::poll(watched.data(), watched.size(), look_again.count());
    if ((watched[0].revents & POLLERR) != 0) return false;
    signalfd_siginfo signal{};
    while (::read(signals, &signal, sizeof signal) == sizeof signal) {
      if (signal.ssi_signo != SIGCHLD) return true;
    }
    reap(adapter, status);
    if (status) return true;
    if (steady_clock::now() - looked < look_again) continue;
    looked = steady_clock::now();
    if (const auto line = excess(order, time)) {
      tell(order.report, *line);
      return true;
    }
  }
}

/// bubblewrap hands a signal on as a shell does.
std::string ending_of(const Order& order, int status) {
  if (WIFSIGNALED(status)) return fmt::format("signal {}", WTERMSIG(status));
  const int code = WEXITSTATUS(status);
  if (order.bubblewrap && code > 128 && code - 128 < NSIG) return fmt::format("signal {}", code - 128);
  return fmt::format("exit {}", code);
}

int confine(const Order& order) {
  ::signal(SIGPIPE, SIG_IGN);  // NOLINT(cert-err33-c)
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  ::fcntl(order.report, F_SETFD, FD_CLOEXEC);
  sigset_t heard;
  sigemptyset(&heard);
  for (const int signal : {SIGCHLD, SIGTERM, SIGINT, SIGHUP}) sigaddset(&heard, signal);
  ::sigprocmask(SIG_BLOCK, &heard, nullptr);
  const int signals = ::signalfd(-1, &heard, SFD_CLOEXEC | SFD_NONBLOCK);
  tell(order.report, "network " + (order.bubblewrap ? "a namespace of its own" : leave_the_network()));
  ::signal(SIGPIPE, SIG_DFL);  // NOLINT(cert-err33-c): the adapter inherits it
  const pid_t adapter = start(order);
  if (adapter == 0) return not_started;
  ::signal(SIGPIPE, SIG_IGN);  // NOLINT(cert-err33-c)
  let_go_of_pipes();
  std::optional<int> status;
  const bool runner_lives = watch(order, adapter, signals, status);
  const std::optional<int> by_itself = status;
  end_all(adapter, status);
  if (!runner_lives) {
    for (const fs::path& folder : {order.home, order.models}) conformance::remove_unmounted(folder);
  }
  if (by_itself) tell(order.report, ending_of(order, *by_itself));
  return 0;
}

}  // namespace
}  // namespace ifcert

int main(int argc, char** argv) {
  if (argc < 9) {
    fmt::print(stderr, "ifcert-confine: ifcert starts adapters with it; it is of no other use\n");
    return 2;
  }
  try {
    return ifcert::confine({.report = std::stoi(argv[1]),
                            .bubblewrap = std::string_view(argv[2]) == "bubblewrap",
                            .memory_mib = std::stoul(argv[3]),
                            .processes = std::stoul(argv[4]),
                            .seconds = std::stod(argv[5]),
                            .home = argv[6],
                            .models = argv[7],
                            .command = argv + 8});
  } catch (const std::exception& error) {
    fmt::print(stderr, "ifcert-confine: {}\n", error.what());
    return 2;
  }
}
