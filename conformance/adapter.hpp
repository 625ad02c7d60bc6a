// An adapter as its manifest describes it: which systems it is certified on, how it is installed, how it is started.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/certification.hpp"
#include "conformance/project.hpp"
#include "conformance/toolchain.hpp"

namespace ifcert::conformance {

/// The cost of installing an adapter, as its manifest records it: measured once, for orientation.
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
  std::string environment;                     // empty: nothing to install
  std::vector<std::string> requirements{};     // pinned Python packages of the environment
  std::vector<InstallStep> steps{};            // what npm, Maven, cargo and Go install into it
  std::vector<NeededProgram> programs{};       // which the installation or the runtime starts besides
  std::filesystem::path sources;               // built into the environment; empty: nothing to build
  std::vector<std::string> command;            // placeholders filled in
  std::vector<std::filesystem::path> reads{};  // what it may read: its folder, its environment, what the manifest adds
  std::vector<std::string> variables{};        // variables of the user's environment that are passed on to it
  std::map<std::string, std::string> env{};    // variables that the manifest sets, placeholders filled in
  std::string digest;                          // SHA-256 of the manifest
  std::string files{};                         // files_digest(), once it is installed
  std::optional<InstallCost> cost{};           // nothing where the manifest records none
};

/// The names of the project's adapters, sorted: the folders of conformance/adapters that have an adapter.json.
std::vector<std::string> adapter_names(const Project& project);

/// The folder of an adapter: a text with a '/', or ".", is the path of its folder; anything else is a name in
/// conformance/adapters. read_adapter checks whether there is one.
std::filesystem::path adapter_folder(const Project& project, std::string_view name_or_path);

/// Reads the adapter.json of the adapter with this name or path. Throws Error where there is no such adapter (and lists
/// those there are), or where the manifest does not match its schema. NAME@VERSION is another version of its runtime
/// than the pinned one, if pip, npm, Maven or cargo installs it: an adapter of its own, in an environment of its own.
/// onnx-backend:MODULE is a backend of the onnx package's interface (onnx_backend.hpp).
Adapter read_adapter(const Project& project, std::string_view name_path_or_version);

/// Whether another version of the runtime is a matter of pip: a Python package has the adapter's version, or nothing
/// else is installed.
bool comes_by_pip(const Adapter& adapter);

/// The identity as far as it is known before hello.
AdapterIdentity identity_in_manifest(const Adapter& adapter);

}  // namespace ifcert::conformance
