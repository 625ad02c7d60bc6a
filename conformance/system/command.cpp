#include "conformance/system/command.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>

#include "conformance/system/error.hpp"
#include "reference/files/descriptor.hpp"

namespace ifcert::conformance {

namespace {

/// The exit code of a command that cannot be started, as in a shell.
constexpr int not_started = 127;

/// How much a command may print that is read here: lists of versions, error messages.
constexpr std::size_t max_output = std::size_t{64} << 20U;

std::vector<char*> pointers_to(std::vector<std::string>& command) {
  std::vector<char*> arguments;
  arguments.reserve(command.size() + 1);
  for (std::string& part : command) arguments.push_back(part.data());
  arguments.push_back(nullptr);
  return arguments;
}

/// Runs in the child. It gets SIGTERM when this program ends, however that happens: nobody waits for it any more.
[[noreturn]] void exec(char* const* arguments, pid_t parent, int output, int errors, int failure) {
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (::getppid() != parent) ::_exit(not_started);
  if (output >= 0) ::dup2(output, STDOUT_FILENO);
  if (errors >= 0) ::dup2(errors, STDERR_FILENO);
  ::execvp(arguments[0], arguments);
  const int why = errno;
  [[maybe_unused]] const ssize_t written = ::write(failure, &why, sizeof why);
  ::_exit(not_started);
}

/// Starts a command; standard output goes to `output` unless it is -1, and standard error to `errors` likewise.
pid_t started(std::vector<std::string>& command, int output, int errors = -1) {
  const std::vector<char*> arguments = pointers_to(command);
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw Error(fmt::format("cannot make a pipe: {}", std::strerror(errno)));
  const files::Descriptor failure(ends[0]);
  files::Descriptor failing(ends[1]);
  std::fflush(nullptr);
  const pid_t self = ::getpid();
  const pid_t id = ::fork();
  if (id == 0) exec(arguments.data(), self, output, errors, failing.number());
  failing.close();
  int why = id < 0 ? errno : 0;
  while (id > 0 && ::read(failure.number(), &why, sizeof why) < 0 && errno == EINTR) {
  }
  if (why == 0) return id;
  if (id > 0) ::waitpid(id, nullptr, 0);
  throw Error(fmt::format("cannot start {}: {}", command.front(), std::strerror(why)));
}

int exit_code_of(pid_t id) {
  int status = 0;
  while (::waitpid(id, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

void require_success(int code, const std::vector<std::string>& command) {
  if (code != 0) throw Error(fmt::format("'{}' failed", fmt::join(command, " ")));
}

/// Its exit code, and its standard output, with standard error if `both`.
CommandResult run_and_read(std::vector<std::string>& command, bool both) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw Error(fmt::format("cannot make a pipe: {}", std::strerror(errno)));
  const files::Descriptor reading(ends[0]);
  files::Descriptor writing(ends[1]);
  const pid_t id = started(command, writing.number(), both ? writing.number() : -1);
  writing.close();
  std::string text;
  std::array<char, 4096> part{};
  for (ssize_t count = 0; (count = ::read(reading.number(), part.data(), part.size())) != 0;) {
    if (count > 0 && text.size() < max_output) text.append(part.data(), static_cast<std::size_t>(count));
    if (count < 0 && errno != EINTR) break;
  }
  return {exit_code_of(id), text};
}

}  // namespace

int exit_code_of(std::vector<std::string> command) {
  return exit_code_of(started(command, -1));
}

void run_to_end(std::vector<std::string> command) {
  require_success(exit_code_of(started(command, -1)), command);
}

CommandResult ended(std::vector<std::string> command) {
  return run_and_read(command, true);
}

std::string output_of(std::vector<std::string> command) {
  const CommandResult end = run_and_read(command, false);
  require_success(end.code, command);
  return end.output;
}

}  // namespace ifcert::conformance
