#include "conformance/command.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "conformance/error.hpp"

namespace ifcert::conformance {

void run_to_end(std::vector<std::string> command) {
  std::vector<char*> arguments;
  arguments.reserve(command.size() + 1);
  for (std::string& part : command) arguments.push_back(part.data());
  arguments.push_back(nullptr);
  pid_t id = -1;
  if (const int fault = ::posix_spawnp(&id, arguments[0], nullptr, nullptr, arguments.data(), environ); fault != 0) {
    throw Error(fmt::format("cannot start {}: {}", command.front(), std::strerror(fault)));
  }
  int status = 0;
  while (::waitpid(id, &status, 0) < 0 && errno == EINTR) {
  }
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    throw Error(fmt::format("'{}' failed", fmt::join(command, " ")));
  }
}

}  // namespace ifcert::conformance
