// The namespaces in which bubblewrap runs an adapter: how much of this machine the adapter sees.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace ifcert::conformance {

/// The parts of the file system that an adapter sees: the system's folders and those named here, and nothing else.
struct View {
  std::filesystem::path home{};                // a folder of its own, empty and in memory
  std::vector<std::filesystem::path> shown{};  // files and folders, to be read
  std::vector<std::filesystem::path>
      hidden{};                // folders whose contents are hidden, wherever they are, except for what is shown
  std::size_t memory_mib = 0;  // the size of each writable folder
};

/// The arguments to put before a command so that it runs in namespaces of its own, in `view`. Absolute paths only.
std::vector<std::string> bubblewrapped(const View& view, const std::vector<std::string>& command);

/// The file that a command's first word names, found as execvp would find it. Throws Error where there is none.
std::filesystem::path program_of(const std::vector<std::string>& command);

/// The files that must be visible for a command to run: its program, with the installation that it belongs to (the
/// folder above its `bin` or `shims`, or its own), and each file and folder that it names; for links, also where they
/// lead.
std::vector<std::filesystem::path> seen_by(const std::vector<std::string>& command);

/// The home of the user who runs this program: as the environment names it, and as the system does.
const std::vector<std::filesystem::path>& homes_of_user();

/// Whether bubblewrap works for this user on this machine. It is tried once per process.
struct Bubblewrap {
  std::string version{};  // empty: it does not work
  std::string why_not{};
  bool nests = false;  // it cannot keep a command from creating nested user namespaces (before 0.8.0)
};
const Bubblewrap& bubblewrap();

}  // namespace ifcert::conformance
