#include "conformance/sandbox/bubblewrap.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <pwd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <optional>
#include <sstream>
#include <string_view>

#include "conformance/system/error.hpp"

namespace ifcert::conformance {
namespace {

namespace fs = std::filesystem;

/// Where programs and their libraries are. /sys describes the processor, which runtimes ask about.
constexpr std::array system_folders{"/bin",    "/etc",       "/gnu/store", "/lib",  "/lib32", "/lib64",
                                    "/libx32", "/nix/store", "/opt",       "/sbin", "/sys",   "/usr"};

/// Each path of the new root, and the arguments that create it. In this order the parents of a path come before it.
class Mounts {
 public:
  void add(const fs::path& path, std::vector<std::string> words) { all_[clean(path)] = std::move(words); }

  void show(const fs::path& path) { add(path, {"--ro-bind", path.string(), clean(path).string()}); }

  /// A writable folder in memory of at most `bytes` bytes.
  void cover(const fs::path& path, std::size_t bytes) {
    add(path, {"--size", std::to_string(bytes), "--tmpfs", clean(path).string()});
  }

  /// Hides everything in it that is not shown explicitly.
  void hide(const fs::path& path) {
    add(path, {"--tmpfs", clean(path).string()});
    hidden_.push_back(clean(path));
  }

  /// The nearest mount above decides.
  bool is_visible(const fs::path& path) const {
    for (fs::path above = clean(path);; above = above.parent_path()) {
      const auto found = all_.find(above);
      if (found != all_.end()) return found->second.front() == "--ro-bind" || found->second.front() == "--symlink";
      if (above == above.root_path()) return false;
    }
  }

  std::vector<std::string> arguments() const {
    std::vector<std::string> words;
    for (const auto& [path, own] : all_) words.insert(words.end(), own.begin(), own.end());
    for (const fs::path& path : hidden_) words.insert(words.end(), {"--remount-ro", path.string()});
    for (const char* path : {"/dev", "/"}) words.insert(words.end(), {"--remount-ro", path});
    return words;
  }

  static fs::path clean(const fs::path& path) {
    const fs::path normal = path.lexically_normal();
    return normal.has_filename() ? normal : normal.parent_path();
  }

 private:
  std::map<fs::path, std::vector<std::string>> all_;
  std::vector<fs::path> hidden_;
};

/// A device that may be used, or a folder of such devices.
bool may_be_written(const fs::path& path) {
  constexpr fs::perms writing = fs::perms::owner_write | fs::perms::group_write | fs::perms::others_write;
  std::error_code missing;
  const fs::file_status status = fs::status(path, missing);
  return fs::is_directory(status) || (fs::exists(status) && (status.permissions() & writing) != fs::perms::none);
}

void show_system(Mounts& mounts) {
  for (const fs::path folder : system_folders) {
    std::error_code missing;
    if (fs::is_symlink(folder, missing)) {
      mounts.add(folder, {"--symlink", fs::read_symlink(folder).string(), folder.string()});
    } else if (fs::is_directory(folder, missing)) {
      mounts.show(folder);
    }
  }
}

/// A /proc with only the adapter's own processes. The rest of /proc belongs to the machine: root, who owns it, could
/// set kernel parameters there without any capability. (bubblewrap covers what it knows root may write, but not
/// /proc/sys.)
void show_processes(Mounts& mounts) {
  mounts.add("/proc", {"--proc", "/proc"});
  std::error_code missing;
  for (const fs::directory_entry& entry : fs::directory_iterator("/proc", missing)) {
    const std::string name = entry.path().filename();
    const bool is_process = name.find_first_not_of("0123456789") == std::string::npos;
    if (!is_process && !entry.is_symlink(missing) && may_be_written(entry.path())) mounts.show(entry.path());
  }
}

/// A path, and the path that it leads to.
std::vector<fs::path> both(const fs::path& path) {
  std::error_code fault;
  const fs::path real = fs::canonical(path, fault);
  return fault || real == path ? std::vector{path} : std::vector{path, real};
}

/// The folder that belongs to a program: <prefix>/bin/python needs <prefix>/lib, and a shim, such as those of pyenv and
/// asdf, needs the versions that it chooses from.
fs::path installation_of(const fs::path& file) {
  const fs::path folder = file.parent_path();
  return folder.filename() == "bin" || folder.filename() == "shims" ? folder.parent_path() : folder;
}

/// Symbolic links, and what they contain.
using Links = std::map<fs::path, fs::path>;

/// The path without symbolic links, which are added to `links`; nothing if there is no such file.
std::optional<fs::path> follow(const fs::path& path, Links& links) {
  std::error_code missing;
  if (!fs::exists(path, missing)) return std::nullopt;
  fs::path at = "/";
  for (const fs::path& name : path.relative_path()) {
    const fs::path next = name == ".." ? at.parent_path() : name.empty() || name == "." ? at : at / name;
    if (fs::is_symlink(next, missing)) {
      links[next] = fs::read_symlink(next);
      at = *follow(next.parent_path() / links[next], links);
    } else {
      at = next;
    }
  }
  return at;
}

/// Folders come before their contents. Files come last, because they are visible where their folder is. Every file has
/// one name in the view, that without links, so that none is visible under a second one when it is hidden.
void arrange(const View& view, Mounts& mounts, Links& links) {
  std::map<fs::path, bool> folders, files;  // whether they are shown
  Links unused;
  const auto sort_in = [&](const fs::path& path, bool is_shown, Links& links_to_it) {
    if (const auto real = follow(path, links_to_it)) (fs::is_directory(*real) ? folders : files)[*real] = is_shown;
  };
  for (const fs::path& path : view.shown) sort_in(path, true, links);
  for (const fs::path& path : view.hidden) sort_in(path, false, unused);
  for (const auto* paths : {&folders, &files}) {
    for (const auto& [path, is_shown] : *paths) {
      if (is_shown == mounts.is_visible(path)) continue;
      if (is_shown)
        mounts.show(path);
      else if (paths == &folders)
        mounts.hide(path);
      else
        mounts.add(path, {"--ro-bind", "/dev/null", path.string()});
    }
  }
  for (const auto& [link, target] : links) {
    if (!mounts.is_visible(link)) mounts.add(link, {"--symlink", target.string(), link.string()});
  }
}

std::string first_line(std::FILE* stream) {
  std::array<char, 256> text{};
  const bool any = std::fgets(text.data(), text.size(), stream) != nullptr;
  std::string line = any ? text.data() : "";
  while (!line.empty() && line.back() == '\n') line.pop_back();
  return line;
}

/// Runs a command of plain words, found in PATH. Returns the first line that it prints, and whether it succeeded.
std::pair<std::string, bool> output_of(const std::string& command) {
  // NOLINTNEXTLINE(bugprone-command-processor): the words are our own
  std::FILE* stream = ::popen((command + " 2>&1").c_str(), "re");
  if (stream == nullptr) return {std::strerror(errno), false};
  std::string line = first_line(stream);
  return {std::move(line), ::pclose(stream) == 0};
}

std::vector<fs::path> found_homes() {
  const passwd* user = ::getpwuid(::getuid());
  const char* named = std::getenv("HOME");
  std::vector<fs::path> homes;
  for (const fs::path home : {named == nullptr ? "" : named, user == nullptr ? "" : user->pw_dir}) {
    if (!home.is_absolute() || home.lexically_normal() == "/") continue;
    for (const fs::path& path : both(home)) homes.push_back(path);
  }
  return homes;
}

/// All namespaces, and no nested ones.
constexpr std::array name_spaces{"--unshare-all", "--unshare-user", "--disable-userns"};

/// Includes a /proc of its own, which some systems forbid though they permit the rest. An old bubblewrap does not know
/// the last argument.
Bubblewrap detected() {
  const auto [version, there] = output_of("bwrap --version");
  if (!there) return {.why_not = "bwrap is not installed"};
  Mounts mounts;
  mounts.show("/");
  show_processes(mounts);
  mounts.add("/dev", {"--dev", "/dev"});
  std::string fault;
  for (const bool nests : {false, true}) {
    const std::string words = nests ? name_spaces.front() : fmt::format("{}", fmt::join(name_spaces, " "));
    const auto [output, works] = output_of(fmt::format("bwrap {} {} true", words, fmt::join(mounts.arguments(), " ")));
    if (works) return {.version = version, .nests = nests};
    fault = output.empty() ? "bwrap fails" : output;
  }
  return {.why_not = fault};
}

}  // namespace

std::vector<std::string> bubblewrapped(const View& view, const std::vector<std::string>& command) {
  const std::size_t bytes = view.memory_mib << 20U;
  Mounts mounts;
  show_system(mounts);
  show_processes(mounts);
  mounts.add("/dev", {"--dev", "/dev"});
  mounts.cover("/dev/shm", bytes);
  Links links;
  if (const auto temporary = follow("/tmp", links)) mounts.cover(*temporary, bytes);
  const fs::path home = follow(view.home, links).value_or(view.home);
  arrange(view, mounts, links);
  mounts.cover(home, bytes);
  std::vector<std::string> all{"bwrap"};
  all.insert(all.end(), name_spaces.begin(), bubblewrap().nests ? name_spaces.begin() + 1 : name_spaces.end());
  all.insert(all.end(), {"--die-with-parent", "--new-session", "--cap-drop", "ALL"});
  for (const std::string& word : mounts.arguments()) all.push_back(word);
  all.insert(all.end(), {"--chdir", view.home.string(), "--"});
  all.insert(all.end(), command.begin(), command.end());
  return all;
}

fs::path program_of(const std::vector<std::string>& command) {
  const std::string& name = command.front();
  const auto runs = [](const fs::path& file) { return ::access(file.c_str(), X_OK) == 0 && !fs::is_directory(file); };
  if (name.find('/') != std::string::npos) {
    if (runs(name)) return fs::absolute(name);
    throw Error(fmt::format("cannot start {}: {}", name, std::strerror(errno)));
  }
  const char* path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "/usr/bin:/bin" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (!folder.empty() && runs(fs::path(folder) / name)) return fs::absolute(fs::path(folder) / name);
  }
  throw Error(fmt::format("cannot start {}: {}", name, std::strerror(ENOENT)));
}

std::vector<fs::path> seen_by(const std::vector<std::string>& command) {
  std::vector<fs::path> named{program_of(command)};
  for (const std::string& word : command) {
    std::error_code missing;
    if (word.starts_with('/') && fs::exists(word, missing)) named.emplace_back(word);
  }
  std::vector<fs::path> seen;
  for (const fs::path& name : named) {
    for (const fs::path& path : both(name)) {
      seen.push_back(path);
      if (!fs::is_directory(path)) seen.push_back(installation_of(path));
    }
  }
  std::erase(seen, fs::path("/"));
  return seen;
}

const std::vector<fs::path>& homes_of_user() {
  static const std::vector<fs::path> homes = found_homes();
  return homes;
}

const Bubblewrap& bubblewrap() {
  static const Bubblewrap found = detected();
  return found;
}

}  // namespace ifcert::conformance
