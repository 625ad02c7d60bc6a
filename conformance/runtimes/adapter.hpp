// An adapter: the systems on which it is certified, and how it is installed and started.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "conformance/results/certification.hpp"
#include "conformance/runtimes/toolchain.hpp"
#include "conformance/system/project.hpp"

namespace ifcert::conformance {

/// The cost of installing an adapter, measured once and recorded in its manifest, so that users know what to expect.
struct InstallCost {
  double seconds = 0;
  double megabytes = 0;  // of the environment, in 1,000,000 bytes
};

struct Adapter {
  std::string name;
  std::string requested_as;      // as the user named it: its name, or the path of its folder
  std::filesystem::path folder;  // absolute
  std::vector<std::string> systems;
  std::string version, home;
  std::string environment;                     // the name of its folder in .adapters/; empty: nothing to install
  std::vector<std::string> requirements{};     // pinned Python packages of the environment
  std::filesystem::path pins{};                // the file with the digests of their archives; empty: there are none
  std::vector<InstallStep> steps{};            // the packages of npm, Maven, cargo and Go in the environment
  std::vector<NeededProgram> programs{};       // other programs that the installation or the runtime starts
  std::filesystem::path sources;               // a folder that CMake builds; empty: nothing to build
  std::vector<std::string> command;            // placeholders filled in
  std::vector<std::filesystem::path> reads{};  // its folder, its environment, and the manifest's own list
  std::vector<std::string> variables{};        // the user's environment variables that are passed on to it
  std::map<std::string, std::string> env{};    // environment variables set by the manifest, placeholders filled in
  std::string digest;                          // SHA-256 of the manifest and of `pins`
  std::string files{};                         // files_digest(), once it is installed
  std::optional<InstallCost> cost{};           // nothing where the manifest records none
};

/// Whether pip installs the runtime: one of the pinned Python packages has the version of the runtime, or no other
/// package manager installs anything for this adapter.
bool is_installed_by_pip(const Adapter& adapter);

/// The identity of an adapter that has not answered hello yet.
AdapterIdentity identity_in_manifest(const Adapter& adapter);

}  // namespace ifcert::conformance
