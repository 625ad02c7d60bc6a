#include "conformance/sandbox/own_network.hpp"

#include <fmt/format.h>
#include <net/if.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <utility>

namespace ifcert {
namespace {

bool write_text(const char* file, const std::string& text) {
  return static_cast<bool>(std::ofstream(file) << text << std::flush);
}

std::string fault(const char* what) {
  return fmt::format("{}: {}", what, std::strerror(errno));
}

/// The loopback of a new namespace is down; a runtime may use it to talk to itself.
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

/// Enters namespaces of its own, in which users keep their numbers; returns nothing, or why that failed.
std::string enter_user_and_network_namespace() {
  const uid_t user = ::geteuid();
  const gid_t group = ::getegid();
  if (::unshare(CLONE_NEWUSER | CLONE_NEWNET) != 0) return fault("unshare");
  if (!write_text("/proc/self/setgroups", "deny")) return fault("/proc/self/setgroups");
  if (!write_text("/proc/self/uid_map", fmt::format("{0} {0} 1\n", user))) return fault("/proc/self/uid_map");
  if (!write_text("/proc/self/gid_map", fmt::format("{0} {0} 1\n", group))) return fault("/proc/self/gid_map");
  write_text("/proc/sys/user/max_user_namespaces", "0");  // nested ones would give an adapter all capabilities
  return {};
}

/// Some systems permit the namespace and then refuse to map users in it. There is no way back from there, so a child
/// tries it first.
bool a_child_may_enter() {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(enter_user_and_network_namespace().empty() ? 0 : 1);
  int status = 1;
  ::waitpid(child, &status, 0);
  return status == 0;
}

}  // namespace

std::string leave_the_network() {
  if (::unshare(CLONE_NEWNET) != 0) {
    const std::string refusal = fault("unshare");
    if (!a_child_may_enter()) return "shared: " + refusal;
    if (const std::string found = enter_user_and_network_namespace(); !found.empty()) return "shared: " + found;
  }
  raise_loopback();
  return "a namespace of its own";
}

}  // namespace ifcert
