#include "conformance/sandbox/process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <mutex>
#include <sstream>
#include <thread>

#include "conformance/system/error.hpp"
#include "conformance/system/file.hpp"
#include "conformance/system/program_path.hpp"

namespace ifcert::conformance {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

/// How often receive() checks whether the process has ended: its children may keep its output open.
constexpr milliseconds check_interval{200};

/// How often receive() calls its caller's function.
constexpr milliseconds meanwhile_interval{50};

/// How long ifcert-confine may take to end everything that a process has started.
constexpr milliseconds confine_timeout{20'000};

struct Pipe {
  files::Descriptor reading, writing;
};

Pipe make_pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw Error(fmt::format("cannot make a pipe: {}", std::strerror(errno)));
  return {files::Descriptor(ends[0]), files::Descriptor(ends[1])};
}

void make_non_blocking(const files::Descriptor& descriptor) {
  ::fcntl(descriptor.number(), F_SETFL, ::fcntl(descriptor.number(), F_GETFL) | O_NONBLOCK);
}

std::vector<std::string> as_entries(const std::map<std::string, std::string>& variables) {
  std::vector<std::string> entries;
  for (const auto& [name, value] : variables) entries.push_back(fmt::format("{}={}", name, value));
  return entries;
}

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  pointers.reserve(texts.size() + 1);
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

/// The descriptor of the pipe on which ifcert-confine reports.
constexpr int report_number = 3;

std::filesystem::path path_of_confine() {
  return program_path().parent_path() / "ifcert-confine";
}

/// The command that starts `command` under ifcert-confine.
std::vector<std::string> confined(const std::vector<std::string>& command, const std::filesystem::path& folder,
                                  Allowance allowance, const Sandbox& sandbox) {
  const bool wrapped = !sandbox.bubblewrap.empty();
  std::vector<std::string> all{path_of_confine().string(),
                               std::to_string(report_number),
                               wrapped ? "bubblewrap" : "nothing",
                               std::to_string(allowance.memory_mib),
                               std::to_string(allowance.processes),
                               std::to_string(allowance.threads),
                               std::to_string(allowance.seconds),
                               std::to_string(allowance.addresses_mib),
                               folder.string(),
                               sandbox.models.string()};
  const std::vector<std::string>& started = wrapped ? sandbox.bubblewrap : command;
  all.insert(all.end(), started.begin(), started.end());
  return all;
}

/// Reads lines until `is_last` is true of the text read so far, or to the end.
std::string read_lines(const files::Descriptor& report, const auto& is_last) {
  std::string text;
  std::array<char, 4096> bytes;  // NOLINT(cppcoreguidelines-pro-type-member-init): written before it is read
  while (text.empty() || text.back() != '\n' || !is_last(text)) {
    const ssize_t count = ::read(report.number(), bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    text.append(bytes.data(), static_cast<std::size_t>(count));
  }
  return text;
}

/// The rest of the line that begins with `word`; nothing where there is none.
std::optional<std::string> reported(const std::string& lines, std::string_view word) {
  std::istringstream text(lines);
  for (std::string line; std::getline(text, line);) {
    if (line.starts_with(word)) return line.substr(std::min(line.size(), word.size() + 1));
  }
  return std::nullopt;
}

/// The settings for posix_spawn: four pipes, inherited locks, a folder, a new process group, no blocked signals,
/// SIGPIPE not ignored.
class SpawnSettings {
 public:
  SpawnSettings(const Pipe& input, const Pipe& output, const Pipe& errors, const Pipe& report,
                const std::filesystem::path& folder, const std::vector<int>& locks) {
    posix_spawn_file_actions_init(&actions_);
    posix_spawn_file_actions_adddup2(&actions_, input.reading.number(), STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions_, output.writing.number(), STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions_, errors.writing.number(), STDERR_FILENO);
    posix_spawn_file_actions_adddup2(&actions_, report.writing.number(), report_number);
    for (const int lock : locks) posix_spawn_file_actions_adddup2(&actions_, lock, lock);  // not closed by exec
    posix_spawn_file_actions_addchdir_np(&actions_, folder.c_str());
    posix_spawnattr_init(&attributes_);
    sigset_t none, pipe_signal;
    sigemptyset(&none);
    sigemptyset(&pipe_signal);
    sigaddset(&pipe_signal, SIGPIPE);
    posix_spawnattr_setsigmask(&attributes_, &none);
    posix_spawnattr_setsigdefault(&attributes_, &pipe_signal);
    posix_spawnattr_setpgroup(&attributes_, 0);
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  }
  SpawnSettings(const SpawnSettings&) = delete;
  SpawnSettings& operator=(const SpawnSettings&) = delete;
  ~SpawnSettings() {
    posix_spawn_file_actions_destroy(&actions_);
    posix_spawnattr_destroy(&attributes_);
  }

  int spawn(pid_t& id, std::vector<std::string> command, std::vector<std::string> variables) const {
    return ::posix_spawn(&id, command.front().c_str(), &actions_, &attributes_, pointers_to(command).data(),
                         pointers_to(variables).data());
  }

 private:
  posix_spawn_file_actions_t actions_{};
  posix_spawnattr_t attributes_{};
};

std::string excess_text(const Excess& excess) {
  switch (excess.kind) {
    case Excess::Kind::memory:
      return fmt::format("it used {} MiB of memory; the limit is {} MiB", excess.found, excess.limit);
    case Excess::Kind::processes:
      return fmt::format("it started {} processes; the limit is {}", excess.found, excess.limit);
    case Excess::Kind::threads:
      return fmt::format("it started {} threads; the limit is {}", excess.found, excess.limit);
    default:
      return fmt::format("it used {} s of processor time; the limit is {} s", excess.found, excess.limit);
  }
}

}  // namespace

std::string exit_status_text(const ExitStatus& ending) {
  if (ending.excess) return "was killed because " + excess_text(*ending.excess);
  if (ending.killed) return "had to be killed";
  if (!ending.signal) return fmt::format("ended with exit code {}", ending.exit_code);
  return fmt::format("was killed by signal {} ({})", *ending.signal, ::strsignal(*ending.signal));
}

Process::Process(const std::vector<std::string>& command, const std::map<std::string, std::string>& variables,
                 const std::filesystem::path& folder, Allowance allowance, const Sandbox& sandbox)
    : allowance_(allowance) {
  static std::once_flag once;
  std::call_once(once, [] { std::signal(SIGPIPE, SIG_IGN); });
  Pipe input = make_pipe();
  Pipe output = make_pipe();
  Pipe errors = make_pipe();
  Pipe report = make_pipe();
  const SpawnSettings settings(input, output, errors, report, folder, sandbox.locks);
  const std::vector<std::string> whole = confined(command, folder, allowance, sandbox);
  if (const int fault = settings.spawn(id_, whole, as_entries(variables)); fault != 0) {
    throw Error(fmt::format("cannot start {}, which starts adapters: {}", whole.front(), std::strerror(fault)));
  }
  input_ = std::move(input.writing);
  output_ = std::move(output.reading);
  errors_ = std::move(errors.reading);
  report_ = std::move(report.reading);
  report.writing.close();
  for (const files::Descriptor* end : {&input_, &output_, &errors_}) make_non_blocking(*end);
  read_start(command.front());
}

Process::~Process() {
  end(milliseconds(0));
}

void Process::read_start(const std::string& command) {
  const auto is_last = [](const std::string& lines) { return reported(lines, "started") || reported(lines, "cannot"); };
  const std::string lines = read_lines(report_, is_last);
  network_ = reported(lines, "network").value_or("");
  if (reported(lines, "started")) return;
  end(milliseconds(0));
  throw Error(fmt::format("cannot start {}: {}", command,
                          reported(lines, "cannot").value_or("ifcert-confine ended before it started the command")));
}

void Process::send(std::string_view line) {
  pending_.append(line).push_back('\n');
}

Reply Process::exchange(std::string_view line, milliseconds timeout) {
  send(line);
  return receive(timeout);
}

Reply Process::receive(milliseconds timeout, const std::function<void()>& meanwhile) {
  const auto deadline = steady_clock::now() + timeout;
  const milliseconds interval = meanwhile ? meanwhile_interval : check_interval;
  send_pending();
  while (true) {
    if (meanwhile) meanwhile();
    if (auto answer = take_line()) return {Reply::Kind::line, std::move(*answer)};
    if (received_.size() > max_line_bytes) return {Reply::Kind::flood, received_.substr(0, max_error_output)};
    const auto left = std::chrono::duration_cast<milliseconds>(deadline - steady_clock::now());
    if (left.count() <= 0) return {Reply::Kind::silent, received_};
    const bool ended = has_ended();
    if (!ended) wait_for_bytes(std::min(left, interval));
    collect_errors();
    send_pending();
    const bool open = take_bytes();
    if (open && !ended) continue;
    pending_.clear();  // the process no longer reads it, but may have answered before
    if (auto answer = take_line()) return {Reply::Kind::line, std::move(*answer)};
    return {Reply::Kind::ended, received_};
  }
}

void Process::wait_for_bytes(milliseconds timeout) {
  const auto writing = static_cast<short>(pending_.empty() ? 0 : POLLOUT);
  std::array<pollfd, 3> watched{{{output_.number(), POLLIN, 0},
                                 {errors_.number(), POLLIN, 0},
                                 {pending_.empty() ? -1 : input_.number(), writing, 0}}};
  ::poll(watched.data(), watched.size(), static_cast<int>(timeout.count()) + 1);
}

void Process::send_pending() {
  std::size_t sent = 0;
  while (sent < pending_.size() && input_.is_open()) {
    const ssize_t count = ::write(input_.number(), pending_.data() + sent, pending_.size() - sent);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno != EAGAIN) {  // it no longer reads; receive() will find out why
      input_.close();
      sent = pending_.size();
    }
    if (count < 0) break;
    sent += static_cast<std::size_t>(count);
  }
  pending_.erase(0, sent);
}

/// Reads all that has arrived on standard output. Returns false when no more can arrive.
bool Process::take_bytes() {
  std::array<char, 65536> bytes;  // NOLINT(cppcoreguidelines-pro-type-member-init): written before it is read
  while (received_.size() <= max_line_bytes) {
    const ssize_t count = ::read(output_.number(), bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return errno == EAGAIN;
    if (count == 0) return false;
    received_.append(bytes.data(), static_cast<std::size_t>(count));
    if (static_cast<std::size_t>(count) < bytes.size()) return true;
  }
  return true;
}

/// Reads one buffer at a time, so that endless output on standard error does not keep receive() from checking the
/// clock.
void Process::collect_errors() {
  std::array<char, 65536> bytes;  // NOLINT(cppcoreguidelines-pro-type-member-init): written before it is read
  if (!errors_.is_open()) return;
  const ssize_t count = ::read(errors_.number(), bytes.data(), bytes.size());
  if (count == 0) errors_.close();
  if (count <= 0) return;
  printed_.append(bytes.data(), static_cast<std::size_t>(count));
  if (printed_.size() > max_error_output) printed_.erase(0, printed_.size() - max_error_output);
}

std::optional<std::string> Process::take_line() {
  const std::size_t end = received_.find('\n', searched_);
  if (end == std::string::npos) {
    searched_ = received_.size();
    return std::nullopt;
  }
  searched_ = 0;
  if (end + 1 == received_.size()) {  // nearly always: a long line is not copied
    received_.pop_back();
    return std::exchange(received_, {});
  }
  std::string line = received_.substr(0, end);
  received_.erase(0, end + 1);
  return line;
}

std::string Process::take_error_output() {
  collect_errors();
  return printable_lines(std::exchange(printed_, {}));
}

bool Process::has_ended() const {
  siginfo_t info{};
  return ::waitid(P_PID, static_cast<id_t>(id_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == id_;
}

/// Meanwhile reads standard error, so that the process is not blocked by a full pipe.
bool Process::ends_within(milliseconds timeout) {
  const auto deadline = steady_clock::now() + timeout;
  while (!has_ended()) {
    if (steady_clock::now() >= deadline) return false;
    collect_errors();
    std::this_thread::sleep_for(milliseconds(2));
  }
  return true;
}

ExitStatus Process::end(milliseconds timeout) {
  if (reaped_) return ending_;
  input_.close();
  if (!ends_within(timeout)) {
    ::kill(id_, SIGTERM);  // ifcert-confine then ends all the processes, and itself last
    ends_within(confine_timeout);
  }
  ::kill(-id_, SIGKILL);
  int status = 0;
  while (::waitpid(id_, &status, 0) < 0 && errno == EINTR) {
  }
  collect_errors();
  reaped_ = true;
  read_ending();
  return ending_;
}

/// Reads the final report of ifcert-confine. It reports "exit" or "signal" only if the adapter ended by itself; without
/// either, the adapter was killed.
void Process::read_ending() {
  make_non_blocking(report_);
  const std::string lines = read_lines(report_, [](const std::string& /*lines*/) { return false; });
  const auto number = [&lines](std::string_view word) -> std::optional<std::size_t> {
    const auto text = reported(lines, word);
    return text ? std::optional(std::stoul(*text)) : std::nullopt;
  };
  if (const auto found = number("memory")) ending_.excess = {Excess::Kind::memory, *found, allowance_.memory_mib};
  if (const auto found = number("processes")) ending_.excess = {Excess::Kind::processes, *found, allowance_.processes};
  if (const auto found = number("threads")) ending_.excess = {Excess::Kind::threads, *found, allowance_.threads};
  if (const auto found = number("seconds")) ending_.excess = {Excess::Kind::time, *found, allowance_.seconds};
  if (const auto signal = number("signal")) ending_.signal = static_cast<int>(*signal);
  const auto code = number("exit");
  ending_.exit_code = static_cast<int>(code.value_or(0));
  ending_.killed = !ending_.signal && !code;
}

}  // namespace ifcert::conformance
