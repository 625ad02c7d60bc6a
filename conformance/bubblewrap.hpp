// The name spaces that bubblewrap gives an adapter: what it sees of this machine.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace ifcert::conformance {

/// Of the file system an adapter sees the system's folders and what is named here; and nothing else.
struct View {
  std::filesystem::path home{};                // a folder of its own, empty and in memory
  std::vector<std::filesystem::path> shown{};  // files and folders, to be read
  std::vector<std::filesystem::path>
      hidden{};                // folders of which nothing is seen, wherever they lie, but what is shown
  std::size_t memory_mib = 0;  // each of the folders that can be written holds so much
};

/// The words that go before a command so that it runs in name spaces of its own, in `view`. Absolute paths only.
std::vector<std::string> bubblewrapped(const View& view, const std::vector<std::string>& command);

/// The file that a command's first word names, found as execvp would. Throws Error where there is none.
std::filesystem::path program_of(const std::vector<std::string>& command);

/// What has to be seen for a command to run: its program, with the installation that the program lies in (the folder
/// above its `bin` or `shims`, or its own), and each file and folder that it names; links, and where they lead.
std::vector<std::filesystem::path> seen_by(const std::vector<std::string>& command);

/// The home of the user who runs this program: as the environment says, and as the system knows it.
const std::vector<std::filesystem::path>& homes_of_user();

/// Whether bubblewrap works for this user on this machine. It is tried once in this process.
struct Bubblewrap {
  std::string version{};  // empty: it does not work
  std::string why_not{};
  bool nests = false;  // it cannot keep a command from making user name spaces in its own (before 0.8.0)
};
const Bubblewrap& bubblewrap();

}  // namespace ifcert::conformance
