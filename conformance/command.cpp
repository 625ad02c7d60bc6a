#include "conformance/command.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "conformance/error.hpp"
#include "files/descriptor.hpp"

namespace ifcert::conformance {

namespace {

/// Starts a command; standard output goes to `output` unless it is -1, and standard error to `errors` likewise.
pid_t started(std::vector<std::string>& command, int output, int errors = -1) {
  std::vector<char*> arguments;
  arguments.reserve(command.size() + 1);
  for (std::string& part : command) arguments.push_back(part.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  if (output >= 0) ::posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  if (errors >= 0) ::posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO);
  pid_t id = -1;
  const int fault = ::posix_spawnp(&id, arguments[0], &actions, nullptr, arguments.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  if (fault != 0) throw Error(fmt::format("cannot start {}: {}", command.front(), std::strerror(fault)));
  return id;
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
Ended run_and_read(std::vector<std::string>& command, bool both) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw Error(fmt::format("cannot make a pipe: {}", std::strerror(errno)));
  const files::Descriptor reading(ends[0]);
  files::Descriptor writing(ends[1]);
  const pid_t id = started(command, writing.number(), both ? writing.number() : -1);
  writing.close();
  std::string text;
  std::array<char, 4096> part{};
  for (ssize_t count = 0; (count = ::read(reading.number(), part.data(), part.size())) != 0;) {
    if (count > 0) text.append(part.data(), static_cast<std::size_t>(count));
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

Ended ended(std::vector<std::string> command) {
  return run_and_read(command, true);
}

std::string output_of(std::vector<std::string> command) {
  const Ended end = run_and_read(command, false);
  require_success(end.code, command);
  return end.output;
}

}  // namespace ifcert::conformance
