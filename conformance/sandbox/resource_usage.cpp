#include "conformance/sandbox/resource_usage.hpp"

#include <fmt/format.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <system_error>
#include <utility>

namespace ifcert {
namespace {

namespace fs = std::filesystem;

void add_numbers(const fs::path& file, std::vector<pid_t>& numbers) {
  std::ifstream text(file);
  for (pid_t number = 0; text >> number;) numbers.push_back(number);
}

std::size_t resident_bytes(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/statm");
  std::size_t size = 0;
  std::size_t resident = 0;
  if (!(file >> size >> resident)) return 0;
  return resident * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

/// Each page divided by the number of processes that share it; slower to determine.
std::size_t proportional_bytes(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/smaps_rollup");
  for (std::string word; file >> word;) {
    std::size_t kib = 0;
    if (word == "Pss:" && file >> kib) return kib * 1024;
  }
  return resident_bytes(process);
}

/// The number of bubblewrap's own processes, outside and inside.
constexpr std::size_t own_processes = 2;

constexpr std::size_t bytes_per_mib = std::size_t{1} << 20U;

/// For a file in memory, however empty: about what the kernel needs for its name and its properties.
constexpr std::size_t bytes_of_name = 1024;

/// The memory of the adapter's files in memory, in its own namespace: they count towards no process. They are reached
/// through the process that bubblewrap leaves in there. The size of each of the adapter's folders is the memory limit;
/// a folder of another size is this machine's.
std::size_t bytes_of_files(const Bounds& bounds, const std::vector<pid_t>& processes) {
  std::size_t sum = 0;
  if (!bounds.bubblewrap || processes.size() < own_processes) return sum;
  for (const fs::path& folder : {bounds.home, fs::path("/tmp"), fs::path("/dev/shm")}) {
    struct statvfs system {};
    const std::string inside = fmt::format("/proc/{}/root{}", processes[own_processes - 1], folder.string());
    if (::statvfs(inside.c_str(), &system) != 0) continue;
    const bool is_its_own = system.f_blocks * system.f_frsize == bounds.memory_mib * bytes_per_mib;
    if (!is_its_own) continue;
    sum += (system.f_blocks - system.f_bfree) * system.f_frsize;
    sum += (system.f_files - system.f_ffree) * bytes_of_name;
  }
  return sum;
}

/// The memory of all, MiB. If it exceeds the limit with shared pages counted for each process, they are counted once,
/// which takes longer.
std::size_t memory_of(const Bounds& bounds, const std::vector<pid_t>& processes) {
  const std::size_t files = bytes_of_files(bounds, processes);
  std::size_t sum = files;
  for (const pid_t process : processes) sum += resident_bytes(process);
  if (sum / bytes_per_mib <= bounds.memory_mib) return sum / bytes_per_mib;
  sum = files;
  for (const pid_t process : processes) sum += proportional_bytes(process);
  return sum / bytes_per_mib;
}

/// The processor time of a living process, and of its children that it has waited for.
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

}  // namespace

Descendants descendants() {
  Descendants all;
  const std::string self = std::to_string(::getpid());
  add_numbers("/proc/" + self + "/task/" + self + "/children", all.processes);
  for (std::size_t next = 0; next < all.processes.size(); ++next) {
    std::error_code gone;
    const std::string tasks = "/proc/" + std::to_string(all.processes[next]) + "/task";
    for (fs::directory_iterator task(tasks, gone), end; !gone && task != end; task.increment(gone)) {
      add_numbers(task->path() / "children", all.processes);
      ++all.threads;
    }
  }
  return all;
}

double ProcessorTime::seconds(const std::vector<pid_t>& processes) {
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

std::optional<std::string> excess(const Bounds& bounds, ProcessorTime& time) {
  const auto [processes, threads] = descendants();
  const std::size_t own = bounds.bubblewrap ? std::min(own_processes, processes.size()) : 0;
  if (processes.size() - own > bounds.processes) return fmt::format("processes {}", processes.size() - own);
  if (threads - std::min(own, threads) > bounds.threads) return fmt::format("threads {}", threads - own);
  const std::size_t memory = memory_of(bounds, processes);
  if (memory > bounds.memory_mib) return fmt::format("memory {}", memory);
  const double seconds = time.seconds(processes);
  if (seconds > bounds.seconds) return fmt::format("seconds {}", static_cast<std::size_t>(seconds));
  return std::nullopt;
}

}  // namespace ifcert
