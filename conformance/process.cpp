#include "conformance/process.hpp"

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
#include <thread>

#include "conformance/error.hpp"
#include "conformance/file.hpp"

namespace ifcert::conformance {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

/// How long a wait lasts before the process is looked at: its children may keep its output open when it is gone.
constexpr milliseconds look_again{200};

struct Pipe {
  Descriptor reading, writing;
};

Pipe make_pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw Error(fmt::format("cannot make a pipe: {}", std::strerror(errno)));
  return {Descriptor(ends[0]), Descriptor(ends[1])};
}

void make_non_blocking(const Descriptor& descriptor) {
  ::fcntl(descriptor.number(), F_SETFL, ::fcntl(descriptor.number(), F_GETFL) | O_NONBLOCK);
}

std::vector<std::string> environment_with(const std::map<std::string, std::string>& changes) {
  std::vector<std::string> all;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    if (!changes.contains(std::string(text.substr(0, text.find('='))))) all.emplace_back(text);
  }
  for (const auto& [name, value] : changes) all.push_back(fmt::format("{}={}", name, value));
  return all;
}

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  pointers.reserve(texts.size() + 1);
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

/// What posix_spawn is told: three pipes, a folder, a group of its own, no ignored or blocked signals.
class Preparation {
 public:
  Preparation(const Pipe& input, const Pipe& output, const Pipe& errors, const std::filesystem::path& folder) {
    posix_spawn_file_actions_init(&actions_);
    posix_spawn_file_actions_adddup2(&actions_, input.reading.number(), STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions_, output.writing.number(), STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions_, errors.writing.number(), STDERR_FILENO);
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
  Preparation(const Preparation&) = delete;
  Preparation& operator=(const Preparation&) = delete;
  ~Preparation() {
    posix_spawn_file_actions_destroy(&actions_);
    posix_spawnattr_destroy(&attributes_);
  }

  int spawn(pid_t& id, std::vector<std::string> command, std::vector<std::string> environment) const {
    return ::posix_spawnp(&id, command.front().c_str(), &actions_, &attributes_, pointers_to(command).data(),
                          pointers_to(environment).data());
  }

 private:
  posix_spawn_file_actions_t actions_{};
  posix_spawnattr_t attributes_{};
};

}  // namespace

std::string ending_text(const Ending& ending) {
  if (ending.killed) return "had to be killed";
  if (!ending.signal) return fmt::format("ended with exit code {}", ending.exit_code);
  return fmt::format("was killed by signal {} ({})", *ending.signal, ::strsignal(*ending.signal));
}

Process::Process(const std::vector<std::string>& command, const std::map<std::string, std::string>& environment,
                 const std::filesystem::path& folder) {
  static std::once_flag once;
  std::call_once(once, [] { std::signal(SIGPIPE, SIG_IGN); });
  Pipe input = make_pipe();
  Pipe output = make_pipe();
  Pipe errors = make_pipe();
  const Preparation preparation(input, output, errors, folder);
  if (const int fault = preparation.spawn(id_, command, environment_with(environment)); fault != 0) {
    throw Error(fmt::format("cannot start {}: {}", command.front(), std::strerror(fault)));
  }
  input_ = std::move(input.writing);
  output_ = std::move(output.reading);
  errors_ = std::move(errors.reading);
  for (const Descriptor* end : {&input_, &output_, &errors_}) make_non_blocking(*end);
}

Process::~Process() {
  end(milliseconds(0));
}

Reply Process::exchange(std::string_view line, milliseconds limit) {
  const auto deadline = steady_clock::now() + limit;
  pending_.assign(line).push_back('\n');
  send_pending();
  while (true) {
    if (pending_.empty()) {
      if (auto answer = take_line()) return {Reply::Kind::line, std::move(*answer)};
    }
    if (received_.size() > longest_line) return {Reply::Kind::flood, received_.substr(0, kept_errors)};
    const auto left = std::chrono::duration_cast<milliseconds>(deadline - steady_clock::now());
    if (left.count() <= 0) return {Reply::Kind::silent, received_};
    const bool dead = has_died();
    if (!dead) wait_for_bytes(std::min(left, look_again));
    collect_errors();
    send_pending();
    const bool open = receive();
    if (open && !dead) continue;
    pending_.clear();  // nobody is left to read it, but an answer may have come before
    if (auto answer = take_line()) return {Reply::Kind::line, std::move(*answer)};
    return {Reply::Kind::ended, received_};
  }
}

void Process::wait_for_bytes(milliseconds limit) {
  const auto writing = static_cast<short>(pending_.empty() ? 0 : POLLOUT);
  std::array<pollfd, 3> watched{{{output_.number(), POLLIN, 0},
                                 {errors_.number(), POLLIN, 0},
                                 {pending_.empty() ? -1 : input_.number(), writing, 0}}};
  ::poll(watched.data(), watched.size(), static_cast<int>(limit.count()) + 1);
}

void Process::send_pending() {
  while (!pending_.empty() && input_.is_open()) {
    const ssize_t sent = ::write(input_.number(), pending_.data(), pending_.size());
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0 && errno != EAGAIN) {  // it reads no more: its end, or its silence, will say why
      input_.close();
      pending_.clear();
    }
    if (sent < 0) return;
    pending_.erase(0, static_cast<std::size_t>(sent));
  }
}

/// Takes what has come on standard output; false when nothing more can come.
bool Process::receive() {
  std::array<char, 65536> bytes;  // NOLINT(cppcoreguidelines-pro-type-member-init): written before it is read
  while (received_.size() <= longest_line) {
    const ssize_t count = ::read(output_.number(), bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return errno == EAGAIN;
    if (count == 0) return false;
    received_.append(bytes.data(), static_cast<std::size_t>(count));
    if (static_cast<std::size_t>(count) < bytes.size()) return true;
  }
  return true;
}

/// One buffer's worth at a time, so that a flood on standard error cannot keep us from looking at the clock.
void Process::collect_errors() {
  std::array<char, 65536> bytes;  // NOLINT(cppcoreguidelines-pro-type-member-init): written before it is read
  if (!errors_.is_open()) return;
  const ssize_t count = ::read(errors_.number(), bytes.data(), bytes.size());
  if (count == 0) errors_.close();
  if (count <= 0) return;
  printed_.append(bytes.data(), static_cast<std::size_t>(count));
  if (printed_.size() > kept_errors) printed_.erase(0, printed_.size() - kept_errors);
}

std::optional<std::string> Process::take_line() {
  const std::size_t end = received_.find('\n', searched_);
  if (end == std::string::npos) {
    searched_ = received_.size();
    return std::nullopt;
  }
  std::string line = received_.substr(0, end);
  received_.erase(0, end + 1);
  searched_ = 0;
  return line;
}

std::string Process::take_errors() {
  collect_errors();
  return printable(std::exchange(printed_, {}));
}

bool Process::has_died() const {
  siginfo_t info{};
  return ::waitid(P_PID, static_cast<id_t>(id_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == id_;
}

Ending Process::end(milliseconds patience) {
  if (reaped_) return ending_;
  input_.close();
  const auto deadline = steady_clock::now() + patience;
  while (!has_died() && steady_clock::now() < deadline) {
    collect_errors();
    std::this_thread::sleep_for(milliseconds(2));
  }
  ending_.killed = !has_died();
  ::kill(-id_, SIGKILL);
  int status = 0;
  while (::waitpid(id_, &status, 0) < 0 && errno == EINTR) {
  }
  collect_errors();
  reaped_ = true;
  if (WIFSIGNALED(status) && !ending_.killed) ending_.signal = WTERMSIG(status);
  if (WIFEXITED(status)) ending_.exit_code = WEXITSTATUS(status);
  return ending_;
}

}  // namespace ifcert::conformance
