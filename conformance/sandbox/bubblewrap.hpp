// The namespaces in which bubblewrap runs an adapter: how much of this machine the adapter sees.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace ifcert::conformance {

/// The parts of the file system that an adapter sees: the system's folders and those named here. A shown folder may
/// contain hidden ones, which may contain shown ones, and so on: the nearest one above a file decides, and for a path
/// in both lists `hidden` does. Paths with symbolic links are followed.
struct View {
  std::filesystem::path home{};                 // the adapter's writable folder, empty and in memory
  std::vector<std::filesystem::path> shown{};   // files and folders, read-only; missing ones are left out
  std::vector<std::filesystem::path> hidden{};  // files and folders
  std::size_t memory_mib = 0;                   // the size of each writable folder
};

/// The command that runs `command` in new namespaces with this view. All paths must be absolute.
std::vector<std::string> bubblewrapped(const View& view, const std::vector<std::string>& command);

/// The file that a command's first word names, found as execvp would find it. Throws Error where there is none.
std::filesystem::path program_of(const std::vector<std::string>& command);

/// The files that must be visible for a command to run: its program, with the whole installation of that program (the
/// folder above its `bin` or `shims`, or else the folder that contains it), and each file and folder that the command
/// names; for links, also their targets.
std::vector<std::filesystem::path> seen_by(const std::vector<std::string>& command);

/// The home folders of the user who runs this program: that of the variable HOME, and that of the system's list of
/// users.
const std::vector<std::filesystem::path>& homes_of_user();

/// Whether bubblewrap works for this user on this machine, which is tried once per process.
struct Bubblewrap {
  std::string version{};  // empty where it does not work
  std::string why_not{};
  bool nests = false;  // a command can create nested user namespaces; bubblewrap before 0.8.0 cannot forbid that
};
const Bubblewrap& bubblewrap();

}  // namespace ifcert::conformance
